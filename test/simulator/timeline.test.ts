/** A run as a page: what stands in which lane, what belongs together, and that no text of a run is ever markup. */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "vitest"
import { rowsOf, spanWords } from "../../simulator/timeline/client/rows.js"
import { modelOf, type TimelineModel } from "../../simulator/timeline/model.ts"
import { renderTimeline } from "../../simulator/timeline/page.ts"
import type { TimelineRun } from "../../simulator/timeline/run.ts"
import { readTrace } from "../../simulator/trace.ts"
import type { JsonObject } from "../../simulator/script/json.ts"
import { longRun } from "../support/timeline-run.ts"

const at = "2026-01-05T09:00:00.000Z"

const runOf = (...lines: ReadonlyArray<JsonObject>): TimelineRun => ({
  title: "A run",
  file: "a-run.yaml",
  seed: 1,
  verdict: "PASSED",
  lines: lines.map((line) => ({ at, ...line }))
})

const scenario = (name: string): TimelineModel => {
  const folder = path.resolve(import.meta.dirname, "../../scenarios")
  const file = fs.readdirSync(folder).find((one) => one.startsWith(name) && one.endsWith(".trace.ndjson"))
  return modelOf({ ...runOf(), lines: readTrace(fs.readFileSync(path.join(folder, file!), "utf8")) })
}

const elementsOf = (page: string, type: string): ReadonlyArray<string> =>
  [...page.matchAll(new RegExp(`<script type="${type}"[^>]*>([^<]*)</script>`, "g"))].map(([, text]) => text!)

describe("the page of a run", () => {
  const run = longRun(30)
  const page = renderTimeline([run])

  it("is the same to the byte each time", () => assert.strictEqual(renderTimeline([longRun(30)]), page))

  it("holds every line of the trace unchanged, and none of its texts as markup", () => {
    const [lines] = elementsOf(page, "application/x-ndjson")
    assert.deepStrictEqual(
      lines!.split("\n").map((line) => JSON.parse(line) as unknown),
      [...run.lines]
    )
    assert.deepStrictEqual(JSON.parse(elementsOf(page, "application/json")[0]!), modelOf(run))
    for (const markup of [`<script>document`, "<img", "<!--<"]) assert.notInclude(page, markup)
    assert.include(page, "&#60;/script&#62;")
  })

  it("loads nothing, and runs only the script and the style whose digests it names", () => {
    const [, policy] = /Content-Security-Policy" content="([^"]+)"/.exec(page)!
    const digest = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`
    const [, script] = /<script>([^]*?)<\/script>/.exec(page)!
    const [, style] = /<style>([^]*?)<\/style>/.exec(page)!
    assert.deepStrictEqual(policy!.split("; "), [
      "default-src 'none'",
      `script-src ${digest(script!)}`,
      `style-src ${digest(style!)}`,
      "base-uri 'none'",
      "form-action 'none'"
    ])
    assert.notMatch(page, /<link|<iframe|\ssrc="|\sstyle="|\son[a-z]+="|url\(|@import/)
  })

  it("says what became of each of several runs before any script runs", () => {
    const failed = {
      ...runOf({ kind: "verdict", verdict: "FAILED", steps: 3 }),
      verdict: "FAILED",
      say: "It goes wrong."
    }
    const both = renderTimeline([run, failed])
    const [front] = /<nav[^]*<\/nav>/.exec(both)!
    for (const words of [
      "2 runs, 1 passed",
      "1 event, 0 refusals, 0 faults, 1 failure",
      "A run",
      "FAILED",
      "It goes wrong.",
      "<noscript>"
    ])
      assert.include(front, words)
    assert.strictEqual(elementsOf(both, "application/json").length, 2)
  })
})

describe("the lanes of a run", () => {
  it("are the parties that it names, from those who ask to those whom the service calls", () => {
    assert.deepStrictEqual(
      scenario("61").lanes.map(({ name, is }) => `${name}: ${is}`),
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

  it("hold a request from who asks to the service, its commit at the service, and the answer on the way back", () => {
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

describe("what a run tells", () => {
  it("shows kinds that are not known, in the lane of whoever did it, with all that they say", () => {
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
  ] as const)("marks %o as %s", (line, tone) => {
    assert.strictEqual(modelOf(runOf(line as JsonObject)).events[0]?.tone, tone)
  })

  it("links each attempt of a callback to the one before, and to its reply and its commits", () => {
    const { events } = scenario("61")
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

  it("has a span for each pause of agents, from the commit that began it to the one that ended it", () => {
    const { events, pauses } = scenario("17")
    const ends = pauses.map(({ from, to, reason }) => [events[from]?.kind, events[to]?.kind, reason])
    assert.deepStrictEqual(ends[0], ["commit", "commit", "The studio reads its invoice once more."])
    const [first] = pauses
    assert.match(events[first!.from]?.pause ?? "", /^agents stand still: delivery_.*, The studio reads/)
    assert.match(events[first!.to]?.pause ?? "", /^agents go on: delivery_/)
  })

  it("learns of a pause from a changed row too, and of none from an answer that is older", () => {
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

  it("puts the words of the script at its steps", () => {
    assert.include(modelOf(longRun(1)).events[3]?.say, `Dana begins. </script>`)
  })
})

describe("the rows of a timeline", () => {
  const events = [at, at, "2026-01-19T12:00:00.000Z", "2026-01-19T12:00:00.001Z", "2026-01-19T12:00:00.000Z"].map(
    (moment) => ({ at: moment })
  )

  it("have one for each jump of virtual time, between the events that are looked for", () => {
    assert.deepStrictEqual(
      rowsOf(events, () => true).map(({ event, gap }) => (gap === undefined ? event : spanWords(gap))),
      [0, 1, "14d 3h", 2, "1ms", 3, 4]
    )
    assert.deepStrictEqual(
      rowsOf(events, (event) => event !== 2).map(({ event, gap }) => (gap === undefined ? event : spanWords(gap))),
      [0, 1, "14d 3h 1ms", 3, 4]
    )
  })
})
