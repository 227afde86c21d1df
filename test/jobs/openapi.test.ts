/** Conformance of job responses to the OpenAPI document. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { documentedResponse, operationAt, readDocument } from "../support/openapi.ts"
import { sendCommand, readProject, reviewOf, uuid } from "../support/parties.ts"
import { jobOn } from "../support/requests.ts"
import { freshTestService, type Answer } from "../support/service.ts"
import { createdBody } from "../support/workspace.ts"
import { agreedProject, listJobs, prepare, preparedJob, readJob, setJobCount, submit } from "./fixtures.ts"

const agents = "/api/agents/v1"
const job = `${agents}/jobs/{jobId}`

layer(freshTestService, { excludeTestServices: true })("OpenAPI document of jobs", (it) => {
  it.effect("Every response about a job has a documented status and body.", () =>
    Effect.gen(function* () {
      const document = yield* readDocument(agents)
      const assertDocumented = documentedResponse(document)
      const fixture = yield* agreedProject()
      const { token, view, projectId, buyerAgent, supplierAgent } = fixture
      const { jobId } = yield* preparedJob(fixture)
      const body = jobOn(view)
      const sent: Array<readonly [template: string, method: string, answer: Answer]> = [
        [`${agents}/jobs`, "post", yield* prepare(token, body)],
        [`${agents}/jobs`, "post", yield* prepare(token, body)],
        [`${agents}/jobs`, "post", yield* prepare(token, { ...body, summary: "Another." })],
        [`${agents}/jobs`, "post", yield* prepare(buyerAgent.token, jobOn(view))],
        [job, "get", yield* readJob(token, jobId)],
        [job, "get", yield* readJob(token, `job_${uuid()}`)],
        [job, "get", yield* readJob("none", jobId)],
        [`${job}/submit`, "post", yield* submit(token, jobId)],
        [`${job}/submit`, "post", yield* submit(token, jobId)],
        [`${job}/submit`, "post", yield* submit(token, jobId, {})]
      ]
      const buyerView = yield* readProject(buyerAgent.token, projectId)
      createdBody(yield* sendCommand(buyerAgent.token, projectId, "review", reviewOf(buyerView, "REQUEST_CHANGES")))
      yield* setJobCount(supplierAgent.grantId, 500)
      sent.push(
        [`${agents}/jobs`, "post", yield* prepare(token, jobOn(view))],
        [`${agents}/jobs`, "get", yield* listJobs(token, projectId)],
        [`${agents}/jobs`, "get", yield* listJobs(token, "x")],
        [`${agents}/jobs`, "get", yield* listJobs(token, `delivery_${uuid()}`)]
      )
      for (const [template, method, answer] of sent) assertDocumented(template, method, answer)
      assert.deepStrictEqual(
        sent.map(([, , { status }]) => status),
        [201, 201, 409, 403, 200, 404, 401, 200, 200, 400, 429, 200, 400, 403]
      )
      const [parameter] = operationAt(document, job, "get").parameters
      assert.deepInclude(parameter.schema, { type: "string", minLength: 1, maxLength: 4_000 })
    })
  )
})
