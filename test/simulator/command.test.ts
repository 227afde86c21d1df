import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { firstDifference } from "../../simulator/trace.ts"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-command-"))
  cpSync("scenarios/01-first-record.yaml", join(folder, "passes.yaml"))
  const steps = "steps:\n  - { as: iris, do: me }\n"
  writeFileSync(join(folder, "fails.yaml"), `scenario: Fails\ngiven: { visitors: { iris: Iris } }\n${steps}`)
  writeFileSync(join(folder, "unusable.yaml"), `scenario: Unusable\n${steps}`)
})
afterAll(() => rmSync(folder, { recursive: true }))

const simulate = (parameters: ReadonlyArray<string>, surroundings: { readonly [variable: string]: string } = {}) => {
  const { CI: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, ["simulator/main.ts", ...parameters], {
    env: { ...env, ...surroundings },
    encoding: "utf8"
  })
  return { status, stdout, stderr }
}

describe("simulate run", () => {
  it("exits with 0 where all goes as expected, and writes the trace", () => {
    const trace = join(folder, "out.ndjson")
    const { status, stdout } = simulate(["run", join(folder, "passes.yaml"), "--trace", trace, "--seed", "9"])
    assert.strictEqual(status, 0)
    assert.include(stdout, "17 steps, as expected; 14d of virtual time, seed 9")
    assert.include(readFileSync(trace, "utf8"), `"seed":9`)
  })

  it("exits with 1 where an answer is another, and still runs the other files", () => {
    const { status, stdout } = simulate(["run", join(folder, "fails.yaml"), join(folder, "passes.yaml")])
    assert.strictEqual(status, 1)
    assert.include(stdout, `fails.yaml:4: the answer is another`)
    assert.include(stdout, "17 steps, as expected")
  })

  it("exits with 2 where a script cannot be used, and runs nothing", () => {
    const { status, stdout, stderr } = simulate(["run", folder])
    assert.strictEqual(status, 2)
    assert.strictEqual(stdout, "")
    assert.include(stderr, "unusable.yaml:3:11: nobody is called iris at this point")
  })

  it.each([[["run"]], [["run", "nowhere"]], [["run", "--bogus"]], [["run", "--storage", "paper", "scenarios"]]])(
    "exits with 2 for the command line %j",
    (parameters) => assert.strictEqual(simulate(parameters).status, 2)
  )

  it("rewrites the committed files with --update, except where CI is set", () => {
    const passes = join(folder, "passes.yaml")
    const refused = simulate(["run", passes, "--update"], { CI: "1" })
    assert.strictEqual(refused.status, 2)
    assert.notInclude(readdirSync(folder), "passes.txt")
    assert.strictEqual(simulate(["run", passes, "--update"]).status, 0)
    const written = readFileSync(join(folder, "passes.trace.ndjson"), "utf8")
    assert.isUndefined(firstDifference(readFileSync("scenarios/01-first-record.trace.ndjson", "utf8"), written))
    assert.strictEqual(
      readFileSync(join(folder, "passes.txt"), "utf8"),
      readFileSync("scenarios/01-first-record.txt", "utf8")
    )
  })
})
