/** Points an agent to the person it has to wait for. */
import type { Effect } from "effect"
import type { Installation } from "../ports/installation.ts"
import { pointToPage } from "../projects/human.ts"
import type { Refused } from "../vocabulary/refusals.ts"

/** The page of the same proposal for people of either side. */
export const proposalUrl = (siteUrl: string, proposalId: string): string =>
  `${siteUrl}/workspace/proposals/${proposalId}`

/** Adds what the person has to do, and where, to a refusal that only a person can remove. */
export const pointToProposal = <A, R>(
  effect: Effect.Effect<A, Refused, R>,
  { proposalId }: { readonly proposalId: string }
): Effect.Effect<A, Refused, R | Installation> => pointToPage(effect, (siteUrl) => proposalUrl(siteUrl, proposalId))
