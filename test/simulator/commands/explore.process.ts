/** `simulate explore`: its reports, and the progress that it shows. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { ProgressDisplay } from "../../../simulator/commands/explore-progress.ts"
import { readScenario } from "../../../simulator/scenario/format/read.ts"
import { search, type SearchProgress } from "../../../simulator/search/search.ts"
import { searchRootOf } from "../../../simulator/search/searched-script.ts"
import { DepthFirstSearch } from "../../../simulator/search/strategies/depth-first.ts"
import { runSimulate } from "../../support/run-simulator.ts"
import { race } from "../search/race-script.ts"

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-explore-"))
  writeFileSync(join(folder, "holds.yaml"), race)
  const wrong = race.replace(
    "do: me, expect: { error: AUTH_INVALID } }",
    "do: me, expect: { error: FORBIDDEN_AGENT_ACTION } }"
  )
  writeFileSync(join(folder, "fails.yaml"), wrong)
})
afterAll(() => rmSync(folder, { recursive: true }))

const simulate = (parameters: ReadonlyArray<string>) =>
  spawnSync(process.execPath, ["--import", asTerminal, "simulator/main.ts", ...parameters], { encoding: "utf8" })

/** Standard error of the process as a terminal. */
const asTerminal = "data:text/javascript,process.stderr.isTTY=true"

const few = ["--runs", "12", "--workers", "1"]

describe("reports of a search", () => {
  it("A JUnit report on standard output has a test case per script, and the verdicts go to standard error", () => {
    const place = join(folder, "holds.yaml")
    const { status, stdout, stderr } = simulate(["explore", place, ...few, "--report", "junit=-"])
    assert.strictEqual(status, 0)
    assert.include(stdout, `<testsuites name="simulate explore" tests="1" failures="0" errors="0" skipped="0"`)
    assert.include(stdout, `<testcase name="${place}" classname="${place.slice(0, -5)}" file="${place}" line="1"`)
    assert.match(stdout, /<property name="schedules" value="\d+"\/>/)
    assert.include(stderr, "1 script of 1 searched")
  })

  it("A script that fails as written is a failure of the JUnit report, with the lines of its verdict", async () => {
    const [junit, json] = [join(folder, "out.xml"), join(folder, "out.json")]
    const reports = ["--report", `junit=${junit}`, "--report", `json=${json}`]
    const { status } = await runSimulate(["explore", join(folder, "fails.yaml"), ...few, ...reports])
    assert.strictEqual(status, 1)
    const written = readFileSync(junit, "utf8")
    assert.include(written, `tests="1" failures="1" errors="0"`)
    assert.match(written, /type="NOT_AS_WRITTEN">.*fails\.yaml: not searched/)
    assert.strictEqual(JSON.parse(readFileSync(json, "utf8"))[0].verdict, "NOT_AS_WRITTEN")
  })

  it("Each reachability property that no script of a folder lists is a failure of the JUnit report", async () => {
    const junit = join(folder, "unlisted.xml")
    const { status, stderr } = await runSimulate(["explore", folder, ...few, "--report", `junit=${junit}`])
    assert.strictEqual(status, 1)
    const written = readFileSync(junit, "utf8")
    const unlisted = stderr.match(/no script lists the reachability property .+/g) ?? []
    assert.isAbove(unlisted.length, 0)
    for (const message of unlisted) assert.include(written, `message="${message}" type="UNLISTED"`)
  })

  it("An unknown kind of report ends the command before anything is searched", async () => {
    const { status, stderr } = await runSimulate(["explore", folder, "--report", "tap=x"])
    assert.strictEqual(status, 2)
    assert.include(stderr, "--report tap=x: unknown report tap (junit, json)")
  })
})

describe("progress of a search", () => {
  it("A search tells after each run how many schedules and states it has counted", () => {
    const root = searchRootOf(Result.getOrThrow(readScenario("race.yaml", race)), true)
    const told: Array<SearchProgress> = []
    const { schedules, states } = search(root, {
      properties: [],
      strategies: [[new DepthFirstSearch(), 12]],
      onProgress: (progress) => told.push(progress())
    })
    assert.deepStrictEqual(
      told.map(({ schedules }) => schedules),
      Array.from({ length: schedules }, (_, index) => index + 1)
    )
    assert.deepStrictEqual(told.at(-1), { strategy: "exhaustive", schedules, states })
  })

  it("A search in a child process shows its progress on standard error of the command, unless it is quiet", () => {
    const longer = [
      "explore",
      "scenarios/races/deadline-and-grant-expiry/scenario.yaml",
      "--for",
      "4s",
      "--workers",
      "2"
    ]
    const { stderr } = simulate(longer)
    assert.match(stderr, /0 of 1 script searched \| deadline-and-grant-expiry: exhaustive, [\d,]+ schedules?, /)
    assert.notInclude(simulate([...longer, "--quiet"]).stderr, "searched |")
  })

  const progress = { strategy: "exhaustive", schedules: 1203, states: 410, seconds: 31.7 }

  it("On a terminal the progress is one line, rewritten, and never wider than the terminal", () => {
    const written: Array<string> = []
    const display = new ProgressDisplay({ isTTY: true, columns: 64, write: (text) => written.push(text) }, 3)
    display.update("scenarios/races/pause-and-submission/scenario.yaml", progress)
    display.end("scenarios/races/pause-and-submission/scenario.yaml")
    display.update("mine.yaml", { ...progress, states: undefined, schedules: 1 })
    display.clear()
    assert.deepStrictEqual(written, [
      "\r\u001b[2K0 of 3 scripts searched | pause-and-submission: exhaustive, 1,2",
      "\r\u001b[2K1 of 3 scripts searched | mine: exhaustive, 1 schedule, 31 s",
      "\r\u001b[2K"
    ])
  })

  it("Elsewhere the progress is one line per script, at most every half minute", () => {
    const written: Array<string> = []
    const display = new ProgressDisplay({ write: (text) => written.push(text) }, 3)
    for (const seconds of [12, 31.7, 45, 62]) display.update("\u001b[31m.yaml", { ...progress, seconds })
    display.clear()
    assert.deepStrictEqual(written, [
      "\\u001B[31m.yaml: exhaustive, 1,203 schedules, 410 visited states, 31 s\n",
      "\\u001B[31m.yaml: exhaustive, 1,203 schedules, 410 visited states, 62 s\n"
    ])
  })
})
