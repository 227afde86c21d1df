import { assert, describe, it } from "vitest"
import type { Instant } from "../../src/vocabulary/instant.ts"
import type { Observed } from "../../simulator/observation.ts"
import { firstDifference, renderTrace } from "../../simulator/trace.ts"

const at = "2026-01-05T09:00:00.000Z" as Instant
const scenario: Observed = { kind: "scenario", title: "t", seed: 1, at }
const response = (body: { readonly [member: string]: string | number }): Observed => ({
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
})
