/** The shipped scenarios, checked by the commands of the simulator: every environment results in the committed bytes. */
import { spawnSync } from "node:child_process"
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { findFiles } from "../../../simulator/scenario/files.ts"

const scripts = Result.getOrThrow(findFiles(["scenarios"]))
const count = scripts.length

/** Without the scenarios that reach limits, which take most of the time on Postgres; `simulate diff` includes them. */
const slow = ["full-grant", "limits-of-storage", "limits-of-texts"].map(
  (name) => `scenarios/faults/${name}/scenario.yaml`
)
const quick = scripts.filter((file) => !slow.includes(file))

const timeoutMilliseconds = 1_800_000

const simulate = (...parameters: ReadonlyArray<string>) => {
  const began = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, ["simulator/main.ts", ...parameters], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024
  })
  console.log(`simulate ${parameters.join(" ").slice(0, 60)}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
  return { status, stdout, output: stdout + stderr }
}

describe("shipped scenarios", () => {
  it(
    "The shipped scenarios result in the committed bytes on machines with different zone, language, Node, memory and hashing",
    () => {
      const { status, stdout, output } = simulate("verify", "scenarios")
      assert.strictEqual(status, 0, output)
      assert.include(stdout, `${count} scenarios: the same bytes on`)
    },
    timeoutMilliseconds
  )

  it(
    "The simulator detects real time and randomness",
    () => {
      const { status, output } = simulate("verify", "scenarios/first-record/first-record/scenario.yaml", "--canary")
      assert.strictEqual(status, 1, output)
    },
    timeoutMilliseconds
  )

  const generated = 4

  it(
    "Shipped and generated scenarios result in equal bytes in memory and on Postgres, with one instance and with two",
    () => {
      const { status, stdout, output } = simulate("diff", ...quick, "--generated", String(generated))
      assert.strictEqual(status, 0, output)
      assert.match(
        stdout,
        new RegExp(`^${quick.length + generated} scenarios in 4 configurations .*: the same bytes$`, "m")
      )
    },
    timeoutMilliseconds
  )

  it(
    "The shipped scenarios cover every point without an exception",
    () => {
      const { status, output } = simulate("coverage", "--traces")
      assert.strictEqual(status, 0, output)
    },
    timeoutMilliseconds
  )
})
