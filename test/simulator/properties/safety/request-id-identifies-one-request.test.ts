import { assert, describe, it } from "@effect/vitest"
import { Projects } from "../../../../src/projects/store.ts"
import { requestIdIdentifiesOneRequest } from "../../../../simulator/properties/safety/request-id-identifies-one-request.ts"
import { SyntheticRun, put } from "../../support/synthetic-run.ts"

const path = "/api/workspace/projects/delivery_1/pause"

const asked = (seen: SyntheticRun, requestId: string, reason: string, on = path) =>
  seen.asks("dana", "POST", on, { requestId, reason })

const world = () =>
  asked(
    new SyntheticRun(requestIdIdentifiesOneRequest).person("dana", "person_dana").person("kim", "person_kim"),
    "1",
    "Wait."
  )

const paused = () => world().answers("dana", 200, {})

describe("request id identifies one request", () => {
  it("An equal request may reuse its request id, in any member order", () => {
    const seen = asked(paused(), "1", "Wait.").answers("dana", 200, { replayed: true })
    assert.isUndefined(
      seen.asks("dana", "POST", path, { reason: "Wait.", requestId: "1" }).answers("dana", 200, {}).violation
    )
  })

  it("Success of another body or target under a used request id is a violation", () => {
    assert.include(asked(paused(), "1", "Stop.").answers("dana", 200, {}).violation, "another request")
    const elsewhere = asked(paused(), "1", "Wait.", "/api/workspace/projects/delivery_2/pause")
    assert.include(elsewhere.answers("dana", 200, {}).violation, "another request")
  })

  it("A refusal of another request, a reuse after a refusal, and the same request id of another caller are allowed", () => {
    assert.isUndefined(asked(paused(), "1", "Stop.").answers("dana", 409, {}).violation)
    assert.isUndefined(asked(world().answers("dana", 409, {}), "1", "Stop.").answers("dana", 200, {}).violation)
    assert.isUndefined(
      paused().asks("kim", "POST", path, { requestId: "1", reason: "Stop." }).answers("kim", 200, {}).violation
    )
  })

  it("Success of another request under the id of a committed request without a response is a violation", () => {
    const seen = world().commits("dana", put(Projects, { projectId: "delivery_1" }))
    assert.include(asked(seen, "1", "Stop.").answers("dana", 200, {}).violation, "another request")
  })
})
