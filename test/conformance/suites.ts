/** The suites of conformance, each a process of its own, on the server that every suite takes by its address. */
import { spawn } from "node:child_process"
import * as path from "node:path"
import { Effect } from "effect"

export interface Suite {
  readonly name: string
  /** What it shows. */
  readonly says: string
  readonly program: "node" | "vitest"
  readonly arguments: ReadonlyArray<string>
  /** It judges waits for locks by the processes of the server, which a pooler hides. */
  readonly needsServerProcesses?: boolean
}

/** `long`: every scenario, more seeds and more minutes. */
export const suitesOn = (url: string, isLong: boolean, seed: number): ReadonlyArray<Suite> => [
  {
    name: "contract",
    says: "The storage contract holds, as in memory.",
    program: "vitest",
    arguments: ["run", "--project", "service", "test/contract/storage.test.ts", "test/adapters/catalog.test.ts"]
  },
  {
    name: "differential runs",
    says: "Scenarios have the same traces as in memory, with one instance and with two.",
    program: "node",
    arguments: [
      "simulator/main.ts",
      "diff",
      `--database-url=${url}`,
      `--seed=${seed}`,
      `--generated=${isLong ? 100 : 3}`,
      ...(isLong ? ["scenarios"] : shortScenarios)
    ]
  },
  {
    name: "outcomes",
    says: "Races, scheduled statement by statement, end as in the search in memory.",
    program: "node",
    arguments: [
      "simulator/main.ts",
      "outcomes",
      `--database-url=${url}`,
      `--seed=${seed}`,
      `--runs=${isLong ? 60 : 6}`,
      ...(isLong ? ["scenarios"] : shortRaces)
    ],
    needsServerProcesses: true
  },
  {
    name: "soak",
    says: "Killed processes and cut connections lose no acknowledged command, and no commit violates a property.",
    program: "node",
    arguments: ["test/soak/main.ts", "postgres", "--seed", String(seed), "--for", isLong ? "120s" : "10s"]
  }
]

const scenarioAt = (name: string) => `scenarios/${name}/scenario.yaml`

const shortScenarios = ["first-record/first-record", "proposals/agreement-scope", "races/revocation-and-event"].map(
  scenarioAt
)
const shortRaces = ["races/pause-and-submission", "races/two-acceptances"].map(scenarioAt)

const project = path.resolve(import.meta.dirname, "../..")

export interface SuiteResult {
  readonly passed: boolean
  readonly output: string
}

/** Every suite takes the server by `TEST_DATABASE_URL` or by `--database-url`, and makes its databases there. */
export const runSuite = (suite: Suite, url: string): Effect.Effect<SuiteResult> =>
  Effect.callback((resume) => {
    const program = suite.program === "node" ? process.execPath : path.join(project, "node_modules/.bin", suite.program)
    const child = spawn(program, suite.arguments, {
      cwd: project,
      env: { ...process.env, TEST_DATABASE_URL: url, NO_COLOR: "1" }
    })
    let output = ""
    const collect = (piece: Buffer) => void (output += piece.toString())
    child.stdout.on("data", collect)
    child.stderr.on("data", collect)
    child.once("close", (code) => resume(Effect.succeed({ passed: code === 0, output })))
    return Effect.sync(() => child.kill("SIGTERM"))
  })
