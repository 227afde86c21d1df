/** Coverage of traces, tested with small hand-written traces. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Result } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { runSimulate } from "../../support/run-simulator.ts"
import { callsIn } from "../../../simulator/coverage/calls-in-trace.ts"
import { committedLines } from "../../../simulator/coverage/committed-traces.ts"
import { readExceptions, type Exception } from "../../../simulator/coverage/exceptions.ts"
import type { CoveragePoint } from "../../../simulator/coverage/point.ts"
import { coveredPointsIn } from "../../../simulator/coverage/points.ts"
import { renderCoverage } from "../../../simulator/coverage/render.ts"
import { percentOf, surveyCoverage } from "../../../simulator/coverage/coverage-survey.ts"
import { readScript } from "../../../simulator/scenario/files.ts"
import type { JsonObject } from "../../../simulator/vocabulary/json.ts"

const proposal = "proposal_00000000-0000-4000-8000-000000000000"
const job = "job_00000000-0000-4000-8000-000000000000"

const request = (actor: string, method: string, path: string, more: JsonObject = {}): JsonObject => ({
  kind: "request",
  actor,
  method,
  path,
  lost: false,
  ...more
})

const response = (actor: string, status: number, body: JsonObject = {}): JsonObject => ({
  kind: "response",
  actor,
  status,
  body,
  lost: false
})

const readsProposal = (actor: string, state: string): ReadonlyArray<JsonObject> => [
  request(actor, "GET", `/api/agents/v1/proposals/${proposal}`),
  response(actor, 200, { proposal: { id: proposal, state } })
]

const dana: JsonObject = { kind: "given", name: "dana", is: "person", answer: { personId: "person_dana" } }

const tokenIssued: ReadonlyArray<JsonObject> = [
  request("dana", "POST", "/api/workspace/grants", { body: { agentName: "scout", role: "BUYER" } }),
  response("dana", 201, { agentId: "agent_scout" })
]

const namesIn = (section: CoveragePoint["section"], lines: ReadonlyArray<JsonObject>): ReadonlyArray<string> => [
  ...new Set(coveredPointsIn(lines).flatMap((touch) => (touch.section === section ? touch.name : [])))
]

describe("calls in a trace", () => {
  it("A call is attributed to a person, to an agent once it has a token, or else to a visitor", () => {
    const me = [request("scout", "GET", "/api/agents/v1/me"), response("scout", 200)]
    const clerk = { kind: "given", name: "clerk", is: "agent of dana", answer: {} }
    const clerks = [request("clerk", "GET", "/api/agents/v1/me"), response("clerk", 200)]
    const calls = callsIn([dana, clerk, ...me, ...tokenIssued, ...me, ...clerks])
    assert.deepStrictEqual(
      calls.map(({ by, operation }) => `${by} ${operation}`),
      ["visitor me", "person createGrant", "agent me", "agent me"]
    )
  })

  it("The outcome of a call is its refusal code, or its status if there is none; a lost request is no call", () => {
    const calls = callsIn([
      request("iris", "GET", "/api/agents/v1/me"),
      response("iris", 401, { error: "AUTH_INVALID" }),
      request("iris", "GET", "/api/nowhere"),
      { ...response("iris", 404), body: "<html>" },
      request("iris", "GET", "/api/agents/v1/me", { lost: true })
    ])
    assert.deepStrictEqual(
      calls.map(({ operation, outcome }) => [operation, outcome]),
      [
        ["me", "AUTH_INVALID"],
        [undefined, "404"]
      ]
    )
  })

  it("A command is attributed to the state of its target", () => {
    const publishes = request("scout", "POST", `/api/agents/v1/proposals/${proposal}/publish`)
    const lines = [
      dana,
      ...tokenIssued,
      ...readsProposal("scout", "DRAFT"),
      publishes,
      response("scout", 200, { proposal: { id: proposal, state: "PUBLISHED" } }),
      publishes,
      response("scout", 409, { error: "STATE_CONFLICT" })
    ]
    assert.deepStrictEqual(namesIn("attempts", lines), [
      "proposal DRAFT publish by an agent",
      "proposal PUBLISHED publish by an agent"
    ])
  })

  it("A command with interleaved steps is attributed to the state at which it resumed", () => {
    const lines = [
      dana,
      ...tokenIssued,
      ...readsProposal("scout", "PUBLISHED"),
      request("scout", "POST", `/api/agents/v1/proposals/${proposal}/respond`),
      request("dana", "POST", `/api/workspace/proposals/${proposal}/withdraw`),
      response("dana", 200, { proposal: { id: proposal, state: "WITHDRAWN" } }),
      { kind: "resumed", actor: "scout", step: 1, operation: "respondProposal" },
      response("scout", 409, { error: "STATE_CONFLICT" })
    ]
    assert.deepStrictEqual(namesIn("attempts", lines), [
      "proposal PUBLISHED withdraw by a person",
      "proposal WITHDRAWN respond by an agent"
    ])
  })

  it("A command is attributed to a committed state even before an answer shows it", () => {
    const project = "delivery_00000000-0000-4000-8000-000000000000"
    const actor = { id: "person_sam", organizationId: "organization_lumen", role: "SUPPLIER", execution: null }
    const events = [
      { kind: "CREATE", requestId: "1", occurredAt: "", actor, payload: {}, hash: "1" },
      { kind: "RESPOND", requestId: "2", occurredAt: "", actor, payload: { action: "DECLINE" }, hash: "2" }
    ]
    const reads = (count: number, state: string): ReadonlyArray<JsonObject> => [
      request("scout", "GET", `/api/agents/v1/projects/${project}`),
      response("scout", 200, {
        project: { taskId: project, state, agreement: { digest: "0" }, events: events.slice(0, count) }
      })
    ]
    const commits = (sequence: number): JsonObject => ({
      kind: "commit",
      actor: "sam",
      writes: [{ change: "insert", table: "project_events", key: [project, sequence] }]
    })
    const lines = [
      dana,
      ...tokenIssued,
      commits(1),
      ...reads(1, "AWAITING_SUPPLIER"),
      commits(2),
      request("scout", "POST", `/api/agents/v1/projects/${project}/submit`, { body: { input: {} } }),
      response("scout", 409, { error: "STATE_CONFLICT" }),
      ...reads(2, "SUPPLIER_DECLINED")
    ]
    assert.deepStrictEqual(namesIn("attempts", lines), ["project SUPPLIER_DECLINED submit by an agent"])
  })

  it("A refusal for another reason than the state does not cover the state", () => {
    const lines = [
      dana,
      ...tokenIssued,
      ...readsProposal("scout", "DRAFT"),
      request("scout", "POST", `/api/agents/v1/proposals/${proposal}/publish`),
      response("scout", 409, { error: "AGENT_PAUSED" })
    ]
    assert.deepStrictEqual(namesIn("attempts", lines), [])
    assert.include(namesIn("refusals", lines), "AGENT_PAUSED")
    assert.notInclude(namesIn("operations", lines), "publishProposal")
  })

  it("A state in an answer is attributed to the resource with its id, if the resource can have that state", () => {
    const shown = { jobs: [{ jobId: job, projectId: "delivery_1", state: "PREPARED" }], state: "LOCKED" }
    assert.deepStrictEqual(namesIn("states", [response("scout", 200, shown)]), ["job PREPARED"])
    assert.deepStrictEqual(namesIn("states", [response("scout", 200, { jobId: job, state: "LOCKED" })]), [])
  })

  it("Authority events are found in doubly signed exports", () => {
    const jws = (payload: JsonObject) =>
      ["e30", payload].map((part) =>
        Buffer.from(typeof part === "string" ? "{}" : JSON.stringify(part)).toString("base64url")
      )
    const seal = (payload: JsonObject) => `eyJ${jws(payload)[0]}.${jws(payload)[1]}.sig`
    const renewal = seal({ kind: "RENEW", schema: "service.authority-event/v1" })
    const exported = { record: seal({ authority: [{ events: [renewal] }] }) }
    assert.deepStrictEqual(namesIn("events", [response("scout", 200, exported)]), ["authority RENEW"])
  })
})

describe("coverage survey", () => {
  const some: ReadonlyArray<CoveragePoint> = [
    { section: "operations", name: "me", how: "do: me" },
    { section: "operations", name: "capabilities", how: "do: capabilities" },
    { section: "refusals", name: "SIGN_IN_FAILED", how: "expect it" }
  ]
  const run = { name: "a.yaml", lines: [request("iris", "GET", "/api/agents/v1/me"), response("iris", 200)] }
  const exception = (name: string): Exception => ({ section: "operations", name, reason: "There is none." })

  it("A survey lists missing points with a hint on how to cover them", () => {
    const surveyed = surveyCoverage(some, [run], [])
    assert.deepStrictEqual(
      surveyed.missing.map(({ name }) => name),
      ["capabilities", "SIGN_IN_FAILED"]
    )
    assert.include(renderCoverage(surveyed), "  operations: capabilities - do: capabilities")
    assert.strictEqual(Math.round(percentOf(surveyed)), 33)
  })

  it("A survey omits excepted points, and reports exceptions that are covered", () => {
    const surveyed = surveyCoverage(some, [run], [exception("capabilities"), exception("me")])
    assert.deepStrictEqual(
      surveyed.missing.map(({ name }) => name),
      ["SIGN_IN_FAILED"]
    )
    assert.deepStrictEqual(
      surveyed.needless.map(({ name, by }) => [name, by]),
      [["me", "a.yaml"]]
    )
    assert.include(renderCoverage(surveyed), "operations: me - by a.yaml")
  })

  it("Exceptions require a known section, a known point and a reason", () => {
    const read = (text: string) => readExceptions(text, some)
    assert.deepStrictEqual(Result.getOrThrow(read("operations: { me: There is none. }")), [exception("me")])
    assert.deepStrictEqual(Result.getOrThrow(read("# nothing\n")), [])
    for (const text of ["operations: { you: Because. }", "operations: { me: '' }", "words: { me: So. }", "a: [b"]) {
      assert.isTrue(Result.isFailure(read(text)), text)
    }
  })
})

describe("coverage of a committed trace", () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-coverage-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = join(folder, "slow.yaml")
  const scenario = readScript("scenarios/agents/slow-down/scenario.yaml")
  const trace = readFileSync("scenarios/agents/slow-down/trace.ndjson", "utf8")
  const problemWith = (text: string) => {
    writeFileSync(join(folder, "slow.trace.ndjson"), text)
    return Result.match(committedLines({ file, scenario }), { onFailure: (problem) => problem, onSuccess: () => "" })
  }

  it("A committed trace of a run that passed counts", () => assert.strictEqual(problemWith(trace), ""))

  it.each([
    [
      "a trace of a run that failed",
      trace.replace('"verdict":"PASSED"', '"verdict":"FAILED"'),
      "is not the trace of a run"
    ],
    ["a truncated trace", trace.split("\n").slice(0, 3).join("\n"), "is not the trace of a run that passed"],
    ["an empty trace", "", "is not the trace of a run that passed"],
    ["a trace with conflict markers", `<<<<<<< HEAD\n${trace}`, "slow.trace.ndjson:1: not a line of a trace"],
    ["a trace with a line that is not an object", `${trace}null\n`, "not a line of a trace"]
  ])("Coverage refuses %s", (_, text, problem) => assert.include(problemWith(text), problem))

  it("Coverage refuses a committed trace whose script cannot be read", () => {
    writeFileSync(join(folder, "slow.trace.ndjson"), trace)
    assert.isTrue(Result.isFailure(committedLines({ file, scenario: Result.fail("no script") })))
  })

  it("Coverage refuses a script without a committed trace", () =>
    assert.isTrue(Result.isFailure(committedLines({ file: join(folder, "other.yaml"), scenario }))))
})

describe("simulate coverage", () => {
  const coverage = (...parameters: ReadonlyArray<string>) => runSimulate(["coverage", ...parameters])

  it("simulate coverage exits with 1 if points are missing, and with 0 if --min is reached", async () => {
    const parameters = ["simulator/main.ts", "coverage", "scenarios/agents/slow-down/scenario.yaml", "--json"]
    const { status, stdout } = spawnSync(process.execPath, parameters, { encoding: "utf8" })
    assert.strictEqual(status, 1)
    const { missing } = JSON.parse(stdout) as { readonly missing: ReadonlyArray<CoveragePoint> }
    const names = missing.map(({ name }) => name)
    assert.include(names, "shareRecord")
    assert.notInclude(names, "pollConnection")
    const reached = await coverage("scenarios/agents/slow-down/scenario.yaml", "--traces", "--min", "0")
    assert.strictEqual(reached.status, 0)
  })

  it("simulate coverage exits with 2 if a file cannot be read", async () => {
    const exceptions = await coverage("scenarios/agents/slow-down/scenario.yaml", "--except", "nowhere.yml")
    assert.include(exceptions.stderr, "file not found: nowhere.yml")
    const missing = await coverage("nowhere")
    assert.strictEqual(missing.status, 2)
    const folder = await coverage("scenarios/agents/slow-down/scenario.yaml", "--except", "scenarios")
    assert.strictEqual(folder.status, 2)
    assert.match(folder.stderr, /^scenarios cannot be read: .*\n$/)
  })
})
