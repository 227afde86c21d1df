/** The search commands in real processes: marked scripts are exhaustive, and findings are saved and replayed. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { findFiles } from "../../../simulator/scenario/files.ts"
import { race } from "./race-script.ts"

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-exhaustive-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

const simulate = (parameters: ReadonlyArray<string>, preloaded: ReadonlyArray<string> = []) =>
  spawnSync(
    process.execPath,
    [...preloaded.flatMap((file) => ["--import", file]), "simulator/main.ts", ...parameters],
    { env: { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") }, encoding: "utf8" }
  )

/** Their searches take as long as all others together; `simulate explore scenarios --exhaustive` includes them. */
const slow = ["revocation-beside-three-sends", "rotation-beside-three-sends"].map(
  (name) => `scenarios/races/${name}/scenario.yaml`
)

const quick = Result.getOrThrow(findFiles(["scenarios"])).filter(
  (file) => !slow.includes(file) && readFileSync(file, "utf8").includes("exhaustive: true")
)

const written = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

describe("simulate explore", () => {
  it("simulate explore --exhaustive is complete for every marked script but the two longest and reaches every listed property", () => {
    const report = join(folder, "verdicts.json")
    const { status, stdout, stderr } = simulate(["explore", ...quick, "--exhaustive", "--report", `json=${report}`])
    assert.strictEqual(status, 0, `${stdout}\n${stderr}`)
    assert.notInclude(stdout, "unreachable step")
    const verdicts: ReadonlyArray<{ readonly file: string; readonly verdict: string }> = JSON.parse(
      readFileSync(report, "utf8")
    )
    assert.lengthOf(verdicts, quick.length)
    assert.isAbove(quick.length, 90)
    assert.deepStrictEqual(
      verdicts.filter(({ verdict }) => verdict !== "COMPLETE"),
      []
    )
    const told = [...stdout.matchAll(/^(\S+\.yaml): complete/gm)].map(([, file]) => file)
    assert.deepStrictEqual(told, [...told].sort())
    assert.lengthOf(told, verdicts.length)
  })

  it("simulate explore reports the same with several workers for one script as with one", () => {
    const reportOf = (script: string, workers: number): string => {
      const report = join(folder, `workers-${workers}.json`)
      const parameters = ["explore", `scenarios/races/${script}/scenario.yaml`, "--workers", String(workers)]
      const { stderr } = simulate([...parameters, "--runs", "150", "--quiet", "--report", `json=${report}`])
      assert.isEmpty(stderr)
      return readFileSync(report, "utf8")
    }
    for (const script of ["pause-and-submission", "lost-reply-and-worker-crash", "deadline-and-grant-expiry"]) {
      assert.strictEqual(reportOf(script, 3), reportOf(script, 1))
    }
  })

  it("simulate explore exits with 1 for a violation and saves a finding that replays until it is fixed", () => {
    const found = join(folder, "found")
    const plant = ["./test/simulator/search/mutated-service.ts"]
    const scripts = ["races/job-and-revocation", "races/hold-and-its-end"]
    const files = scripts.map((name) => `scenarios/${name}/scenario.yaml`)
    const { status, stdout } = simulate(["explore", ...files, "--workers", "2", "--save", found], plant)
    assert.strictEqual(status, 1, stdout)
    assert.include(stdout, "by exhaustive: acknowledged revocation is effective")
    const [saved = "", ...others] = readdirSync(found)
    assert.isEmpty(others)
    assert.include(stdout, `saved: ${join(found, saved)}`)
    const replayed = simulate(["replay", found], plant)
    assert.strictEqual(replayed.status, 1, replayed.stdout)
    assert.include(replayed.stdout, `${saved}: reproduces: acknowledged revocation is effective`)
    const unplanted = simulate(["replay", found])
    assert.strictEqual(unplanted.status, 0, unplanted.stdout)
  })

  it("simulate explore exits with 1 for a script that fails in its written order, with file and line", () => {
    const file = written(
      "wrong.yaml",
      race.replace("{ as: scout, do: me }", "{ as: scout, do: me, expect: { status: 418 } }")
    )
    const { status, stdout } = simulate(["explore", file])
    assert.strictEqual(status, 1, stdout)
    assert.include(stdout, `as written: ${file}:19: unexpected response`)
  })

  it("simulate explore exits with 4 if the time limit ends it before it is complete or a listed property is reached", () => {
    const { status, stdout } = simulate([
      "explore",
      "scenarios/races/pause-and-submission/scenario.yaml",
      "--exhaustive",
      "--for",
      "1ms"
    ])
    assert.strictEqual(status, 4, stdout)
    assert.include(stdout, "not complete: ")
    assert.include(stdout, "not reached yet: ")
    assert.strictEqual(
      simulate(["explore", "scenarios/races/pause-and-submission/scenario.yaml", "--for", "1ms"]).status,
      4
    )
  })

  it("simulate explore reports a killed worker process and searches the other scripts", () => {
    const files = ["a.yaml", "dies.yaml", "z.yaml"].map((name) => written(name, race))
    const killing = `process.on("message", ({ file }) => file.endsWith("dies.yaml") && process.kill(process.pid, "SIGKILL"))`
    const dying = written("dying.mjs", `if (process.send !== undefined) ${killing}\n`)
    const { status, stdout, stderr } = simulate(["explore", ...files, "--workers", "2"], [dying])
    assert.strictEqual(status, 2, stdout)
    assert.include(stderr, "dies.yaml: its process ended with SIGKILL")
    assert.match(stdout, /a\.yaml: complete[^]*z\.yaml: complete/)
  })
})

describe("kept findings", () => {
  it("Every kept finding is fixed", () => {
    const kept = "scenarios/regressions"
    const hasSome = existsSync(kept) && readdirSync(kept).some((name) => name.endsWith(".yaml"))
    const { status, stdout } = hasSome ? simulate(["replay", kept, "--quiet"]) : { status: 0, stdout: "" }
    assert.strictEqual(status, 0, stdout)
  })
})
