/** The events of a session: the same texts and tones in the page, in timelines and in the terminal. */
import { readFileSync } from "node:fs"
import { Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { readTrace } from "../../../simulator/observation/trace.ts"
import { readScript } from "../../../simulator/scenario/files.ts"
import { Stepper } from "../../../simulator/serve/terminal/stepper.ts"
import { changedColumns, changeOf } from "../../../simulator/view-model/row-changes.js"
import { requestParts, responseParts } from "../../../simulator/view-model/message-parts.js"
import { instantText } from "../../../simulator/view-model/instant-text.js"
import { eventsOf, type SessionEvent, SessionEvents } from "../../../simulator/view-model/session-events.ts"
import { modelOf, type TimelineModel } from "../../../simulator/view-model/timeline-model.ts"
import { toneText } from "../../../simulator/view-model/tone-text.js"
import { readGoldenTraces } from "../../support/golden-traces.ts"
import { TestServer } from "../../support/simulator-server.ts"
import { runOf } from "../../support/timeline-run.ts"

const textsOf = (events: ReadonlyArray<SessionEvent>) =>
  events.map(({ at, kind, actor, text, tone, step }) => ({ at, kind, actor, text, tone, step }))

describe("events of a session", () => {
  it("The event of a trace line depends on earlier lines only, in every golden trace", () => {
    for (const lines of readGoldenTraces()) {
      const { events } = modelOf({ ...runOf(), lines })
      const fold = new SessionEvents()
      for (const [index, line] of lines.entries()) {
        const { lane: _, to: _to, say: _say, pause: _pause, ...event } = events[index]!
        assert.deepStrictEqual(fold.add(line), event)
      }
      assert.strictEqual(fold.all.length, events.length)
    }
  })

  it("A response belongs to the last request of its actor, of its own step if several run", () => {
    const request = { kind: "request", actor: "scout", method: "GET", path: "/x", lost: false }
    const response = { kind: "response", actor: "scout", status: 200, lost: false }
    const lines = [
      { ...request, step: 1 },
      { ...request, step: 2 },
      { ...response, step: 1 },
      { kind: "commit", actor: "scout", writes: [] },
      { ...response, step: 2 },
      { kind: "commit", actor: "scout", writes: [] }
    ]
    assert.deepStrictEqual(
      eventsOf(runOf(...lines).lines).map(({ exchange }) => exchange),
      [0, 1, 0, 1, 1, undefined]
    )
  })
})

describe("views of a session", () => {
  let server: TestServer
  beforeAll(async () => void (server = await TestServer.start()))
  afterAll(() => server.stop())

  it.each(["webhooks/retries-until-acknowledged", "faults/worker-crash", "agents/revocation"])(
    "The page, the timeline and the terminal show the same text and tone for every event of %s",
    async (name) => {
      const file = `scenarios/${name}/scenario.yaml`
      const text = readFileSync(file, "utf8")
      const { id } = (await server.ask("POST", "/sim/worlds", { scenario: text, play: true })).body
      const { events } = (await server.control("GET", "/events", undefined, id)).body
      assert.deepStrictEqual(
        events,
        eventsOf(readTrace((await server.control("GET", "/trace", undefined, id)).text)),
        "the page"
      )
      const html = (await server.control("GET", "/timeline", undefined, id)).text
      const [, embedded] = /<script type="application\/json" id="model-0">([^<]*)</.exec(html)!
      assert.deepStrictEqual(textsOf((JSON.parse(embedded!) as TimelineModel).events), textsOf(events), "the timeline")

      const stepper = new Stepper(Result.getOrThrow(readScript(file)), { file, text })
      const terminal: Array<string> = []
      while (!stepper.answer("next")[0]!.includes("no next step")) terminal.push(...stepper.answer("show events"))
      const steps = textsOf(events.slice(-terminal.length))
      assert.deepStrictEqual(
        terminal.map((line) => line.replaceAll(/ +/g, " ").trim()),
        steps.map((event) => {
          const tone = toneText(event)
          const words = [instantText(event.at), event.actor ?? "", event.text, tone === "" ? "" : `[${tone}]`]
          return words.join(" ").replaceAll(/ +/g, " ").trim()
        }),
        "the terminal"
      )
      assert.strictEqual(steps[0]?.kind, "step")
      assert.isTrue(steps.some(({ tone }) => tone === "refused" || tone === "fault"))
    }
  )
})

describe("parts of a message", () => {
  const noneOf = { note: undefined, loss: undefined }

  it("A request has its heading, token, loss, headers and body", () => {
    const request = { kind: "request", actor: "scout", method: "GET", path: "/x", with: "courier", lost: true }
    assert.deepStrictEqual(requestParts({ ...request, headers: { accept: "text/html" } }), {
      title: "Request",
      heading: "GET /x",
      note: "with the token of courier",
      loss: "The request is lost.",
      contents: [
        { name: "headers", value: { accept: "text/html" } },
        { name: "body", value: undefined }
      ]
    })
    assert.deepStrictEqual(requestParts({ kind: "act", actor: "dana", operation: "signIn", input: {} }), {
      ...noneOf,
      title: "Act without a request",
      heading: "signIn",
      contents: [{ name: "input", value: {} }]
    })
    assert.isUndefined(requestParts({ kind: "constructor" }))
  })

  it("A response has its status, refusal or result, and its loss", () => {
    const headings = [
      { kind: "response", status: 409 },
      { kind: "answer", refused: "FORBIDDEN" },
      { kind: "answer" },
      { kind: "reply", answer: "LOST" },
      { kind: "received", made: "ACCEPTED" },
      { kind: "hangup" }
    ].map((line) => responseParts(line)?.heading)
    assert.deepStrictEqual(headings, ["409", "FORBIDDEN", "done", "LOST", "ACCEPTED", "hangup"])
    assert.strictEqual(responseParts({ kind: "response", status: 200, lost: true })?.loss, "The response is lost.")
    assert.isUndefined(responseParts({ kind: "commit" }))
  })
})

describe("changes of rows", () => {
  it("A changed row has the columns that differ, an inserted or removed one all of its columns", () => {
    const [before, after] = [
      { state: "LOCKED", tags: ["a"], gone: 1, note: null },
      { state: "DONE", tags: ["a"], note: null }
    ]
    assert.deepStrictEqual(changedColumns({ before, after }), [
      ["state", "LOCKED", "DONE"],
      ["gone", 1, undefined]
    ])
    assert.deepStrictEqual(changedColumns({ before: null, after: { note: null } }), [["note", undefined, null]])
    assert.deepStrictEqual(
      [
        { before: null, after },
        { before, after },
        { before, after: null }
      ].map(changeOf),
      ["insert", "update", "remove"]
    )
  })
})
