/** The export of a Transaction Closure: it issues nothing, costs no credit, and moves no money. */
import { Effect } from "effect"
import { canonicalText } from "../canonical/jcs.ts"
import { exportHead } from "../commerce/export.ts"
import { readAttempts, readOrderPackage } from "../commerce/stored-order.ts"
import { sessionLocks, type ActingPerson } from "../people/acting-person.ts"
import { Signer } from "../ports/signer.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, shared, type LockKey, type Reader, type Transaction } from "../ports/storage.ts"
import { readProjectAsParty } from "../projects/representation.ts"
import { readOwnPassport } from "../publications/own-passport.ts"
import type { ResultPassport } from "../publications/passport.ts"
import { ExportBytes, requireExportSize } from "../records/portable-export.ts"
import { signDocument } from "../records/signed-document.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import { findOrderForClosure, requireClosureAccess } from "./access.ts"
import { closureBody, selectAttempt, type ClosureArtifacts } from "./closure.ts"
import { readLineage, type NextAgreement } from "./lineage-export.ts"
import type { Lineage } from "./lineage.ts"

/**
 * The file of an order's closure. Its transaction stores the export of the selected attempt's journal where there is none
 * yet, as the Commerce Record's own export does, and nothing if the closure is refused.
 */
export const exportClosure = traced("closure.export")(function* (by: ActingPerson, resultOrderId: string) {
  const now = yield* currentTime
  const original = yield* inView((reader) => findOriginal(reader, by, resultOrderId, now))
  return yield* inTransaction({ locks: locksOf(by, [original]) }, function* (transaction) {
    const at = yield* requireClosureAccess(transaction, by, original.membershipId, original.projectId)
    return yield* signClosure(transaction, resultOrderId, at)
  })
})

/** What a person names as the history that a closure carries. */
export interface NamedHistory {
  readonly passport: ResultPassport
  /** The project of the next agreement. */
  readonly nextTaskId: string
}

/**
 * The same with the history on which a next agreement rests. The gates of the order are asked first, then the record gate of
 * the next agreement, and only then is its history reference read. No other agreement is looked at.
 */
export const exportClosureWithHistory = traced("closure.exportWithHistory")(function* (
  by: ActingPerson,
  resultOrderId: string,
  { passport: file, nextTaskId }: NamedHistory
) {
  const now = yield* currentTime
  const { original, next } = yield* inView(function* (reader) {
    const original = yield* findOriginal(reader, by, resultOrderId, now)
    const { memberships } = yield* readProjectAsParty(reader, by, nextTaskId, now)
    const [{ membershipId }] = memberships
    const passport = yield* readOwnPassport(reader, file)
    return { original, next: { projectId: nextTaskId, membershipId, file, passport } satisfies NextAgreement }
  })
  return yield* inTransaction({ locks: locksOf(by, [original, next]) }, function* (transaction) {
    const at = yield* requireClosureAccess(transaction, by, original.membershipId, original.projectId)
    const lineage = yield* readLineage(transaction, by, next, original, at)
    return yield* signClosure(transaction, resultOrderId, at, lineage)
  })
})

const findOriginal = Effect.fnUntraced(function* (
  reader: Reader,
  by: ActingPerson,
  resultOrderId: string,
  now: Instant
) {
  const { row, membership } = yield* findOrderForClosure(reader, by, resultOrderId, now)
  return { projectId: row.projectId, recordId: row.recordId, membershipId: membership.membershipId }
})

/** A project, and the membership with which the person is a party to it. */
interface ReadProject {
  readonly projectId: string
  readonly membershipId: string
}

const locksOf = (by: ActingPerson, projects: ReadonlyArray<ReadProject>): ReadonlyArray<LockKey> => [
  ...sessionLocks(by),
  ...projects.map(({ membershipId }) => shared("membership", membershipId)),
  ...projects.map(({ projectId }) => exclusive("project", projectId))
]

const signClosure = Effect.fnUntraced(function* (
  transaction: Transaction,
  resultOrderId: string,
  at: Instant,
  lineage?: Lineage
) {
  const artifacts = yield* readArtifacts(transaction, resultOrderId)
  const { keys } = yield* Signer
  const text = yield* signDocument("CLOSURE", closureBody(artifacts, keys, at, lineage))
  const detail = tooLarge(text, artifacts, yield* ExportBytes, lineage)
  return yield* requireExportSize(text, { detail, nextAction: "EXPORT_COMMERCE_RECORD" })
})

const readArtifacts = Effect.fnUntraced(function* (transaction: Transaction, resultOrderId: string) {
  const [attempts, resultPackage] = yield* readTogether([
    readAttempts(transaction, resultOrderId),
    readOrderPackage(transaction, resultOrderId)
  ])
  const selected = selectAttempt(attempts)
  if (selected === undefined) return yield* refuse("PAYMENT_ATTEMPT_MISSING")
  const { record } = yield* exportHead(transaction, selected)
  return { resultPackage, resultOrder: selected.orderRecord, commerceRecord: record } satisfies ClosureArtifacts
})

const tooLarge = (
  text: string,
  { resultPackage, commerceRecord }: ClosureArtifacts,
  bound: number,
  lineage: Lineage | undefined
): string => {
  const parts = [
    `its Result Package ${resultPackage.length}`,
    `its Commerce Record ${commerceRecord.length}`,
    ...(lineage === undefined ? [] : [`its lineage ${Buffer.byteLength(canonicalText(lineage))}`])
  ]
  return `Limit reached: ${bound} bytes in the canonical form of one closure. This one has ${Buffer.byteLength(text)}: ${parts.join(", ")}. Download the package and the Commerce Record separately.`
}
