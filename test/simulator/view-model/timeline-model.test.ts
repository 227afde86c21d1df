/** The model of a timeline: lanes, exchanges, webhook attempts and pauses. */
import * as fs from "node:fs"
import { assert, describe, it } from "vitest"
import { readTrace } from "../../../simulator/observation/trace.ts"
import { goldenFiles } from "../../../simulator/scenario/files.ts"
import { modelOf, type TimelineModel } from "../../../simulator/view-model/timeline-model.ts"
import type { JsonObject } from "../../../simulator/vocabulary/json.ts"
import { longRun, runOf } from "../../support/timeline-run.ts"

const scenario = (name: string): TimelineModel => {
  const { trace } = goldenFiles(`scenarios/${name}/scenario.yaml`)
  return modelOf({ ...runOf(), lines: readTrace(fs.readFileSync(trace, "utf8")) })
}

describe("lanes of a timeline", () => {
  it("The lanes are the parties of the run, ordered from callers to receivers", () => {
    assert.deepStrictEqual(
      scenario("webhooks/retries-until-acknowledged").lanes.map(({ name, is }) => `${name}: ${is}`),
      [
        "operator: operator",
        "dana: person",
        "sam: person",
        "scout: agent",
        "service: service",
        "worker: worker",
        "hooks: receiver"
      ]
    )
  })

  it("A request points from its caller to the service, its commit is in the lane of the service, and its answer points back", () => {
    const { events, lanes } = modelOf(
      runOf(
        { kind: "step", actor: "scout", operation: "submit", step: 1 },
        { kind: "request", actor: "scout", method: "POST", path: "/api/agents/v1/x", lost: false },
        { kind: "commit", actor: "scout", writes: [] },
        { kind: "response", actor: "scout", status: 409, body: { error: "STALE_EVENT_HEAD" }, lost: false },
        { kind: "request", actor: "scout", method: "GET", path: "/api/agents/v1/y", lost: true },
        { kind: "commit", actor: "scout", writes: [] }
      )
    )
    const name = (lane: number | undefined) => lanes[lane ?? -1]?.name
    assert.deepStrictEqual(
      events.map(({ lane, to, exchange, tone, text }) => [name(lane), name(to), exchange, tone, text]),
      [
        ["scout", undefined, undefined, undefined, "step 1 scout submit"],
        ["scout", "service", 1, undefined, "submit POST /api/agents/v1/x"],
        ["service", undefined, 1, undefined, "commit"],
        ["service", "scout", 1, "refused", "409 STALE_EVENT_HEAD to submit"],
        ["scout", undefined, 4, "fault", "submit GET /api/agents/v1/y (the request is lost)"],
        ["scout", undefined, undefined, undefined, "commit"]
      ]
    )
  })
})

describe("events of a timeline", () => {
  it("A trace line of an unknown kind is shown with its members, in the lane of its actor", () => {
    const { events, lanes } = modelOf(runOf({ kind: "eclipse", actor: "moon", covers: ["sun"] }, { kind: "rain" }, {}))
    assert.deepStrictEqual(lanes, [{ name: "moon", is: "visitor" }])
    assert.deepStrictEqual(
      events.map(({ kind, lane, text }) => [kind, lane, text]),
      [
        ["eclipse", 0, "eclipse covers: sun"],
        ["rain", undefined, "rain"],
        ["unknown", undefined, "unknown"]
      ]
    )
  })

  it.each([
    [{ kind: "fault", actor: "scout", fault: "40001", where: "commit", what: ["projects"] }, "fault"],
    [{ kind: "unconnected", actor: "worker", receiver: "hooks", why: "REFUSED" }, "fault"],
    [{ kind: "process", process: "service", did: "CRASHED" }, "fault"],
    [{ kind: "process", process: "service", did: "STARTED" }, undefined],
    [{ kind: "choice", options: ["dana", "scout"], chosen: "scout" }, undefined],
    [{ kind: "answer", actor: "dana", refused: "FORBIDDEN", body: null }, "refused"],
    [{ kind: "reply", actor: "worker", receiver: "hooks", delivery: "whd_1", answer: "LOST" }, "fault"],
    [{ kind: "lookup", actor: "worker", host: "a.example", answers: "NXDOMAIN" }, "fault"],
    [{ kind: "letter", to: "dana", subject: "s", text: "t", server: "SILENT" }, "fault"],
    [{ kind: "expectation", step: 1, differences: [{ path: "status", expected: 1, actual: 2 }] }, "failed"],
    [{ kind: "verdict", verdict: "UNUSABLE", steps: 0, reason: "why" }, "failed"]
  ] as const)("The trace line %o has the tone %s", (line, tone) => {
    assert.strictEqual(modelOf(runOf(line as JsonObject)).events[0]?.tone, tone)
  })

  it("Each attempt of a webhook is linked to the previous one, to its reply and to its commits", () => {
    const { events } = scenario("webhooks/retries-until-acknowledged")
    const sends = events.flatMap((event, index) => (event.kind === "callback" ? [{ ...event, index }] : []))
    assert.deepStrictEqual(
      sends.map(({ attempt, earlier }) => [attempt, sends.find(({ index }) => index === earlier)?.attempt]),
      [
        [1, undefined],
        [2, 1],
        [3, 2],
        [4, 3],
        [5, 4],
        [6, 5]
      ]
    )
    const third = events.filter(({ exchange }) => exchange === sends[2]!.exchange).map(({ kind }) => kind)
    assert.deepStrictEqual(third, ["commit", "callback", "received", "hangup", "commit"])
  })

  it("A pause of agents extends from its commit to the commit that resumes them", () => {
    const { events, pauses } = scenario("stop-controls/pause-holds-issuance")
    const ends = pauses.map(({ from, to, reason }) => [events[from]?.kind, events[to]?.kind, reason])
    assert.deepStrictEqual(ends[0], ["commit", "commit", "The studio reads its invoice once more."])
    const [first] = pauses
    assert.match(events[first!.from]?.pause ?? "", /^agents paused: delivery_.*, The studio reads/)
    assert.match(events[first!.to]?.pause ?? "", /^agents resumed: delivery_/)
  })

  it("A pause is derived from a changed row, and stale answers are ignored", () => {
    const automation = (paused: boolean, revision: number) => ({
      projectId: "delivery_1",
      automation: { paused, revision }
    })
    const { pauses } = modelOf(
      runOf(
        {
          kind: "commit",
          actor: "dana",
          writes: [],
          changes: [
            {
              table: "projects",
              key: ["delivery_1"],
              before: null,
              after: { pauses: [{ reason: "r" }], automationRevision: 1 }
            }
          ]
        },
        { kind: "response", actor: "scout", status: 200, body: automation(false, 0) },
        { kind: "response", actor: "scout", status: 200, body: automation(false, 2) },
        { kind: "response", actor: "dana", status: 200, body: automation(true, 3) }
      )
    )
    assert.deepStrictEqual(pauses, [
      { on: "delivery_1", from: 0, to: 2, reason: "r" },
      { on: "delivery_1", from: 3, to: 4 }
    ])
  })

  it("The narration of the script is shown at its steps", () => {
    assert.include(modelOf(longRun(1)).events[3]?.say, `Dana begins. </script>`)
  })
})
