/** What an acceptance of a proposal would be refused with now: the same checks, as far as whoever looks can know. */
import { Effect } from "effect"
import type { Reader } from "../ports/storage.ts"
import { checkDocuments, currentDocuments } from "../projects/legal.ts"
import { checkDates, checkParties, readAreSignersKnown } from "../projects/new-project.ts"
import { checkPin } from "../discovery/pin.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { type RefusalCode } from "../vocabulary/refusal-rules.ts"
import { refuse, type Refused } from "../vocabulary/refusals.ts"
import type { StoredProposal } from "./history.ts"
import { pauseObstacle, personObstacle, roomObstacle, stateObstacle, type Acting } from "./obstacles.ts"
import { readIsSupplierKnown, refuseSupplier, requireCarried } from "./offer.ts"
import { readTakenProposalSide } from "./one-side.ts"
import type { Standing } from "./principal.ts"
import type { ProposedTerms } from "./proposal.ts"
import { versionFor } from "./view.ts"

/**
 * The recipient's decision: what is missing for it, as codes of refusals. Who signs for the buyer, and what binds the
 * buyer's agent, is known to the buyer alone; whether the accepting grant has room shows when it accepts.
 */
export const readReadiness = Effect.fnUntraced(function* (
  reader: Reader,
  stored: StoredProposal,
  by: Acting,
  standing: Standing,
  now: Instant
) {
  const { row } = stored
  const { document } = versionFor(stored, by)
  const { terms, recipient, supplier } = document
  const recipientSide: Acting = { ...by, side: "BUYER" }
  const obstacles = [
    pauseObstacle({ isPaused: row.pauses.length > 0 }, recipientSide),
    stateObstacle(row, "ACCEPT"),
    roomObstacle(row, "ACCEPT"),
    personObstacle(document, "ACCEPT", recipientSide)
  ]
  const [isSupplierKnown, areSignersKnown] = yield* Effect.all(
    [
      readIsSupplierKnown(reader, supplier, now),
      by.side === "SUPPLIER" ? Effect.succeed(true) : readAreSignersKnown(reader, terms, standing.organizationId, now)
    ],
    { concurrency: "unbounded" }
  )
  const checked = yield* Effect.all([
    codeOf(isSupplierKnown ? Effect.void : refuseSupplier),
    codeOf(by.side === "SUPPLIER" ? Effect.void : requireCarried(terms, standing.subjectRequirements)),
    codeOf(checkDates(terms, now)),
    codeOf(checkParties(reader, terms, recipient.actorId)),
    codeOf(areSignersKnown ? Effect.void : refuse("UNKNOWN_SIGNER")),
    terms.specification === undefined ? Effect.undefined : codeOf(checkPin(reader, terms.specification)),
    Effect.map(
      Effect.flatMap(currentDocuments, (documents) => checkDocuments(terms, documents)),
      (refused) => refused?.code
    ),
    codeOf(requireFreeSigner(reader, row.proposalId, terms))
  ])
  const codes = [...obstacles.map((refused) => refused?.code), ...checked]
  const missing = [...new Set(codes.flatMap((code) => code ?? []))]
  return { ready: missing.length === 0, missing }
})

/** Whoever acted for the author takes that side of the agreement, and signs there for no buyer. */
const requireFreeSigner = Effect.fnUntraced(function* (
  reader: Reader,
  proposalId: string,
  { signing }: Pick<ProposedTerms, "signing">
) {
  if (signing === undefined) return
  const taken = yield* readTakenProposalSide(reader, proposalId, signing.principal)
  if (taken === "SUPPLIER") return yield* refuse("SAME_PARTY")
})

const codeOf = <A, R>(check: Effect.Effect<A, Refused, R>): Effect.Effect<RefusalCode | undefined, never, R> =>
  Effect.match(check, { onFailure: ({ code }) => code, onSuccess: () => undefined })
