/** The shipped scenarios through the commands that hold them: wherever and whenever they run, the committed bytes. */
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { assert, describe, it } from "vitest"

const scripts = readdirSync("scenarios").filter((name) => name.endsWith(".yaml"))
const count = scripts.length

/** Those that fill something to its limit take most of the time on Postgres; `simulate diff` has them too. */
const quick = scripts.filter((name) => !/^9[0-2]-/.test(name)).map((name) => `scenarios/${name}`)

const longest = 600_000

const simulate = (...parameters: ReadonlyArray<string>) => {
  const began = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, ["simulator/main.ts", ...parameters], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024
  })
  console.log(`simulate ${parameters.join(" ").slice(0, 60)}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
  return { status, stdout, told: stdout + stderr }
}

describe("the shipped scenarios", () => {
  it(
    "run as committed",
    () => {
      const { status, told } = simulate("run", "scenarios", "--check", "--quiet")
      assert.strictEqual(status, 0, told)
    },
    longest
  )

  it(
    "leave the committed bytes on machines that differ in zone, language, Node, memory and hashing",
    () => {
      const { status, stdout, told } = simulate("verify", "scenarios")
      assert.strictEqual(status, 0, told)
      assert.include(stdout, `${count} scenarios: the same bytes on`)
    },
    longest
  )

  it(
    "are run by something that notices real time and randomness",
    () => {
      const { status, told } = simulate("verify", "scenarios/01-first-record.yaml", "--canary")
      assert.strictEqual(status, 1, told)
    },
    longest
  )

  const generated = 4

  it(
    "leave the same bytes in memory and on Postgres, with one instance and two, as generated ones do",
    () => {
      const { status, stdout, told } = simulate("diff", ...quick, "--generated", String(generated))
      assert.strictEqual(status, 0, told)
      assert.match(
        stdout,
        new RegExp(`^${quick.length + generated} scenarios in 4 configurations .*: the same bytes$`, "m")
      )
    },
    longest
  )

  it(
    "touch everything that is not excepted",
    () => {
      const { status, told } = simulate("coverage", "--traces")
      assert.strictEqual(status, 0, told)
    },
    longest
  )
})
