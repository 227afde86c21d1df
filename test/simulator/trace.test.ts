import { assert, describe, it } from "vitest"
import type { Instant } from "../../src/vocabulary/instant.ts"
import type { Observed } from "../../simulator/observation.ts"
import type { Json, JsonObject } from "../../simulator/script/json.ts"
import { firstDifference, readTrace, renderTrace } from "../../simulator/trace.ts"

const at = "2026-01-05T09:00:00.000Z" as Instant
const scenario: Observed = { kind: "scenario", title: "t", seed: 1, at }
const response = (body: Json): Observed => ({
  kind: "response",
  actor: "scout",
  status: 200,
  body,
  lost: false,
  at
})

const trace = (...observations: ReadonlyArray<Observed>) => renderTrace(observations, (text) => text)

describe("a trace", () => {
  it("begins with its format and has one canonical line for each observation", () => {
    assert.strictEqual(
      trace(scenario, response({ b: 1, a: 2 })),
      `{"at":"${at}","format":"countersign.trace/v1","kind":"scenario","seed":1,"title":"t"}\n` +
        `{"actor":"scout","at":"${at}","body":{"a":2,"b":1},"kind":"response","lost":false,"status":200}\n`
    )
  })

  it("parts from another at the first line, which is told member by member", () => {
    const one = trace(scenario, response({ same: 1, gone: 2, changed: 3 }))
    assert.isUndefined(firstDifference(one, one))
    assert.strictEqual(
      firstDifference(one, trace(scenario, response({ same: 1, changed: 4, fresh: "new" }))),
      [
        "the traces part at line 2 of 2 and 2: response scout 200, response scout 200",
        "  body.changed: 3 and 4",
        "  body.gone: 2 and nothing",
        '  body.fresh: nothing and "new"'
      ].join("\n")
    )
    assert.strictEqual(
      firstDifference(one, trace(scenario)),
      "the traces part at line 2 of 2 and 1: response scout 200, the end"
    )
  })

  describe("shows an event of a project whole once", () => {
    const [created, answered] = [
      { hash: "h1", kind: "CREATE" },
      { hash: "h2", kind: "RESPOND" }
    ]
    const view = (...events: ReadonlyArray<Json>) => response({ project: { taskId: "one", events } })
    const bodiesOf = (lines: ReadonlyArray<JsonObject>) => lines.map((line) => line["body"])
    const text = trace(view(created), view(created, answered), view(created, answered))

    it("and its hash wherever an answer shows it again", () => {
      const lines = text.trimEnd().split("\n")
      assert.deepStrictEqual(
        bodiesOf(lines.map((line) => JSON.parse(line) as JsonObject)),
        [[created], ["h1", answered], ["h1", "h2"]].map((events) => ({ project: { taskId: "one", events } }))
      )
    })

    it("so that a reader has every event again", () => {
      const whole = [[created], [created, answered], [created, answered]]
      assert.deepStrictEqual(
        bodiesOf(readTrace(text)),
        whole.map((events) => ({ project: { taskId: "one", events } }))
      )
    })

    it("unless it is shown otherwise than before", () => {
      const changed = { ...created, kind: "OTHER" }
      assert.include(trace(view(created), view(changed)), `"events":[{"hash":"h1","kind":"OTHER"}]`)
    })
  })
})
