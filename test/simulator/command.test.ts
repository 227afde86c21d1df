import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { Result } from "effect"
import { differencesFromGolden, isOtherThanCommitted, writeGolden } from "../../simulator/commands/golden.ts"
import { findScripts } from "../../simulator/files.ts"
import { complaintAbout, hasNothingCommitted } from "../../simulator/leaks/sameness.ts"
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
    // Each process would compile the same modules again.
    env: { ...env, NODE_COMPILE_CACHE: join(folder, "compiled"), ...surroundings },
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

  it("writes the trace to standard output for -, and tells on standard error", () => {
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

  it("exits with 1 where an answer is another, and still runs the other files", () => {
    const { status, stdout } = simulate(["run", join(folder, "fails.yaml"), join(folder, "passes.yaml")])
    assert.strictEqual(status, 1)
    assert.include(stdout, `fails.yaml:4: the answer is another`)
    assert.include(stdout, "17 steps, as expected")
  })

  it("reports in several ways at once, and tells on standard error what it would on standard output", () => {
    const file = (name: string) => join(folder, name)
    const reports = ["tap=-", ...["junit", "json", "html"].map((kind) => `${kind}=${file(kind)}`)]
    const asked = reports.flatMap((report) => ["--report", report])
    const nowhere = file("no/where")
    const { status, stdout, stderr } = simulate([
      "run",
      file("passes.yaml"),
      file("fails.yaml"),
      "--quiet",
      "--trace",
      nowhere,
      ...asked
    ])
    assert.strictEqual(status, 2, "the gravest: one file cannot be written")
    assert.include(stderr, `${nowhere} cannot be written`)
    assert.match(stdout, /^TAP version 14\n1\.\.2\nok 1 - The first record\n[^]*\nnot ok 2 - Fails\n[^]* {2}\.\.\.\n$/)
    assert.match(stderr, /^Fails\n/)
    assert.include(stderr, "fails.yaml:4: the answer is another")
    assert.match(readFileSync(file("junit"), "utf8"), /<testsuites name="simulate" tests="2" failures="1" errors="0"/)
    const report = JSON.parse(readFileSync(file("json"), "utf8")) as { readonly totals: object }
    assert.deepStrictEqual(report.totals, { runs: 2, passed: 1, failed: 1, unusable: 0 })
    const page = readFileSync(file("html"), "utf8")
    assert.match(page, /^<!doctype html>/)
    assert.include(page, `"changes":[{"table":"organizations"`)
  })

  it("exits with 2 where a script cannot be used, and runs nothing", () => {
    const { status, stdout, stderr } = simulate(["run", folder, "--report", "github=-"])
    assert.strictEqual(status, 2)
    assert.match(stdout, /^::error file=.*unusable\.yaml,line=3,title=[^\n]*nobody is called iris[^\n]*\n$/)
    assert.include(stderr, "unusable.yaml:3:11: nobody is called iris at this point")
  })

  it.each([
    [["run"]],
    [["run", "nowhere"]],
    [["run", "--bogus"]],
    [["run", "--storage", "paper", "scenarios"]],
    [["run", "--check", "--seed", "7", "scenarios"]],
    [["generate", "--out", "package.json/folder"]]
  ])("exits with 2 for the command line %j", (parameters) => assert.strictEqual(simulate(parameters).status, 2))

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

    const trace = join(folder, "passes.trace.ndjson")
    writeFileSync(trace, written.replace('"status":403', '"status":409'))
    const { status, stdout } = simulate(["run", passes, "--check", "--quiet"])
    assert.strictEqual(status, 1)
    assert.match(stdout, /passes\.trace\.ndjson:\d+: the trace is not the committed one\n/)
    assert.match(stdout, /committed: response scout 409 at .*\n *now: +response scout 403 at .*\n *status: 409 and 403/)
  })
})

describe("scripts below a folder", () => {
  it("are files that can be read; a folder called like one is none, and a link that leads nowhere is told", () => {
    const below = mkdtempSync(join(folder, "below-"))
    mkdirSync(join(below, "folder.yaml"))
    cpSync("scenarios/01-first-record.yaml", join(below, "folder.yaml", "one.yaml"))
    symlinkSync(join(below, "gone"), join(below, "nowhere.yaml"))
    symlinkSync("circle.yaml", join(below, "circle.yaml"))
    const told = Result.getOrThrow(findScripts([below])).map(({ file, scenario }) => [
      relative(below, file),
      Result.match(scenario, { onFailure: (problem) => problem.replaceAll(below, ""), onSuccess: () => "read" })
    ])
    assert.deepStrictEqual(
      told.map(([file]) => file),
      ["circle.yaml", "folder.yaml/one.yaml", "nowhere.yaml"]
    )
    assert.match(told[0]![1]!, /circle\.yaml cannot be read: ELOOP/)
    assert.strictEqual(told[1]![1], "read")
    assert.match(told[2]![1]!, /nowhere\.yaml cannot be read: ENOENT/)
  })
})

describe("what the same script leaves on several machines", () => {
  const run = (file: string) => ({ file, verdict: "PASSED" as const, trace: "{}\n", story: "one\n" })

  it("is held against the committed trace and story, of which none may be missing beside others", () => {
    const beside = mkdtempSync(join(folder, "verified-"))
    const [bare, file] = [join(beside, "bare.yaml"), join(beside, "whole.yaml")]
    assert.isUndefined(complaintAbout([run(bare), run(bare)]), "nobody committed anything")
    assert.isTrue(hasNothingCommitted(bare))
    writeGolden(file, run(file))
    assert.isUndefined(complaintAbout([run(file), run(file)]))
    assert.match(complaintAbout([run(bare)]) ?? "", /there is no .*bare\.trace\.ndjson; .*\nthere is no .*bare\.txt;/)
    writeFileSync(join(beside, "whole.txt"), "two\n")
    assert.match(complaintAbout([run(file)]) ?? "", /^the stories part at line 1\n +committed: two\n +machine 1: one$/)
    rmSync(join(beside, "whole.txt"))
    assert.match(complaintAbout([run(file)]) ?? "", /^there is no .*whole\.txt; /)
  })
})

describe("what is committed beside a script", () => {
  const simulated = (trace: string, story: string) => ({ trace, story })
  const line = (status: number) => `{"at":"now","kind":"response","status":${status}}\n`

  it("is as a run leaves it, or differs at a line of the trace or else of the story, or is not there", () => {
    const file = join(folder, "golden.yaml")
    const [missing] = differencesFromGolden(file, simulated(line(200), "one\ntwo\n"))
    assert.deepInclude(missing, {
      file,
      line: 1,
      reason: `there is no ${join(folder, "golden.trace.ndjson")}; --update writes it`
    })
    writeGolden(file, simulated(line(200), "one\ntwo\n"))
    assert.deepStrictEqual(differencesFromGolden(file, simulated(line(200), "one\ntwo\n")), [])
    assert.isFalse(isOtherThanCommitted(file, simulated(line(200), "one\ntwo\n")))

    const other = simulated(line(200) + line(403), "one\nthree\n")
    assert.isTrue(isOtherThanCommitted(file, other))
    const [trace, ...more] = differencesFromGolden(file, other)
    assert.deepStrictEqual(more, [])
    assert.deepInclude(trace, { file: join(folder, "golden.trace.ndjson"), line: 2 })
    assert.deepStrictEqual(trace!.trace, [line(200).trimEnd(), line(403).trimEnd()])
    const [story] = differencesFromGolden(file, simulated(line(200), "one\nthree\n"))
    assert.deepInclude(story, { line: 2, details: ["committed: two", "now:       three"] })
  })
})
