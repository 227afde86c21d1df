/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asAgent, asAgentRequest } from "../../access/request.ts"
import { Api } from "../../api/agents.ts"
import { listJobs, readJob } from "../../jobs/operations.ts"
import { prepareJob } from "../../jobs/prepare.ts"
import { submitJob } from "../../jobs/submit.ts"
import { viewPrepared, viewStatus, viewSubmitted } from "../../jobs/view.ts"

export const jobHandlers = HttpApiBuilder.group(Api, "jobs", (handlers) =>
  handlers.handleAll({
    prepareJob: (sent) =>
      asAgentRequest(sent, (request) => Effect.map(prepareJob(request, sent.payload), viewPrepared)),
    listJobs: ({ query }) => Effect.map(listJobs(query.projectId), (jobs) => ({ jobs: jobs.map(viewStatus) })),
    readJob: ({ params }) => Effect.map(readJob(params.jobId), viewStatus),
    submitJob: ({ params }) => asAgent(Effect.map(submitJob(params.jobId), viewSubmitted))
  })
)
