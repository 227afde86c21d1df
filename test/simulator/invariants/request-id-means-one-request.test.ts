import { assert, describe, it } from "@effect/vitest"
import { Projects } from "../../../src/projects/store.ts"
import { requestIdMeansOneRequest } from "../../../simulator/invariants/request-id-means-one-request.ts"
import { MadeUp, put } from "../support/made-up.ts"

const path = "/api/workspace/projects/delivery_1/pause"

const asked = (seen: MadeUp, requestId: string, reason: string, on = path) =>
  seen.asks("dana", "POST", on, { requestId, reason })

const world = () =>
  asked(new MadeUp(requestIdMeansOneRequest).person("dana", "person_dana").person("kim", "person_kim"), "1", "Wait.")

const paused = () => world().answers("dana", 200, {})

describe("a request id means one request", () => {
  it("holds where the same is sent again, whatever the order of its members", () => {
    const seen = asked(paused(), "1", "Wait.").answers("dana", 200, { replayed: true })
    assert.isUndefined(
      seen.asks("dana", "POST", path, { reason: "Wait.", requestId: "1" }).answers("dana", 200, {}).broken
    )
  })

  it("is broken where another body or another target is let through under it", () => {
    assert.include(asked(paused(), "1", "Stop.").answers("dana", 200, {}).broken, "another request")
    const elsewhere = asked(paused(), "1", "Wait.", "/api/workspace/projects/delivery_2/pause")
    assert.include(elsewhere.answers("dana", 200, {}).broken, "another request")
  })

  it("holds where another one is refused, where the first was, and where somebody else uses the id", () => {
    assert.isUndefined(asked(paused(), "1", "Stop.").answers("dana", 409, {}).broken)
    assert.isUndefined(asked(world().answers("dana", 409, {}), "1", "Stop.").answers("dana", 200, {}).broken)
    assert.isUndefined(
      paused().asks("kim", "POST", path, { requestId: "1", reason: "Stop." }).answers("kim", 200, {}).broken
    )
  })

  it("is broken though nobody was answered after the first had its effect", () => {
    const seen = world().commits("dana", put(Projects, { projectId: "delivery_1" }))
    assert.include(asked(seen, "1", "Stop.").answers("dana", 200, {}).broken, "another request")
  })
})
