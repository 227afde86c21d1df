/** The refusals that an acceptance of a proposal would meet now: the same checks, as far as the viewer can know. */
import { Effect } from "effect"
import { readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { checkDocuments, currentDocuments } from "../projects/legal.ts"
import { checkDates, checkParties, readAreSignersKnown } from "../projects/new-project.ts"
import { checkPin } from "../discovery/pin.ts"
import type { Instant } from "../vocabulary/instant.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import { refuse, type Refusal } from "../vocabulary/refusals.ts"
import type { StoredProposal } from "./history.ts"
import type { PartyActor } from "../projects/guard-context.ts"
import { pauseGuard, personGuard, historyLimitGuard, stateGuard } from "./guards.ts"
import { readIsSupplierKnown, refuseUnknownSupplier, requireSubjectRequirements } from "./offer.ts"
import { readRecordedProposalSide } from "./side-exclusivity.ts"
import type { CallerAuthority } from "./caller.ts"
import type { ProposalTerms } from "./proposal.ts"
import { versionForSide } from "./view.ts"

/**
 * The missing preconditions of an acceptance, as refusal codes. Only the buyer knows its signer and the requirements of
 * its grant; the project limit of the accepting grant is checked at the acceptance.
 */
export const readReadiness = Effect.fnUntraced(function* (
  reader: Reader,
  stored: StoredProposal,
  by: PartyActor,
  authority: CallerAuthority,
  now: Instant
) {
  const { row } = stored
  const { document } = versionForSide(stored, by)
  const { terms, recipient, supplier } = document
  const recipientSide: PartyActor = { ...by, side: "BUYER" }
  const refusals = [
    pauseGuard({ isPaused: row.pauses.length > 0 }, recipientSide),
    stateGuard(row, "ACCEPT"),
    historyLimitGuard(row, "ACCEPT"),
    personGuard(document, "ACCEPT", recipientSide)
  ]
  const [isSupplierKnown, areSignersKnown] = yield* readTogether([
    readIsSupplierKnown(reader, supplier, now),
    by.side === "SUPPLIER" ? Effect.succeed(true) : readAreSignersKnown(reader, terms, authority.organizationId, now)
  ])
  const checked = yield* Effect.all([
    codeOf(isSupplierKnown ? Effect.void : refuseUnknownSupplier),
    codeOf(by.side === "SUPPLIER" ? Effect.void : requireSubjectRequirements(terms, authority.subjectRequirements)),
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
  const codes = [...refusals.map((refused) => refused?.code), ...checked]
  const missing = [...new Set(codes.flatMap((code) => code ?? []))]
  return { ready: missing.length === 0, missing }
})

/** A person who acted for the author is the supplier in the agreement too, and cannot sign for the buyer. */
const requireSignerNotSupplier = Effect.fnUntraced(function* (
  reader: Reader,
  proposalId: string,
  { signing }: Pick<ProposalTerms, "signing">
) {
  if (signing === undefined) return
  const recordedSide = yield* readRecordedProposalSide(reader, proposalId, signing.principal)
  if (recordedSide === "SUPPLIER") return yield* refuse("SAME_PARTY")
})

const codeOf = <A, R>(check: Effect.Effect<A, Refusal, R>): Effect.Effect<RefusalCode | undefined, never, R> =>
  Effect.match(check, { onFailure: ({ code }) => code, onSuccess: () => undefined })
