/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { requestOf } from "../../access/request.ts"
import { Api } from "../../api/agents.ts"
import { answer } from "../../http/answer.ts"
import { listJobs, readJob } from "../../jobs/operations.ts"
import { prepareJob } from "../../jobs/prepare.ts"
import { submitJob } from "../../jobs/submit.ts"
import { viewPrepared, viewStatus, viewSubmitted } from "../../jobs/view.ts"

export const jobHandlers = HttpApiBuilder.group(Api, "jobs", (handlers) =>
  handlers.handleAll({
    prepareJob: ({ payload }) =>
      answer(
        requestOf("prepareJob", [], payload.requestId).pipe(
          Effect.flatMap((request) => prepareJob(request, payload)),
          Effect.map(viewPrepared)
        )
      ),
    listJobs: ({ query }) => answer(Effect.map(listJobs(query.projectId), (jobs) => ({ jobs: jobs.map(viewStatus) }))),
    readJob: ({ params }) => answer(Effect.map(readJob(params.jobId), viewStatus)),
    submitJob: ({ params }) => answer(Effect.map(submitJob(params.jobId), viewSubmitted))
  })
)
