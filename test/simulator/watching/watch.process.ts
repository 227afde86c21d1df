import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { LastResults, type ScenarioResult } from "../../../simulator/watching/last-results.ts"

let folder = ""
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "countersign-watch-"))))
afterAll(() => rmSync(folder, { recursive: true }))

describe("scenarios affected by a change", () => {
  const result = (file: string, more: Partial<ScenarioResult> = {}): ScenarioResult => ({
    file,
    verdict: "PASSED",
    failureLines: [],
    trace: "",
    goldenDifferences: [],
    parts: [],
    milliseconds: 1,
    ...more
  })
  const changed = (...files: ReadonlyArray<string>) => new Set(files.map((file) => resolve(file)))
  const files = ["a.yaml", "b.yaml", "c.yaml"]

  it("A change affects the script itself, the script of a golden file, and the scripts that use a changed part", () => {
    const last = new LastResults()
    last.put(result("a.yaml", { parts: ["parts/agreed.yaml"] }))
    last.put(result("b.yaml"))
    last.put(result("c.yaml", { parts: ["parts/agreed.yaml"] }))
    assert.deepStrictEqual(last.affectedBy(changed("b.yaml"), files), ["b.yaml"])
    assert.deepStrictEqual(last.affectedBy(changed("b.trace.ndjson"), files), ["b.yaml"])
    assert.deepStrictEqual(last.affectedBy(changed("parts/agreed.yaml"), files), ["a.yaml", "c.yaml"])
    assert.deepStrictEqual(last.affectedBy(changed("notes.md"), files), [])
    assert.deepStrictEqual(last.affectedBy(changed("notes.md"), [...files, "new.yaml"]), ["new.yaml"])
  })

  it("Affected scenarios run in order of their latest failure, and an unreadable script is affected by any script", () => {
    const last = new LastResults()
    last.put(result("a.yaml"))
    last.put(result("b.yaml", { verdict: "FAILED" }))
    last.put(result("c.yaml", { verdict: "UNREADABLE" }))
    assert.deepStrictEqual(last.inOrder(files), ["c.yaml", "b.yaml", "a.yaml"])
    assert.deepStrictEqual(last.affectedBy(changed("parts/agreed.yaml"), files), ["c.yaml"])
    last.put(result("b.yaml", { verdict: "FAILED" }))
    assert.deepStrictEqual(last.failed, ["b.yaml", "c.yaml"])
    last.put(result("c.yaml"))
    last.retain(["a.yaml", "c.yaml"])
    assert.deepStrictEqual(last.failed, [])
    assert.deepStrictEqual(
      last.all.map(({ file }) => file),
      ["a.yaml", "c.yaml"]
    )
  })
})

/** The output of a process. */
class Output {
  #text = ""
  #from = 0
  readonly #child: ChildProcess

  constructor(child: ChildProcess) {
    this.#child = child
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.#text += text))
  }

  /** The output since the last call, up to the end of a line with this text. */
  async until(text: string): Promise<string> {
    for (;;) {
      const at = this.#text.indexOf(text, this.#from)
      const end = at < 0 ? -1 : this.#text.indexOf("\n", at)
      if (end >= 0) {
        const output = this.#text.slice(this.#from, end)
        this.#from = end
        return output
      }
      if (this.#child.exitCode !== null) assert.fail(`it ended without ${text}:\n${this.#text}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

describe("simulate watch", () => {
  it("simulate watch exits with 2 if there is no scenario", () => {
    const empty = mkdtempSync(join(folder, "empty-"))
    const { status, stdout } = spawnSync(process.execPath, ["simulator/main.ts", "watch", empty], {
      input: "",
      encoding: "utf8"
    })
    assert.strictEqual(status, 2)
    assert.include(stdout, `${empty} contains no scenario`)
  })

  it("simulate watch reruns changed scenarios, reports differences, continues after failures, and ends with its input", async () => {
    const scenarios = join(folder, "scenarios")
    mkdirSync(join(scenarios, "parts"), { recursive: true })
    const shipped = "scenarios/agents/slow-down"
    cpSync(`${shipped}/scenario.yaml`, join(scenarios, "slow.yaml"))
    cpSync(`${shipped}/trace.ndjson`, join(scenarios, "slow.trace.ndjson"))
    cpSync(`${shipped}/story.txt`, join(scenarios, "slow.txt"))
    const small = (say: string) => `scenario: Small\ngiven: { visitors: { iris: Iris } }\nsteps:\n  - ${say}\n`
    writeFileSync(join(scenarios, "small.yaml"), small("use: parts/one.yaml"))
    const part = (status: number) =>
      `part: One\nsteps:\n  - { as: iris, send: { method: GET, path: /nowhere }, expect: { status: ${status} } }\n`
    writeFileSync(join(scenarios, "parts/one.yaml"), part(404))

    const child = spawn(process.execPath, ["simulator/main.ts", "watch", scenarios], {
      stdio: ["pipe", "pipe", "inherit"]
    })
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve))
    try {
      const output = new Output(child)
      const begun = await output.until("2 scenarios: 2 passed")
      assert.match(begun, /passed +\S*slow\.yaml/)
      assert.match(begun, /passed +\S*small\.yaml/)

      // As editors do: a new file replaces the watched one.
      const replace = (name: string, text: string) => {
        writeFileSync(join(scenarios, ".swap"), text)
        renameSync(join(scenarios, ".swap"), join(scenarios, name))
      }
      const slow = readFileSync(join(scenarios, "slow.yaml"), "utf8")
      replace("slow.yaml", slow.replace(/^seed: .*$/m, "seed: 99"))
      const other = await output.until("1 differs from the committed trace")
      assert.match(
        other,
        /passed +\S*slow\.yaml \(\d+ ms\)\n {2}the trace differs from the previous run\n[^]*seed: 4 and 99/
      )
      assert.match(other, /the trace differs from the committed one\n[^]*seed: 4 and 99/)

      replace("slow.yaml", `${slow}  - { as: nobody, do: nothing }\n`)
      const broken = await output.until("1 failed")
      assert.match(broken, /UNREADABLE \S*slow\.yaml/)
      assert.match(broken, /slow\.yaml:\d+:\d+: unknown actor nobody/)

      writeFileSync(join(scenarios, "parts/one.yaml"), part(200))
      const failed = await output.until("2 failed")
      assert.match(
        failed,
        /FAILED +\S*small\.yaml[^]*one\.yaml:3: unexpected response\n +status: expected 200, got 404/
      )

      replace("slow.yaml", slow)
      await output.until("2 scenarios: 1 passed, 1 failed")
      child.stdin.write("f\n")
      const again = await output.until("2 scenarios: 1 passed, 1 failed")
      assert.match(again, /FAILED +\S*small\.yaml/)
      child.stdin.end()
      assert.strictEqual(await ended, 1)
    } finally {
      child.kill()
    }
  })
})
