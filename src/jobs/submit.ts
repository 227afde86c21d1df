/** An agent submits a saved job: the command and the job's state change commit together. */
import { Effect } from "effect"
import { neverRefused } from "../vocabulary/refusals.ts"
import { Caller } from "../access/authorize.ts"
import { parseCanonical } from "../canonical/jcs.ts"
import { inView } from "../ports/storage/run.ts"
import { agentAsCaller } from "../projects/agent-caller.ts"
import type { IdempotencyStore } from "../projects/idempotency-store.ts"
import { runAgentCommand } from "../projects/operations.ts"
import { requireOwnJob } from "./operations.ts"
import { JobEnvelopes, Jobs, type JobRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** Sends the stored envelope through the pipeline; a submitted job is a replay. */
export const submitJob = traced("jobs.submit")(function* (jobId: string) {
  const by = yield* Caller
  const { job, envelope } = yield* inView(function* (reader) {
    const own = yield* requireOwnJob(reader, jobId)
    const row = yield* reader.get(JobEnvelopes, [jobId])
    // Inserted with the job and immutable.
    return { job: own, envelope: parseCanonical(row!.envelope) }
  })
  const { projectId, requestId, envelopeDigest } = job
  const { replayed, emailUpdate, ...projectView } = yield* runAgentCommand({
    by: agentAsCaller(by),
    request: { owner: by.grantId, requestId, fingerprint: envelopeDigest },
    idempotencyStore: jobIdempotency(job),
    projectId,
    expectedEventHash: envelope.expectedEventHash,
    automationRevision: envelope.automationRevision,
    command: { kind: "SUBMIT", input: envelope.input }
  }).pipe(
    // Checked against this head when the job was saved.
    neverRefused("CRITERIA_INCOMPLETE", "SUBMISSION_MISMATCH")
  )
  const submitted = yield* inView((reader) => reader.get(Jobs, [jobId]))
  return { job: submitted!, projectView, replayed, emailUpdate }
})

/** The preparation has used up the request id, so the job's state is the idempotency record. */
const jobIdempotency = ({ jobId, projectId, envelopeDigest }: JobRow): IdempotencyStore => ({
  read: (reader) =>
    Effect.map(reader.get(Jobs, [jobId]), (job) =>
      job?.state === "SUBMITTED" ? { fingerprint: envelopeDigest, target: projectId } : undefined
    ),
  record: (transaction, { row, project }) =>
    transaction.update(Jobs, [jobId], {
      state: "SUBMITTED",
      submittedAt: row.lastEventAt,
      submissionId: project.submission!.submissionId
    })
})
