/** What a trace touches, and what of all that could be touched is missing: read from small traces made by hand. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Result } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { callsIn } from "../../simulator/coverage/calls.ts"
import { committedLines } from "../../simulator/coverage/committed.ts"
import { readExceptions, type Exception } from "../../simulator/coverage/exceptions.ts"
import type { Point } from "../../simulator/coverage/point.ts"
import { touchesIn } from "../../simulator/coverage/points.ts"
import { renderSurvey } from "../../simulator/coverage/render.ts"
import { percentOf, survey } from "../../simulator/coverage/survey.ts"
import { readScript } from "../../simulator/files.ts"
import type { JsonObject } from "../../simulator/script/json.ts"

const proposal = "proposal_00000000-0000-4000-8000-000000000000"
const job = "job_00000000-0000-4000-8000-000000000000"

const asks = (actor: string, method: string, path: string, more: JsonObject = {}): JsonObject => ({
  kind: "request",
  actor,
  method,
  path,
  lost: false,
  ...more
})

const answers = (actor: string, status: number, body: JsonObject = {}): JsonObject => ({
  kind: "response",
  actor,
  status,
  body,
  lost: false
})

const readsProposal = (actor: string, state: string): ReadonlyArray<JsonObject> => [
  asks(actor, "GET", `/api/agents/v1/proposals/${proposal}`),
  answers(actor, 200, { proposal: { id: proposal, state } })
]

const dana: JsonObject = { kind: "given", name: "dana", is: "person", answer: { personId: "person_dana" } }

const handsToken: ReadonlyArray<JsonObject> = [
  asks("dana", "POST", "/api/workspace/grants", { body: { agentName: "scout", role: "BUYER" } }),
  answers("dana", 201, { agentId: "agent_scout" })
]

const namesIn = (section: Point["section"], lines: ReadonlyArray<JsonObject>): ReadonlyArray<string> => [
  ...new Set(touchesIn(lines).flatMap((touch) => (touch.section === section ? touch.name : [])))
]

describe("the requests of a trace", () => {
  it("are told by who asked: people, agents once they have a token, and visitors", () => {
    const me = [asks("scout", "GET", "/api/agents/v1/me"), answers("scout", 200)]
    const clerk = { kind: "given", name: "clerk", is: "agent of dana", answer: {} }
    const clerks = [asks("clerk", "GET", "/api/agents/v1/me"), answers("clerk", 200)]
    const calls = callsIn([dana, clerk, ...me, ...handsToken, ...me, ...clerks])
    assert.deepStrictEqual(
      calls.map(({ by, operation }) => `${by} ${operation}`),
      ["visitor me", "person createGrant", "agent me", "agent me"]
    )
  })

  it("are told by what came of them, a status where there is no code, and not at all where none came", () => {
    const calls = callsIn([
      asks("iris", "GET", "/api/agents/v1/me"),
      answers("iris", 401, { error: "AUTH_INVALID" }),
      asks("iris", "GET", "/api/nowhere"),
      { ...answers("iris", 404), body: "<html>" },
      asks("iris", "GET", "/api/agents/v1/me", { lost: true })
    ])
    assert.deepStrictEqual(
      calls.map(({ operation, outcome }) => [operation, outcome]),
      [
        ["me", "AUTH_INVALID"],
        [undefined, "404"]
      ]
    )
  })

  it("are told with the state that their command met", () => {
    const publishes = asks("scout", "POST", `/api/agents/v1/proposals/${proposal}/publish`)
    const lines = [
      dana,
      ...handsToken,
      ...readsProposal("scout", "DRAFT"),
      publishes,
      answers("scout", 200, { proposal: { id: proposal, state: "PUBLISHED" } }),
      publishes,
      answers("scout", 409, { error: "STATE_CONFLICT" })
    ]
    assert.deepStrictEqual(namesIn("attempts", lines), [
      "proposal DRAFT publish by an agent",
      "proposal PUBLISHED publish by an agent"
    ])
  })

  it("are told with the state that was there when they went on, where something happened meanwhile", () => {
    const lines = [
      dana,
      ...handsToken,
      ...readsProposal("scout", "PUBLISHED"),
      asks("scout", "POST", `/api/agents/v1/proposals/${proposal}/respond`),
      asks("dana", "POST", `/api/workspace/proposals/${proposal}/withdraw`),
      answers("dana", 200, { proposal: { id: proposal, state: "WITHDRAWN" } }),
      { kind: "resumed", actor: "scout", step: 1, operation: "respondProposal" },
      answers("scout", 409, { error: "STATE_CONFLICT" })
    ]
    assert.deepStrictEqual(namesIn("attempts", lines), [
      "proposal PUBLISHED withdraw by a person",
      "proposal WITHDRAWN respond by an agent"
    ])
  })

  it("are told with the state that a commit has led to, before anybody was shown it", () => {
    const project = "delivery_00000000-0000-4000-8000-000000000000"
    const actor = { id: "person_sam", organizationId: "organization_lumen", role: "SUPPLIER", execution: null }
    const events = [
      { kind: "CREATE", requestId: "1", occurredAt: "", actor, payload: {}, hash: "1" },
      { kind: "RESPOND", requestId: "2", occurredAt: "", actor, payload: { action: "DECLINE" }, hash: "2" }
    ]
    const reads = (count: number, state: string): ReadonlyArray<JsonObject> => [
      asks("scout", "GET", `/api/agents/v1/projects/${project}`),
      answers("scout", 200, {
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
      ...handsToken,
      commits(1),
      ...reads(1, "AWAITING_SUPPLIER"),
      commits(2),
      asks("scout", "POST", `/api/agents/v1/projects/${project}/submit`, { body: { input: {} } }),
      answers("scout", 409, { error: "STATE_CONFLICT" }),
      ...reads(2, "SUPPLIER_DECLINED")
    ]
    assert.deepStrictEqual(namesIn("attempts", lines), ["project SUPPLIER_DECLINED submit by an agent"])
  })

  it("say nothing of a state where they were refused for another reason", () => {
    const lines = [
      dana,
      ...handsToken,
      ...readsProposal("scout", "DRAFT"),
      asks("scout", "POST", `/api/agents/v1/proposals/${proposal}/publish`),
      answers("scout", 409, { error: "AGENT_PAUSED" })
    ]
    assert.deepStrictEqual(namesIn("attempts", lines), [])
    assert.include(namesIn("refusals", lines), "AGENT_PAUSED")
    assert.notInclude(namesIn("operations", lines), "publishProposal")
  })

  it("show states by the ids of what has them, and only those that it can have", () => {
    const shown = { jobs: [{ jobId: job, projectId: "delivery_1", state: "PREPARED" }], state: "LOCKED" }
    assert.deepStrictEqual(namesIn("states", [answers("scout", 200, shown)]), ["job PREPARED"])
    assert.deepStrictEqual(namesIn("states", [answers("scout", 200, { jobId: job, state: "LOCKED" })]), [])
  })

  it("show the events of an authority chain inside an export that is signed twice", () => {
    const jws = (payload: JsonObject) =>
      ["e30", payload].map((part) =>
        Buffer.from(typeof part === "string" ? "{}" : JSON.stringify(part)).toString("base64url")
      )
    const seal = (payload: JsonObject) => `eyJ${jws(payload)[0]}.${jws(payload)[1]}.sig`
    const renewal = seal({ kind: "RENEW", schema: "service.authority-event/v1" })
    const exported = { record: seal({ authority: [{ events: [renewal] }] }) }
    assert.deepStrictEqual(namesIn("events", [answers("scout", 200, exported)]), ["authority RENEW"])
  })
})

describe("a survey", () => {
  const some: ReadonlyArray<Point> = [
    { section: "operations", name: "me", how: "do: me" },
    { section: "operations", name: "capabilities", how: "do: capabilities" },
    { section: "refusals", name: "SIGN_IN_FAILED", how: "expect it" }
  ]
  const run = { name: "a.yaml", lines: [asks("iris", "GET", "/api/agents/v1/me"), answers("iris", 200)] }
  const exception = (name: string): Exception => ({ section: "operations", name, reason: "There is none." })

  it("says what is missing and how it could be touched", () => {
    const surveyed = survey(some, [run], [])
    assert.deepStrictEqual(
      surveyed.missing.map(({ name }) => name),
      ["capabilities", "SIGN_IN_FAILED"]
    )
    assert.include(renderSurvey(surveyed), "  operations: capabilities - do: capabilities")
    assert.strictEqual(Math.round(percentOf(surveyed)), 33)
  })

  it("takes out what is excepted, and complains where that is touched after all", () => {
    const surveyed = survey(some, [run], [exception("capabilities"), exception("me")])
    assert.deepStrictEqual(
      surveyed.missing.map(({ name }) => name),
      ["SIGN_IN_FAILED"]
    )
    assert.deepStrictEqual(
      surveyed.needless.map(({ name, by }) => [name, by]),
      [["me", "a.yaml"]]
    )
    assert.include(renderSurvey(surveyed), "operations: me - by a.yaml")
  })

  it("reads exceptions by section, each with a reason and the name of a point", () => {
    const read = (text: string) => readExceptions(text, some)
    assert.deepStrictEqual(Result.getOrThrow(read("operations: { me: There is none. }")), [exception("me")])
    assert.deepStrictEqual(Result.getOrThrow(read("# nothing\n")), [])
    for (const text of ["operations: { you: Because. }", "operations: { me: '' }", "words: { me: So. }", "a: [b"]) {
      assert.isTrue(Result.isFailure(read(text)), text)
    }
  })
})

describe("a committed trace", () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-coverage-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = join(folder, "slow.yaml")
  const scenario = readScript("scenarios/04-slow-down.yaml")
  const trace = readFileSync("scenarios/04-slow-down.trace.ndjson", "utf8")
  const problemWith = (text: string) => {
    writeFileSync(join(folder, "slow.trace.ndjson"), text)
    return Result.match(committedLines({ file, scenario }), { onFailure: (problem) => problem, onSuccess: () => "" })
  }

  it("counts where it is of a run that passed", () => assert.strictEqual(problemWith(trace), ""))

  it.each([
    ["of a run that failed", trace.replace('"verdict":"PASSED"', '"verdict":"FAILED"'), "is not the trace of a run"],
    ["that was cut off", trace.split("\n").slice(0, 3).join("\n"), "is not the trace of a run that passed"],
    ["that is empty", "", "is not the trace of a run that passed"],
    ["with marks of a merge", `<<<<<<< HEAD\n${trace}`, "slow.trace.ndjson:1: this is no line of a trace"],
    ["with something that is no object", `${trace}null\n`, "this is no line of a trace"]
  ])("counts for nothing where it is one %s", (_, text, problem) => assert.include(problemWith(text), problem))

  it("counts for nothing where its script cannot be read", () => {
    writeFileSync(join(folder, "slow.trace.ndjson"), trace)
    assert.isTrue(Result.isFailure(committedLines({ file, scenario: Result.fail("no script") })))
  })

  it("counts for nothing where it is not there", () =>
    assert.isTrue(Result.isFailure(committedLines({ file: join(folder, "other.yaml"), scenario }))))
})

describe("simulate coverage", () => {
  const coverage = (...parameters: ReadonlyArray<string>) => {
    const run = spawnSync(process.execPath, ["simulator/main.ts", "coverage", ...parameters], { encoding: "utf8" })
    return { status: run.status, stdout: run.stdout, stderr: run.stderr }
  }

  it("exits with 1 where something is missing, and with 0 where that is enough", () => {
    const { status, stdout } = coverage("scenarios/04-slow-down.yaml", "--json")
    assert.strictEqual(status, 1)
    const { missing } = JSON.parse(stdout) as { readonly missing: ReadonlyArray<Point> }
    const names = missing.map(({ name }) => name)
    assert.include(names, "shareRecord")
    assert.notInclude(names, "pollConnection")
    assert.strictEqual(coverage("scenarios/04-slow-down.yaml", "--traces", "--min", "0").status, 0)
  })

  it("exits with 2 where it has nothing to read", () => {
    assert.include(coverage("scenarios/04-slow-down.yaml", "--except", "nowhere.yml").stderr, "there is no nowhere.yml")
    assert.strictEqual(coverage("nowhere").status, 2)
    const folder = coverage("scenarios/04-slow-down.yaml", "--except", "scenarios")
    assert.strictEqual(folder.status, 2)
    assert.match(folder.stderr, /^scenarios cannot be read: .*\n$/)
  })
})
