/** Reading the saved jobs of an agent, each with its current status on the project. */
import { Effect } from "effect"
import { Caller, readAuthority, requireLive } from "../access/authorize.ts"
import { inReplicaView, inView } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { readProjectInScope } from "../projects/operations.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { Jobs } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** The jobs of this grant for one project, in order of preparation. */
export const listJobs = traced("jobs.list")(function* (projectId: string) {
  const { grantId } = yield* Caller
  return yield* inReplicaView(function* (reader) {
    const projectView = yield* readProjectInScope(reader, projectId)
    const jobs = yield* reader.range(Jobs, "byProject", { prefix: [grantId, projectId], limit: limits.jobsPerGrant })
    return jobs.map((job) => ({ job, projectView }))
  })
})

/** One job of this grant. */
export const readJob = traced("jobs.read")(function* (jobId: string) {
  return yield* inView(function* (reader) {
    const job = yield* requireOwnJob(reader, jobId)
    return { job, projectView: yield* readProjectInScope(reader, job.projectId) }
  })
})

/** A job of another grant, including a replacement grant, is unknown. */
export const requireOwnJob = Effect.fnUntraced(function* (reader: Reader, jobId: string) {
  const by = yield* Caller
  yield* requireLive(yield* readAuthority(reader, by), yield* currentTime)
  const job = yield* reader.get(Jobs, [jobId])
  return job?.grantId === by.grantId ? job : yield* refuse("NOT_FOUND")
})
