import { assert, describe, it } from "@effect/vitest"
import { Issuances } from "../../../src/projects/store.ts"
import { aWishIsLookedAt } from "../../../simulator/invariants/a-wish-is-looked-at.ts"
import type { Json } from "../../../simulator/script/json.ts"
import { MadeUp, put } from "../support/made-up.ts"

const wish = put(Issuances, { projectId: "delivery_1", status: "PENDING", continuation: null, leaseToken: "" })

const act = (seen: MadeUp, operation: string, input: Json = {}) =>
  seen.observes({ kind: "act", actor: "operator", operation, on: undefined, input })
const answer = (seen: MadeUp) => seen.observes({ kind: "answer", actor: "operator", refused: undefined, body: {} })
const world = () => new MadeUp(aWishIsLookedAt).holds(wish)
const passing = (seen: MadeUp) => act(seen, "issueDueRecords")

describe("a wish for a record is looked at", () => {
  it("is broken where a pass of a worker leaves it as it was", () => {
    assert.include(answer(passing(world())).broken, "did not come to it")
  })

  it("holds where something became of it, or somebody else is at it", () => {
    const became = (row: object) => put(Issuances, { projectId: "delivery_1", ...row })
    assert.isUndefined(answer(passing(world()).commits("operator", became({ status: "ISSUED" }))).broken)
    assert.isUndefined(
      answer(passing(world()).commits("operator", became({ continuation: "WAITING_COVERAGE" }))).broken
    )
    assert.isUndefined(answer(passing(world().holds(became({ leaseToken: "1" })))).broken)
  })

  it("asks nothing of a pass that the store fails, or that has no key", () => {
    const fault = { kind: "fault", actor: "operator", fault: "57014", where: "begin", what: [] } as const
    assert.isUndefined(answer(passing(world()).observes(fault)).broken)
    assert.isUndefined(answer(passing(answer(act(world(), "setKeys", { purposes: ["EVENT"] })))).broken)
  })
})
