/** The clients as their users have them: generated types, their own compiler, and example agents under examination. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { AgentProcess } from "../../simulator/examination/agent-process.ts"
import { examine } from "../../simulator/examination/examine.ts"
import { explain } from "../../simulator/examination/explain.ts"
import { readLessons } from "../../simulator/examination/lesson.ts"
import { drawnPlan } from "../../simulator/examination/profile.ts"
import { type RunningServer, serve } from "../../simulator/serve/server.ts"
import { Worlds } from "../../simulator/serve/worlds.ts"
import { generateTypes, typesFile } from "../../tools/client-types.ts"
import { node } from "../support/server.ts"

const root = path.resolve(import.meta.dirname, "../..")
const withoutBytecode = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" }
const lessons = Result.getOrThrow(readLessons([path.join(root, "scenarios/lessons")]))

describe("The TypeScript client", () => {
  it("Its types are what its generator makes of the OpenAPI document.", () => {
    assert.strictEqual(fs.readFileSync(typesFile, "utf8"), generateTypes(), "run: npm run client:types")
  })

  it("It compiles strictly with the compiler of its own folder.", () => {
    const compiler = path.join(root, "clients/typescript/node_modules/typescript/bin/tsc")
    const options = ["-p", path.join(root, "clients/typescript"), "--noEmit"]
    const { status, stdout } = spawnSync(node, [compiler, ...options], { encoding: "utf8" })
    assert.strictEqual(status, 0, stdout)
  })
})

describe("The Python client", () => {
  it("Its tests pass without a warning.", () => {
    const options = { cwd: path.join(root, "clients/python"), encoding: "utf8", env: withoutBytecode } as const
    const { status, stderr } = spawnSync("python3", ["-W", "error", "-m", "unittest"], options)
    assert.strictEqual(status, 0, stderr)
    assert.match(stderr, /Ran \d\d tests/)
  })
})

it("The commands of connect-an-agent.md that examine the example agents end with 0.", () => {
  const page = fs.readFileSync(path.join(root, "docs/learning/connect-an-agent.md"), "utf8")
  const commands = [...page.matchAll(/^ *(npm run -s simulate -- exam .*)$/gm)].map(([, command]) => command!)
  assert.lengthOf(commands, agents.length)
  const env = { ...withoutBytecode, PATH: `${path.dirname(node)}:${process.env["PATH"]}` }
  for (const command of commands) {
    const { status, stdout, stderr } = spawnSync(command, { shell: true, cwd: root, env, encoding: "utf8" })
    assert.strictEqual(status, 0, stdout + stderr)
  }
})

const agents = [
  ["TypeScript", `${node} ${path.join(root, "examples/typescript/supplier-agent.ts")}`],
  ["Python", `python3 -B -W error ${path.join(root, "examples/python/supplier_agent.py")}`]
] as const

const worlds = new Worlds(10)
let server: RunningServer
beforeAll(async () => {
  server = await serve(worlds, 0)
})
afterAll(() => server.close())

const optionsFor = (command: string) => ({
  newAgent: () => new AgentProcess(command),
  origin: server.origin,
  isCooperative: true,
  silence: 30
})

/** Faults are drawn for these with the seed 3: a delivery, a restart, webhooks, and a pause. */
const hostileLessons = ["first-delivery", "process-ended", "webhook-twice", "pause-and-resumption"]

describe.each(agents)("The example agent in %s", (_, command) => {
  it.concurrent.each(lessons)("It passes $name", async (lesson) => {
    const result = await examine(lesson, worlds, optionsFor(command))
    assert.strictEqual(result.verdict, "PASS", `${explain(result)}\n${result.output}`)
  })

  it.concurrent.each(lessons.filter(({ name }) => hostileLessons.includes(name)))(
    "It passes $name under the faults of the profile hostile.",
    async (lesson) => {
      const result = await examine(lesson, worlds, { ...optionsFor(command), faults: drawnPlan("hostile", 3, lesson) })
      assert.strictEqual(result.verdict, "PASS", `${explain(result)}\n${result.output}`)
    }
  )
})
