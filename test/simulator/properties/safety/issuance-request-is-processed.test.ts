import { assert, describe, it } from "@effect/vitest"
import { Issuances } from "../../../../src/projects/store.ts"
import { issuanceRequestIsProcessed } from "../../../../simulator/properties/safety/issuance-request-is-processed.ts"
import type { Json } from "../../../../simulator/vocabulary/json.ts"
import { SyntheticRun, put } from "../../support/synthetic-run.ts"

const request = put(Issuances, { projectId: "delivery_1", status: "PENDING", continuation: null, leaseToken: "" })

const act = (seen: SyntheticRun, operation: string, input: Json = {}) =>
  seen.observes({ kind: "act", actor: "operator", operation, on: undefined, input })
const answer = (seen: SyntheticRun) =>
  seen.observes({ kind: "answer", actor: "operator", refused: undefined, body: {} })
const world = () => new SyntheticRun(issuanceRequestIsProcessed).holds(request)
const pass = (seen: SyntheticRun) => act(seen, "issueDueRecords")

describe("issuance request is processed", () => {
  it("A worker's pass that leaves an issuance request unprocessed is a violation", () => {
    assert.include(answer(pass(world())).violation, "unprocessed")
  })

  it("An issuance request that has a result or is leased may be skipped", () => {
    const withState = (row: object) => put(Issuances, { projectId: "delivery_1", ...row })
    assert.isUndefined(answer(pass(world()).commits("operator", withState({ status: "ISSUED" }))).violation)
    assert.isUndefined(
      answer(pass(world()).commits("operator", withState({ continuation: "WAITING_COVERAGE" }))).violation
    )
    assert.isUndefined(answer(pass(world().holds(withState({ leaseToken: "1" })))).violation)
  })

  it("A pass with a storage failure or without a key may leave issuance requests unprocessed", () => {
    const fault = { kind: "fault", actor: "operator", fault: "57014", where: "begin", what: [] } as const
    assert.isUndefined(answer(pass(world()).observes(fault)).violation)
    assert.isUndefined(answer(pass(answer(act(world(), "setKeys", { purposes: ["EVENT"] })))).violation)
  })
})
