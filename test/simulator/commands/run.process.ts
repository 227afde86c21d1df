import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { Result } from "effect"
import { differencesFromGolden, differsFromGolden, writeGolden } from "../../../simulator/reports/golden.ts"
import { findScripts } from "../../../simulator/scenario/files.ts"
import { describeDifferences, hasNoGoldenFiles } from "../../../simulator/determinism/cross-machine-diff.ts"
import { firstDifference } from "../../../simulator/observation/trace.ts"
import { runSimulate } from "../../support/run-simulator.ts"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-command-"))
  cpSync("scenarios/first-record/first-record/scenario.yaml", join(folder, "passes.yaml"))
  const steps = "steps:\n  - { as: iris, do: me }\n"
  writeFileSync(join(folder, "fails.yaml"), `scenario: Fails\ngiven: { visitors: { iris: Iris } }\n${steps}`)
  writeFileSync(join(folder, "unusable.yaml"), `scenario: Unusable\n${steps}`)
})
afterAll(() => rmSync(folder, { recursive: true }))

const simulate = (parameters: ReadonlyArray<string>, variables: { readonly [variable: string]: string } = {}) => {
  const { CI: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, ["simulator/main.ts", ...parameters], {
    env: { ...env, ...variables },
    encoding: "utf8"
  })
  return { status, stdout, stderr }
}

describe("simulate run", () => {
  it("simulate run exits with 0 if all expectations hold, and writes the trace", async () => {
    const trace = join(folder, "out.ndjson")
    const { status, stdout } = await runSimulate(["run", join(folder, "passes.yaml"), "--trace", trace, "--seed", "9"])
    assert.strictEqual(status, 0)
    assert.include(stdout, "17 steps, as expected; 14d of virtual time, seed 9")
    assert.include(readFileSync(trace, "utf8"), `"seed":9`)
  })

  it("simulate run --trace - writes the trace to standard output and the story to standard error", () => {
    const { status, stdout, stderr } = simulate(["run", join(folder, "passes.yaml"), "--trace", "-"])
    assert.strictEqual(status, 0)
    assert.isTrue(
      stdout
        .trimEnd()
        .split("\n")
        .every((line) => line.startsWith("{"))
    )
    assert.include(stderr, "17 steps, as expected")
  })

  it("simulate run exits with 1 if an answer differs from its expectation, and still runs the other files", async () => {
    const { status, stdout } = await runSimulate(["run", join(folder, "fails.yaml"), join(folder, "passes.yaml")])
    assert.strictEqual(status, 1)
    assert.include(stdout, `fails.yaml:4: unexpected response`)
    assert.include(stdout, "17 steps, as expected")
  })

  it("simulate run writes several reports, and its story to standard error if a report uses standard output", () => {
    const file = (name: string) => join(folder, name)
    const reports = ["tap=-", ...["junit", "json", "html"].map((kind) => `${kind}=${file(kind)}`)]
    const flags = reports.flatMap((report) => ["--report", report])
    const nowhere = file("no/where")
    const { status, stdout, stderr } = simulate([
      "run",
      file("passes.yaml"),
      file("fails.yaml"),
      "--quiet",
      "--trace",
      nowhere,
      ...flags
    ])
    assert.strictEqual(status, 2, "the most severe code: one file cannot be written")
    assert.include(stderr, `${nowhere} cannot be written`)
    assert.match(stdout, /^TAP version 14\n1\.\.2\nok 1 - The first record\n[^]*\nnot ok 2 - Fails\n[^]* {2}\.\.\.\n$/)
    assert.match(stderr, /^Fails\n/)
    assert.include(stderr, "fails.yaml:4: unexpected response")
    assert.match(readFileSync(file("junit"), "utf8"), /<testsuites name="simulate" tests="2" failures="1" errors="0"/)
    const report = JSON.parse(readFileSync(file("json"), "utf8")) as { readonly totals: object }
    assert.deepStrictEqual(report.totals, { runs: 2, passed: 1, failed: 1, unusable: 0 })
    const page = readFileSync(file("html"), "utf8")
    assert.match(page, /^<!doctype html>/)
    assert.include(page, `"changes":[{"table":"organizations"`)
  })

  it("simulate run exits with 2 if a script cannot be read, and runs no script", () => {
    const { status, stdout, stderr } = simulate(["run", folder, "--report", "github=-"])
    assert.strictEqual(status, 2)
    assert.match(stdout, /^::error file=.*unusable\.yaml,line=3,title=[^\n]*unknown actor iris[^\n]*\n$/)
    assert.include(stderr, "unusable.yaml:3:11: unknown actor iris")
  })

  it.each([
    [["run"]],
    [["run", "nowhere"]],
    [["run", "--bogus"]],
    [["run", "--storage", "paper", "scenarios"]],
    [["run", "--check", "--seed", "7", "scenarios"]],
    [["generate", "--out", "package.json/folder"]]
  ])("simulate exits with 2 for the command line %j", async (parameters) => {
    const { status } = await runSimulate(parameters)
    assert.strictEqual(status, 2)
  })

  it("simulate run --update rewrites the golden files, and is refused if CI is set", async () => {
    const passes = join(folder, "passes.yaml")
    const refused = simulate(["run", passes, "--update"], { CI: "1" })
    assert.strictEqual(refused.status, 2)
    assert.notInclude(readdirSync(folder), "passes.txt")
    const updated = simulate(["run", passes, "--update"])
    assert.strictEqual(updated.status, 0)
    const written = readFileSync(join(folder, "passes.trace.ndjson"), "utf8")
    assert.isUndefined(
      firstDifference(readFileSync("scenarios/first-record/first-record/trace.ndjson", "utf8"), written)
    )
    assert.strictEqual(
      readFileSync(join(folder, "passes.txt"), "utf8"),
      readFileSync("scenarios/first-record/first-record/story.txt", "utf8")
    )

    const trace = join(folder, "passes.trace.ndjson")
    writeFileSync(trace, written.replace('"status":403', '"status":409'))
    const { status, stdout } = await runSimulate(["run", passes, "--check", "--quiet"])
    assert.strictEqual(status, 1)
    assert.match(stdout, /passes\.trace\.ndjson:\d+: the trace differs from the committed one\n/)
    assert.match(stdout, /committed: response scout 409 at .*\n *now: +response scout 403 at .*\n *status: 409 and 403/)
  })
})

