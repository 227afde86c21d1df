/** Carries out the wish to have a record issued: debit, record and event commit together, once a confirmation. */
import { Cause, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { digestOf } from "../canonical/digest.ts"
import { Signer } from "../ports/signer.ts"
import { exclusive, Storage, type Reader, type Transaction } from "../ports/storage.ts"
import type { Actor } from "../projects/event.ts"
import { appendEvent, readStored, type Stored } from "../projects/history.ts"
import { claimIssuances, readIssuance, settleIssuance, type IssuanceRow } from "../projects/issuance.ts"
import { idSeed, type IdStream } from "../vocabulary/ids.ts"
import { addMilliseconds, later, now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { readAccount, writeEntry } from "./credits.ts"
import { issuingOwner, type IssuingOwner } from "./owner.ts"
import { recordPayload } from "./record.ts"
import { ResultRecords } from "./store.ts"

/** Issues the record of a project if the wish still stands; what stops it is written down, never thrown away. */
export const issueRecord = Effect.fn("records.issue")(function* (projectId: string) {
  const storage = yield* Storage
  const ids = yield* idSeed
  const planned = yield* storage.view((reader) => readWish(reader, projectId))
  if (planned === undefined) return
  const { owner, organizationId } = planned
  const roots = [...owner.roots, exclusive("project", projectId), exclusive("credit", organizationId)]
  yield* storage.transaction({ roots }, (transaction) => attempt(transaction, projectId, planned, ids("attempt")))
})

interface Planned {
  readonly owner: IssuingOwner
  readonly organizationId: string
}

const readWish = Effect.fnUntraced(function* (reader: Reader, projectId: string) {
  const [wish, stored] = yield* Effect.all([readIssuance(reader, projectId), readStored(reader, projectId)], {
    concurrency: "unbounded"
  })
  if (wish === undefined || stored === undefined || wish.status !== "PENDING") return undefined
  return { owner: issuingOwner(wish), organizationId: stored.row.buyerOrganizationId } satisfies Planned
})

const attempt = Effect.fnUntraced(function* (
  transaction: Transaction,
  projectId: string,
  { owner, organizationId }: Planned,
  ids: IdStream
) {
  const [authority, stored, wish, account] = yield* Effect.all(
    [
      owner.read(transaction, projectId),
      readStored(transaction, projectId),
      readIssuance(transaction, projectId),
      readAccount(transaction, organizationId)
    ],
    { concurrency: "unbounded" }
  )
  const now = yield* transaction.now
  if (stored === undefined || wish?.status !== "PENDING" || !owner.isOf(wish)) return
  // As with every act under an authority: never before it.
  const at = later(later(now, authority?.notBefore ?? now), stored.row.lastEventAt)
  const actor = authority?.actorAt(stored, at)
  const stands = actor !== undefined && isUnchanged(wish, stored) && (owner.isPerson || isRunning(wish, stored))
  if (!stands) {
    return yield* settleIssuance(transaction, projectId, {
      status: "STOPPED",
      continuation: "NEEDS_REVIEW",
      recordId: null
    })
  }
  if ((account?.balance ?? 0) < 1) {
    const dueAt = addMilliseconds(now, limits.issuanceInterval)
    return yield* settleIssuance(transaction, projectId, {
      status: "PENDING",
      continuation: "WAITING_COVERAGE",
      recordId: null,
      dueAt,
      leasedUntil: now
    })
  }
  const debit = { change: -1, reference: projectId, confirmationId: wish.confirmationId }
  yield* writeEntry(transaction, organizationId, account, debit, now)
  yield* writeRecord(transaction, stored, { actor, requestId: wish.requestId, recordId: ids.next("record"), now: at })
})

/** The wish was planned on one head and one confirmation. */
const isUnchanged = (wish: IssuanceRow, { project }: Stored): boolean =>
  wish.headEventHash === project.head &&
  project.state === "BUYER_CONFIRMED" &&
  project.recordId === null &&
  wish.confirmationId === project.confirmation?.confirmationId

/** A pause stops what an agent asked for; what a person asked for goes on. */
const isRunning = (wish: IssuanceRow, { row }: Stored): boolean =>
  row.pauses.length === 0 && wish.automationRevision === row.automationRevision

const writeRecord = Effect.fnUntraced(function* (
  transaction: Transaction,
  stored: Stored,
  {
    actor,
    requestId,
    recordId,
    now
  }: { readonly actor: Actor; readonly requestId: string; readonly recordId: string; readonly now: Instant }
) {
  const signer = yield* Signer
  const { project, row } = stored
  const { projectId } = row
  const confirmationId = project.confirmation!.confirmationId
  const payload = recordPayload(project, recordId, signer.keys, later(now, row.lastEventAt))
  const jws = yield* signer
    .sign("RECORD", payload)
    .pipe(Effect.catchTag("IssuerNotConfigured", () => refuse("ISSUER_NOT_CONFIGURED")))
  const digest = digestOf(payload)
  const issued = { recordId, recordDigest: digest, confirmationId, agreementDigest: project.agreementDigest }
  yield* appendEvent(transaction, stored, { happening: { kind: "ISSUE", payload: issued }, requestId, actor, now })
  yield* transaction.insert(ResultRecords, {
    projectId,
    confirmationId,
    recordId,
    digest,
    jws,
    issuedAt: payload.issuedAt
  })
  yield* settleIssuance(transaction, projectId, { status: "ISSUED", continuation: null, recordId })
})

/** Carries out every wish that is due; two workers never get the same one. Past a full batch it claims again. */
export const issueDueRecords = Effect.fn("records.issueDue")(function* () {
  const storage = yield* Storage
  const random = yield* SecureRandom.SecureRandom
  const dueBy = yield* currentTime
  const token = yield* random.uuidV4()
  const batch = Effect.gen(function* () {
    const leaseUntil = addMilliseconds(yield* currentTime, limits.issuanceLease)
    const due = yield* claimIssuances(storage, { dueBy, leaseUntil, token, limit: limits.issuanceBatch })
    yield* Effect.forEach(due, ({ projectId }) => issueOrLog(projectId), { discard: true })
    return due.length
  })
  // What was claimed is settled, put off or leased past this time: no batch gets it again.
  yield* Effect.repeat(batch, { while: (claimed) => claimed === limits.issuanceBatch })
})

/** What goes wrong here leaves the wish pending for the next pass; the acceptance, and other wishes, stand either way. */
export const issueOrLog = (projectId: string) =>
  Effect.catchCause(issueRecord(projectId), (cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.interrupt
      : Effect.logWarning("the record could not be issued now", { projectId }, cause)
  )
