/** The shipped scenarios on Postgres and in separate processes: the committed bytes, wherever and whenever they run. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { freshStorage } from "../../simulator/databases.ts"
import { goldenFiles } from "../../simulator/files.ts"
import { readScenario } from "../../simulator/script/read.ts"
import { simulateOn } from "../../simulator/simulate.ts"
import { firstDifference } from "../../simulator/trace.ts"
import { connectionTo } from "../support/postgres.ts"

const scripts = readdirSync("scenarios")
  .filter((name) => name.endsWith(".yaml"))
  .toSorted()
  .map((name) => `scenarios/${name}`)

const scenarioOf = (file: string) => Result.getOrThrow(readScenario(file, readFileSync(file, "utf8")))

describe.each(scripts)("%s", (file) => {
  it("leaves the same bytes on Postgres", async () => {
    const name = file.replaceAll(/\W/g, "_").toLowerCase()
    const { trace, story } = await Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(freshStorage(connectionTo(), name), (storage) =>
          Effect.promise(() => simulateOn(storage, scenarioOf(file), { file }))
        )
      )
    )
    assert.isUndefined(firstDifference(readFileSync(goldenFiles(file).trace, "utf8"), trace), `on Postgres: ${story}`)
  })
})

describe("separate processes", () => {
  let folder = ""
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "countersign-traces-"))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const runIn = (name: string, surroundings: { readonly [variable: string]: string }) => {
    const trace = join(folder, name)
    const story = execFileSync(process.execPath, ["simulator/main.ts", "run", "scenarios", "--trace", trace], {
      env: { ...process.env, ...surroundings },
      encoding: "utf8"
    })
    return { trace: readFileSync(trace, "utf8"), story }
  }

  it("in another time zone, locale and heap leave the same bytes", () => {
    const one = runIn("one", { TZ: "Asia/Kathmandu", LC_ALL: "tr_TR.UTF-8", NODE_OPTIONS: "--max-semi-space-size=1" })
    const other = runIn("other", { TZ: "America/St_Johns", LC_ALL: "C" })
    assert.isUndefined(firstDifference(one.trace, other.trace))
    assert.strictEqual(one.story, other.story)
    const golden = scripts.map((file) => readFileSync(goldenFiles(file).trace, "utf8")).join("")
    assert.isUndefined(firstDifference(golden, one.trace))
  })
})