describe("finding scripts in a folder", () => {
  it("Scripts are found recursively; a folder named like a script is not one, and a broken link is reported", () => {
    const below = mkdtempSync(join(folder, "below-"))
    mkdirSync(join(below, "folder.yaml"))
    cpSync("scenarios/first-record/first-record/scenario.yaml", join(below, "folder.yaml", "one.yaml"))
    symlinkSync(join(below, "gone"), join(below, "nowhere.yaml"))
    symlinkSync("circle.yaml", join(below, "circle.yaml"))
    const found = Result.getOrThrow(findScripts([below])).map(({ file, scenario }) => [
      relative(below, file),
      Result.match(scenario, { onFailure: (problem) => problem.replaceAll(below, ""), onSuccess: () => "read" })
    ])
    assert.deepStrictEqual(
      found.map(([file]) => file),
      ["circle.yaml", "folder.yaml/one.yaml", "nowhere.yaml"]
    )
    assert.match(found[0]![1]!, /circle\.yaml cannot be read: ELOOP/)
    assert.strictEqual(found[1]![1], "read")
    assert.match(found[2]![1]!, /nowhere\.yaml cannot be read: ENOENT/)
  })
})

describe("comparison of runs on several machines", () => {
  const run = (file: string) => ({ file, verdict: "PASSED" as const, trace: "{}\n", story: "one\n" })

  it("Runs on several machines are compared with both golden files, and in a folder with golden files none may be missing", () => {
    const beside = mkdtempSync(join(folder, "verified-"))
    const [bare, file] = [join(beside, "bare.yaml"), join(beside, "whole.yaml")]
    assert.isUndefined(describeDifferences([run(bare), run(bare)]), "the folder has no golden files")
    assert.isTrue(hasNoGoldenFiles(bare))
    writeGolden(file, run(file))
    assert.isUndefined(describeDifferences([run(file), run(file)]))
    assert.match(
      describeDifferences([run(bare)]) ?? "",
      /there is no .*bare\.trace\.ndjson; .*\nthere is no .*bare\.txt;/
    )
    writeFileSync(join(beside, "whole.txt"), "two\n")
    assert.match(
      describeDifferences([run(file)]) ?? "",
      /^the stories part at line 1\n +committed: two\n +machine 1: one$/
    )
    rmSync(join(beside, "whole.txt"))
    assert.match(describeDifferences([run(file)]) ?? "", /^there is no .*whole\.txt; /)
  })
})

describe("golden files", () => {
  const simulated = (trace: string, story: string) => ({ trace, story })
  const line = (status: number) => `{"at":"now","kind":"response","status":${status}}\n`

  it("A comparison with golden files reports a missing file, else the first different line of the trace, else of the story", () => {
    const file = join(folder, "golden.yaml")
    const [missing] = differencesFromGolden(file, simulated(line(200), "one\ntwo\n"))
    assert.deepInclude(missing, {
      file,
      line: 1,
      reason: `file not found: ${join(folder, "golden.trace.ndjson")}; --update writes it`
    })
    writeGolden(file, simulated(line(200), "one\ntwo\n"))
    assert.deepStrictEqual(differencesFromGolden(file, simulated(line(200), "one\ntwo\n")), [])
    assert.isFalse(differsFromGolden(file, simulated(line(200), "one\ntwo\n")))

    const other = simulated(line(200) + line(403), "one\nthree\n")
    assert.isTrue(differsFromGolden(file, other))
    const [trace, ...more] = differencesFromGolden(file, other)
    assert.deepStrictEqual(more, [])
    assert.deepInclude(trace, { file: join(folder, "golden.trace.ndjson"), line: 2 })
    assert.deepStrictEqual(trace!.trace, [line(200).trimEnd(), line(403).trimEnd()])
    const [story] = differencesFromGolden(file, simulated(line(200), "one\nthree\n"))
    assert.deepInclude(story, { line: 2, details: ["committed: two", "now:       three"] })
  })
})
