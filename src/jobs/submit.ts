/** An agent sends what it saved: the command and the mark on the job commit together. */
import { Effect } from "effect"
import { Caller } from "../access/authorize.ts"
import { Storage } from "../ports/storage.ts"
import { byAgent } from "../projects/by-agent.ts"
import type { Memory } from "../projects/memory.ts"
import { carryOut } from "../projects/operations.ts"
import type { Submittable } from "../projects/prepared.ts"
import { requireOwnJob } from "./operations.ts"
import { JobEnvelopes, Jobs, type JobRow } from "./store.ts"

/** Every time the same stored envelope, through the one pipeline; once it was submitted, only told so. */
export const submitJob = Effect.fn("jobs.submit")(function* (jobId: string) {
  const storage = yield* Storage
  const by = yield* Caller
  const { job, envelope } = yield* storage.view((reader) =>
    Effect.gen(function* () {
      const own = yield* requireOwnJob(reader, jobId)
      const kept = yield* reader.get(JobEnvelopes, [jobId])
      // Written with the job, and never changed.
      return { job: own, envelope: JSON.parse(kept!.envelope) as Submittable }
    })
  )
  const { projectId, requestId, envelopeDigest } = job
  const { replayed, emailUpdate, ...seen } = yield* carryOut({
    by: byAgent(by),
    request: { owner: by.grantId, requestId, fingerprint: envelopeDigest },
    memory: rememberedBy(job),
    projectId,
    expectedEventHash: envelope.expectedEventHash,
    automationRevision: envelope.automationRevision,
    command: { kind: "SUBMIT", input: envelope.input }
  })
  const submitted = yield* storage.view((reader) => reader.get(Jobs, [jobId]))
  return { job: submitted!, seen, replayed, emailUpdate }
})

/** The request id is the preparation's already, so the job itself says whether it was submitted. */
const rememberedBy = ({ jobId, projectId, envelopeDigest }: JobRow): Memory => ({
  read: (reader) =>
    Effect.map(reader.get(Jobs, [jobId]), (job) =>
      job?.state === "SUBMITTED" ? { fingerprint: envelopeDigest, target: projectId } : undefined
    ),
  remember: (transaction, { row, project }) =>
    transaction.update(Jobs, [jobId], {
      state: "SUBMITTED",
      submittedAt: row.lastEventAt,
      submissionId: project.submission!.submissionId
    })
})
