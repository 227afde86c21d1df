import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Result } from "effect"
import { readScript } from "../../../simulator/scenario/files.ts"
import { simulate } from "../../../simulator/scenario/simulate.ts"
import { runSimulate } from "../../support/run-simulator.ts"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

let folder = ""
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "countersign-step-"))))
afterAll(() => rmSync(folder, { recursive: true }))

const step = (file: string, ...lines: ReadonlyArray<string>) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["simulator/main.ts", "step", file], {
    input: lines.join("\n"),
    encoding: "utf8"
  })
  return { status, stdout, stderr }
}

const crashes = "scenarios/faults/worker-crash/scenario.yaml"

describe("simulate step", () => {
  it("simulate step executes commands from a pipe, and the saved scenario replays with the same trace", () => {
    const saved = join(folder, "saved.yaml")
    const { status, stdout, stderr } = step(
      crashes,
      "next 2",
      "back",
      "branch other",
      "until 2026-10-05T09:00:29.999Z",
      "next",
      "choose",
      "choose world:timer",
      "next",
      "do { advance: 1h }",
      `save ${saved}`,
      "show trace",
      "branches"
    )
    assert.strictEqual(stderr, "")
    assert.strictEqual(status, 0, stdout)
    assert.include(stdout, "A worker crashes\n")
    assert.include(stdout, "main, step 2 of 37, 2026-10-05 09:00:00 > back\nmain, step 1 of 37, ")
    assert.match(stdout, /choice 1 of \d+: which goes first\?\n {2}1 {2}worker-2:timer\n/)
    assert.match(stdout, /\n {2}main: step 1 of 37, .*\n\* other: step \d+ of 38, 2026-10-05 10:00:30\n/)
    const { verdict, trace } = simulate(Result.getOrThrow(readScript(saved)), { file: saved })
    assert.strictEqual(verdict, "PASSED")
    const lastStep = stdout.split("\n").filter((line) => line.startsWith('{"at"'))
    const replayed = trace.trimEnd().split("\n").slice(0, -1)
    assert.isAbove(lastStep.length, 1)
    assert.deepStrictEqual(replayed.slice(-lastStep.length), lastStep)
  })

  it("simulate step exits with 1 if the last step failed, and with 0 after it was undone", () => {
    const wrong = "do { as: hooks, do: received, expect: { body: { count: 1 } } }"
    const failed = step(crashes, "next", wrong)
    assert.strictEqual(failed.status, 1)
    assert.include(failed.stdout, "count: expected 1, got 0")
    assert.strictEqual(step(crashes, "next", wrong, "back", "quit", "next").status, 0)
  })

  it("simulate step exits with 2 if a command of a pipe was refused", () => {
    const { status, stdout } = step(crashes, "netx", "next", "save walked.yml")
    assert.strictEqual(status, 2)
    assert.include(stdout, "unknown command netx; did you mean next?")
    assert.include(stdout, "a scenario file ends with .yaml: save walked.yaml")
  })

  it("simulate step exits with 2 if the script cannot be read", async () => {
    const { status, stderr } = await runSimulate(["step", "test/simulator/broken/unknown-actor.yaml"])
    assert.strictEqual(status, 2)
    assert.include(stderr, "unknown-actor.yaml:")
  })
})
