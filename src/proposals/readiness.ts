/** The refusals that an acceptance of a proposal would meet now: the same checks, as far as the viewer can know. */
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
 * The missing preconditions of an acceptance, as refusal codes. Only the buyer knows its signer and the requirements of
 * its grant; the project limit of the accepting grant is checked at the acceptance.
 */
export const readReadiness = Effect.fnUntraced(function* (
  reader: Reader,
  stored: StoredProposal,
  by: Acting,
  authority: Standing,
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
      by.side === "SUPPLIER" ? Effect.succeed(true) : readAreSignersKnown(reader, terms, authority.organizationId, now)
    ],
    { concurrency: "unbounded" }
  )
  const checked = yield* Effect.all([
    codeOf(isSupplierKnown ? Effect.void : refuseSupplier),
    codeOf(by.side === "SUPPLIER" ? Effect.void : requireCarried(terms, authority.subjectRequirements)),
    codeOf(checkDates(terms, now)),
    codeOf(checkParties(reader, terms, recipient.actorId)),
    codeOf(areSignersKnown ? Effect.void : refuse("UNKNOWN_SIGNER")),
    terms.specification === undefined ? Effect.undefined : codeOf(checkPin(reader, terms.specification)),
    Effect.map(
      Effect.flatMap(currentDocuments, (documents) => checkDocuments(terms, documents)),
      (refused) => refused?.code
    ),
    codeOf(requireSignerNotSupplier(reader, row.proposalId, terms))
  ])
  const codes = [...obstacles.map((refused) => refused?.code), ...checked]
  const missing = [...new Set(codes.flatMap((code) => code ?? []))]
  return { ready: missing.length === 0, missing }
})

/** A person who acted for the author is the supplier in the agreement too, and cannot sign for the buyer. */
const requireSignerNotSupplier = Effect.fnUntraced(function* (
  reader: Reader,
  proposalId: string,
  { signing }: Pick<ProposedTerms, "signing">
) {
  if (signing === undefined) return
  const recordedSide = yield* readTakenProposalSide(reader, proposalId, signing.principal)
  if (recordedSide === "SUPPLIER") return yield* refuse("SAME_PARTY")
})

const codeOf = <A, R>(check: Effect.Effect<A, Refused, R>): Effect.Effect<RefusalCode | undefined, never, R> =>
  Effect.match(check, { onFailure: ({ code }) => code, onSuccess: () => undefined })
