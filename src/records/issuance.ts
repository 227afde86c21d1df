/** Processes issuance requests: debit, record and event commit together, at most once a confirmation. */
import { Cause, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { digestOf } from "../canonical/digest.ts"
import { Signer } from "../ports/signer.ts"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, Storage, type Reader, type Transaction } from "../ports/storage.ts"
import type { Actor } from "../projects/event.ts"
import { appendEvent, readStoredProject, type StoredProject } from "../projects/history.ts"
import { claimIssuances, readIssuance, settleIssuance, type IssuanceRow } from "../projects/issuance.ts"
import { readOnlyGuard } from "../projects/lost-head.ts"
import { idSeed, type IdStream } from "../vocabulary/ids.ts"
import { addMilliseconds, later, now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { readCreditAccount, writeCreditEntry } from "./credits.ts"
import { requesterOf, type IssuanceRequester } from "./issuance-requester.ts"
import { recordPayload } from "./record.ts"
import { ResultRecords } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** Issues the record of a project if its request is still pending; the reason for stopping is stored. */
export const issueRecord = traced("records.issue")(function* (projectId: string) {
  const ids = yield* idSeed
  const plan = yield* inView((reader) => readPlan(reader, projectId))
  if (plan === undefined) return
  const { requester, organizationId } = plan
  const locks = [...requester.locks, exclusive("project", projectId), exclusive("credit", organizationId)]
  yield* inTransaction({ locks }, (transaction) => attempt(transaction, projectId, plan, ids("attempt")))
})

interface IssuancePlan {
  readonly requester: IssuanceRequester
  readonly organizationId: string
}

const readPlan = Effect.fnUntraced(function* (reader: Reader, projectId: string) {
  const [issuance, stored] = yield* readTogether([
    readIssuance(reader, projectId),
    readStoredProject(reader, projectId)
  ])
  if (issuance === undefined || stored === undefined || issuance.status !== "PENDING") return undefined
  return { requester: requesterOf(issuance), organizationId: stored.row.buyerOrganizationId } satisfies IssuancePlan
})

const attempt = Effect.fnUntraced(function* (
  transaction: Transaction,
  projectId: string,
  { requester, organizationId }: IssuancePlan,
  ids: IdStream
) {
  const [authority, stored, issuance, account] = yield* readTogether([
    requester.read(transaction, projectId),
    readStoredProject(transaction, projectId),
    readIssuance(transaction, projectId),
    readCreditAccount(transaction, organizationId)
  ])
  const now = yield* transaction.now
  if (stored === undefined || issuance?.status !== "PENDING" || !requester.isRequesterOf(issuance)) return
  // An event is never dated before the authority under which it is made.
  const at = later(later(now, authority?.notBefore ?? now), stored.row.lastEventAt)
  const actor = authority?.actorAt(stored, at)
  const isIssuable =
    actor !== undefined && isUnchanged(issuance, stored) && (requester.isPerson || isRunning(issuance, stored))
  if (!isIssuable) {
    return yield* settleIssuance(transaction, projectId, {
      status: "STOPPED",
      continuation: "NEEDS_REVIEW",
      recordId: null
    })
  }
  if (readOnlyGuard(stored.project) !== undefined) {
    const { continuation } = issuance
    const dueAt = addMilliseconds(now, limits.issuanceInterval)
    const postponed = { status: "PENDING", continuation, recordId: null, dueAt, leasedUntil: now } as const
    return yield* settleIssuance(transaction, projectId, postponed)
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
  const { confirmationId, requestId } = issuance
  const debit = { change: -1, reference: projectId, confirmationId }
  yield* writeCreditEntry(transaction, organizationId, account, debit, now)
  yield* writeRecord(transaction, stored, { actor, requestId, recordId: ids.next("record"), now: at })
})

/** The head and the confirmation are those of the request. */
const isUnchanged = (issuance: IssuanceRow, { project }: StoredProject): boolean =>
  issuance.headEventHash === project.head &&
  project.state === "BUYER_CONFIRMED" &&
  project.recordId === null &&
  issuance.confirmationId === project.confirmation?.confirmationId

/** A pause stops the requests of agents, not those of people. */
const isRunning = (issuance: IssuanceRow, { row }: StoredProject): boolean =>
  row.pauses.length === 0 && issuance.automationRevision === row.automationRevision

const writeRecord = Effect.fnUntraced(function* (
  transaction: Transaction,
  stored: StoredProject,
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
  yield* appendEvent(transaction, stored, { content: { kind: "ISSUE", payload: issued }, requestId, actor, now })
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

/** Processes the due requests, each leased to one worker. After a full batch it claims again. */
export const issueDueRecords = traced("records.issueDue")(function* () {
  const storage = yield* Storage
  const random = yield* SecureRandom.SecureRandom
  const dueBy = yield* currentTime
  const token = yield* random.uuidV4()
  const batch = Effect.gen(function* () {
    const leaseUntil = addMilliseconds(yield* currentTime, limits.issuanceLease)
    const due = yield* claimIssuances(storage, { dueBy, leaseUntil, token, limit: limits.issuanceBatch })
    yield* Effect.forEach(due, ({ projectId }) => issueRecordOrLog(projectId), { discard: true })
    return due.length
  })
  // A claimed request is settled, postponed or leased past `dueBy`: no further batch claims it.
  yield* Effect.repeat(batch, { while: (claimed) => claimed === limits.issuanceBatch })
})

/** A failure is logged and leaves the request pending; the acceptance and other requests are unaffected. */
export const issueRecordOrLog = (projectId: string) =>
  Effect.catchCause(issueRecord(projectId), (cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.interrupt
      : Effect.logWarning("record issuance failed, retried in the next pass", { projectId }, cause)
  )
