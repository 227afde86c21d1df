/** An agent saves the exact submission that it could send now; nothing is submitted. */
import { Effect } from "effect"
import { Caller } from "../access/authorize.ts"
import { countJob } from "../access/grant-counters.ts"
import { canonicalText } from "../canonical/jcs.ts"
import { sha256Hex } from "../canonical/digest.ts"
import { inView } from "../ports/storage/run.ts"
import type { Transaction } from "../ports/storage.ts"
import { prepareSubmission, type SubmissionEnvelope } from "../projects/prepare-submission.ts"
import { recordRequest, type IdempotentRequest } from "../replay/idempotency.ts"
import { idSeed } from "../vocabulary/ids.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { envelopeOn, type JobInput } from "./job.ts"
import { JobEnvelopes, Jobs, type JobRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** Uses up the request id for this preparation and for the saved submission. */
export const prepareJob = traced("jobs.prepare")(function* (request: IdempotentRequest, input: JobInput) {
  const { projectId } = input
  const by = yield* Caller
  const ids = yield* idSeed
  const jobId = ids("plan").next("job")
  const preparation = yield* prepareSubmission(by, {
    request,
    projectId,
    build: (stored) => envelopeOn(stored, input),
    keep: (transaction, built, now) => insertJob(transaction, { jobId, request, input, built, now })
  })
  return preparation.replayed
    ? { job: yield* readStoredJob(preparation.target), replayed: true }
    : { job: preparation.stored, replayed: false }
})

interface JobDraft {
  readonly jobId: string
  readonly request: IdempotentRequest
  readonly input: JobInput
  readonly built: SubmissionEnvelope
  readonly now: Instant
}

const insertJob = Effect.fnUntraced(function* (
  transaction: Transaction,
  { jobId, request, input: { projectId, workflowReference }, built, now }: JobDraft
) {
  const sequence = yield* countJob(transaction, request.owner)
  const envelope = canonicalText(built)
  const job: JobRow = {
    jobId,
    grantId: request.owner,
    projectId,
    sequence,
    workflowReference,
    requestId: request.requestId,
    envelopeDigest: sha256Hex(envelope),
    expectedEventHash: built.expectedEventHash,
    automationRevision: built.automationRevision,
    state: "PREPARED",
    preparedAt: now,
    submittedAt: null,
    submissionId: null
  }
  yield* transaction.insert(Jobs, job)
  yield* transaction.insert(JobEnvelopes, { jobId, envelope })
  yield* recordRequest(transaction, request, jobId, now)
  return job
})

/** The job was stored with its request and is never removed. */
const readStoredJob = Effect.fnUntraced(function* (jobId: string) {
  const job = yield* inView((reader) => reader.get(Jobs, [jobId]))
  return job!
})
