/** Addresses of proposal pages, for the refusals that only a person can resolve. */
import type { Effect } from "effect"
import type { Installation } from "../ports/installation.ts"
import { withPageUrl } from "../projects/human-url.ts"
import type { Refusal } from "../vocabulary/refusals.ts"

/** The page of the same proposal for people of either side. */
export const proposalUrl = (siteUrl: string, proposalId: string): string =>
  `${siteUrl}/workspace/proposals/${proposalId}`

/** Adds the required human action and the page to a refusal that only a person can resolve. */
export const withProposalUrl = <A, E extends Refusal, R>(
  effect: Effect.Effect<A, E, R>,
  { proposalId }: { readonly proposalId: string }
): Effect.Effect<A, E, R | Installation> => withPageUrl(effect, (siteUrl) => proposalUrl(siteUrl, proposalId))
