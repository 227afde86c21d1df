import { assert, describe, it } from "vitest"
import type { Instant } from "../../../src/vocabulary/instant.ts"
import type { TimedObservation } from "../../../simulator/observation/observation.ts"
import type { Json, JsonObject } from "../../../simulator/vocabulary/json.ts"
import { firstDifference, lineOfDifference, readTrace, renderTrace } from "../../../simulator/observation/trace.ts"

const at = "2026-01-05T09:00:00.000Z" as Instant
const scenario: TimedObservation = { kind: "scenario", title: "t", seed: 1, at }
const response = (body: Json): TimedObservation => ({
  kind: "response",
  actor: "scout",
  status: 200,
  body,
  lost: false,
  at
})

const trace = (...observations: ReadonlyArray<TimedObservation>) => renderTrace(observations, (text) => text)

describe("traces", () => {
  it("A trace begins with its format and has one canonical line for each observation", () => {
    assert.strictEqual(
      trace(scenario, response({ b: 1, a: 2 })),
      `{"at":"${at}","format":"countersign.trace/v1","kind":"scenario","seed":1,"title":"t"}\n` +
        `{"actor":"scout","at":"${at}","body":{"a":2,"b":1},"kind":"response","lost":false,"status":200}\n`
    )
  })

  describe("first difference", () => {
    const one = trace(scenario, response({ same: 1, gone: 2, changed: 3, list: [1] }))

    it("Byte-identical traces have no difference", () => assert.isUndefined(firstDifference(one, one)))

    it("The first different line is reported member by member after the common lines", () => {
      const other = trace(scenario, response({ same: 1, changed: 4, fresh: "new", list: [1, { deep: true }] }))
      assert.strictEqual(
        firstDifference(one, other, ["committed", "now"]),
        [
          "the traces differ from line 2 of 2 and 2",
          `             scenario at ${at}`,
          `  committed: response scout 200 at ${at}`,
          `  now:       response scout 200 at ${at}`,
          "    body.changed: 3 and 4",
          "    body.gone: 2 and nothing",
          '    body.list.1: nothing and {"deep":true}',
          '    body.fresh: nothing and "new"'
        ].join("\n")
      )
    })

    it("A difference is reported after at most two common lines", () => {
      const told = firstDifference(trace(scenario, response(1), response(2), response(3)), trace(scenario, response(1)))
      const same = trace(scenario, response(1), response(2))
      assert.strictEqual(told!.split("\n").filter((line) => line.startsWith("         ")).length, 2)
      assert.strictEqual(firstDifference(same, same + "{}\n")!.split("\n").length, 1 + 2 + 2)
    })

    it("The end of one trace is a difference", () => {
      const told = ["the traces differ from line 2 of 2 and 1", `         scenario at ${at}`]
      const sides = [`  one:   response scout 200 at ${at}`, "  other: the end"]
      assert.strictEqual(firstDifference(one, trace(scenario)), [...told, ...sides].join("\n"))
      assert.strictEqual(lineOfDifference(one, trace(scenario)), 1)
      assert.strictEqual(lineOfDifference(trace(scenario), one), 1)
      assert.strictEqual(firstDifference("", one)?.split("\n").length, 3)
    })

    it("Events of different kinds are reported by their names only", () => {
      const wrote: TimedObservation = {
        kind: "commit",
        actor: "scout",
        writes: [{ change: "insert", table: "grants", key: ["one"] }],
        at
      }
      const told = firstDifference(one, trace(scenario, wrote))
      assert.include(told, `\n  other: commit scout insert grants at ${at}`)
      assert.notInclude(told, "body")
    })

    it("A difference inside a long text is reported with an excerpt", () => {
      const long = (end: string) => trace(response({ text: `${"a".repeat(5000)}${end}${"b".repeat(5000)}` }))
      const told = firstDifference(long("here"), long("there"))!
      assert.include(told, "aaahere")
      assert.include(told, "aaathere")
      assert.isBelow(told.length, 600)
    })

    it("A difference in more than 20 members is reported with their number", () => {
      const many = (value: number) => trace(response(Array.from({ length: 50 }, () => value)))
      assert.include(firstDifference(many(1), many(2)), "    body.19: 1 and 2\n    and 30 more")
    })

    it("A line that is not JSON is reported as it is", () => {
      const told = firstDifference(one.replace('{"actor"', '<<<<<<< ours\n{"actor"'), one)
      assert.include(told, '  one:   "<<<<<<< ours"')
    })
  })

  describe("project events", () => {
    const [created, answered] = [
      { hash: "h1", kind: "CREATE" },
      { hash: "h2", kind: "RESPOND" }
    ]
    const view = (...events: ReadonlyArray<Json>) => response({ project: { taskId: "one", events } })
    const bodiesOf = (lines: ReadonlyArray<JsonObject>) => lines.map((line) => line["body"])
    const text = trace(view(created), view(created, answered), view(created, answered))

    it("A repeated project event is written as its hash", () => {
      const lines = text.trimEnd().split("\n")
      assert.deepStrictEqual(
        bodiesOf(lines.map((line) => JSON.parse(line) as JsonObject)),
        [[created], ["h1", answered], ["h1", "h2"]].map((events) => ({ project: { taskId: "one", events } }))
      )
    })

    it("Reading a trace expands the hashes of project events", () => {
      const whole = [[created], [created, answered], [created, answered]]
      assert.deepStrictEqual(
        bodiesOf(readTrace(text)),
        whole.map((events) => ({ project: { taskId: "one", events } }))
      )
    })

    it("A project event that differs from its first occurrence is written in full", () => {
      const changed = { ...created, kind: "OTHER" }
      assert.include(trace(view(created), view(changed)), `"events":[{"hash":"h1","kind":"OTHER"}]`)
    })
  })
})
