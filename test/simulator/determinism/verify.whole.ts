import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

let project = ""
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "countersign-verify-"))
  for (const part of ["src", "simulator", "package.json"]) cpSync(part, join(project, part), { recursive: true })
  symlinkSync(resolve("node_modules"), join(project, "node_modules"))
  cpSync("scenarios/first-record/first-record/scenario.yaml", join(project, "record.yaml"))
})
afterAll(() => rmSync(project, { recursive: true }))

/** Runs the command of the copy. */
const verify = (...parameters: ReadonlyArray<string>) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["simulator/main.ts", "verify", ...parameters], {
    cwd: project,
    env: { ...process.env, NODE_COMPILE_CACHE: join(project, "compiled") },
    encoding: "utf8"
  })
  return { status, stdout, stderr }
}

/** Replaces a part of a file while `work` runs, which gets the line of the part. */
const planting = (file: string, original: RegExp, planted: string, work: (line: number) => void) => {
  const place = join(project, file)
  const text = readFileSync(place, "utf8")
  const changed = text.replace(original, planted)
  assert.notStrictEqual(changed, text, `${file} has nothing like ${original}`)
  writeFileSync(place, changed)
  try {
    work(text.slice(0, text.search(original)).split("\n").length)
  } finally {
    writeFileSync(place, text)
  }
}

describe("simulate verify", () => {
  it("simulate verify names every line of the service that leaks, and the first difference of the runs", () => {
    const planted = "\n  Date.now(); Math.random()\n  ;(0).toLocaleString()"
    // A value read at import is out of scope of the guard; the comparison of machines detects it.
    const offset = "const offset = new Date(0).getTimezoneOffset()\n\n"
    const off = "Effect.map(Clock.currentTimeMillis, (time) => fromMilliseconds(time + offset))"
    planting("src/projects/operations.ts", /(?<=export const createProject = [^]*?\) \{)$/m, planted, (line) =>
      planting("src/vocabulary/instant.ts", /(export const now: .* = ).*$/m, `${offset}$1${off}`, () => {
        const { status, stdout } = verify("record.yaml")
        assert.strictEqual(status, 1, stdout)
        const at = (line: number, column: number) => `src/projects/operations.ts:${line}:${column}`
        assert.include(stdout, `real time: Date.now() at ${at(line + 1, 8)}`)
        assert.include(stdout, `real randomness: Math.random() at ${at(line + 1, 20)}`)
        assert.include(stdout, `locale: Number.prototype.toLocaleString() at ${at(line + 2, 8)}`)
        assert.match(
          stdout,
          /traces differ from line \d+ of \d+ and \d+\n(.*\n)* +machine 1: .*\n +machine 2: .*\n.*: ".*" and ".*"/
        )
      })
    )
  })

  it("simulate verify finds equal bytes on all machines without a leak, and compares them with the golden files", () => {
    const golden = join(project, "record.trace.ndjson")
    cpSync("scenarios/first-record/first-record/story.txt", join(project, "record.txt"))
    writeFileSync(
      golden,
      readFileSync("scenarios/first-record/first-record/trace.ndjson", "utf8").replace("Harbor", "Garden")
    )
    const { status, stdout } = verify("record.yaml")
    rmSync(golden)
    rmSync(join(project, "record.txt"))
    assert.strictEqual(status, 1, stdout)
    assert.match(stdout, /machine 1: TZ=Asia\/Kathmandu LC_ALL=tr_TR.*\nmachine 2: TZ=America\/St_Johns LC_ALL=C /)
    assert.match(stdout, /record\.yaml: the traces differ from line \d+ .*\n(.*\n)* +committed: .*\n +machine 1: /)
    assert.notMatch(stdout, / machine 2: /)
  })

  it("simulate verify --canary reports every canary, and each one that the guard missed", () => {
    const { status, stdout } = verify("--canary")
    assert.strictEqual(status, 1, stdout)
    assert.include(stdout, "caught: real time: Date.now() at simulator/determinism/canary.ts:")
    assert.notInclude(stdout, "not caught")
    planting("simulator/kernel/leaks/leak-sources.ts", /"Math", \["random"\]/, `"Math", []`, () => {
      const { status, stdout } = verify("--canary")
      assert.strictEqual(status, 2)
      assert.include(stdout, "not caught: real randomness: Math.random()")
    })
  })

  it.each([[[]], [["--node", "nowhere", "record.yaml"]]])(
    "simulate verify exits with 2 for the parameters %j",
    (parameters) => assert.strictEqual(verify(...parameters).status, 2)
  )
})
