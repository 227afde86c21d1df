import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { LastRuns, type Seen } from "../../simulator/watching/seen.ts"

let folder = ""
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "countersign-watch-"))))
afterAll(() => rmSync(folder, { recursive: true }))

describe("what a change touches", () => {
  const seen = (file: string, more: Partial<Seen> = {}): Seen => ({
    file,
    verdict: "PASSED",
    complaint: [],
    trace: "",
    fromCommitted: [],
    parts: [],
    milliseconds: 1,
    ...more
  })
  const changed = (...files: ReadonlyArray<string>) => new Set(files.map((file) => resolve(file)))
  const files = ["a.yaml", "b.yaml", "c.yaml"]

  it("is a script itself, what is committed beside it, and whoever uses a part", () => {
    const last = new LastRuns()
    last.put(seen("a.yaml", { parts: ["parts/agreed.yaml"] }))
    last.put(seen("b.yaml"))
    last.put(seen("c.yaml", { parts: ["parts/agreed.yaml"] }))
    assert.deepStrictEqual(last.touchedBy(changed("b.yaml"), files), ["b.yaml"])
    assert.deepStrictEqual(last.touchedBy(changed("b.trace.ndjson"), files), ["b.yaml"])
    assert.deepStrictEqual(last.touchedBy(changed("parts/agreed.yaml"), files), ["a.yaml", "c.yaml"])
    assert.deepStrictEqual(last.touchedBy(changed("notes.md"), files), [])
    assert.deepStrictEqual(last.touchedBy(changed("notes.md"), [...files, "new.yaml"]), ["new.yaml"])
  })

  it("is run in the order in which it failed last, and what cannot be read with every script", () => {
    const last = new LastRuns()
    last.put(seen("a.yaml"))
    last.put(seen("b.yaml", { verdict: "FAILED" }))
    last.put(seen("c.yaml", { verdict: "UNREADABLE" }))
    assert.deepStrictEqual(last.inOrder(files), ["c.yaml", "b.yaml", "a.yaml"])
    assert.deepStrictEqual(last.touchedBy(changed("parts/agreed.yaml"), files), ["c.yaml"])
    last.put(seen("b.yaml", { verdict: "FAILED" }))
    assert.deepStrictEqual(last.failed, ["b.yaml", "c.yaml"])
    last.put(seen("c.yaml"))
    last.keep(["a.yaml", "c.yaml"])
    assert.deepStrictEqual(last.failed, [])
    assert.deepStrictEqual(
      last.all.map(({ file }) => file),
      ["a.yaml", "c.yaml"]
    )
  })
})

/** What a process has written, as it comes. */
class Output {
  #text = ""
  #from = 0
  readonly #child: ChildProcess

  constructor(child: ChildProcess) {
    this.#child = child
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.#text += text))
  }

  /** Everything since the last time, up to the end of a line that holds this text. */
  async until(text: string): Promise<string> {
    for (;;) {
      const at = this.#text.indexOf(text, this.#from)
      const end = at < 0 ? -1 : this.#text.indexOf("\n", at)
      if (end >= 0) {
        const told = this.#text.slice(this.#from, end)
        this.#from = end
        return told
      }
      if (this.#child.exitCode !== null) assert.fail(`it ended without ${text}:\n${this.#text}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

describe("simulate watch", () => {
  it("exits with 2 where there was nothing to run", () => {
    const empty = mkdtempSync(join(folder, "empty-"))
    const { status, stdout } = spawnSync(process.execPath, ["simulator/main.ts", "watch", empty], {
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") },
      input: "",
      encoding: "utf8"
    })
    assert.strictEqual(status, 2)
    assert.include(stdout, `there is no scenario in ${empty}`)
  })

  it("runs what changed again, says how it differs, keeps going where it is broken, and ends with its input", async () => {
    const scenarios = join(folder, "scenarios")
    mkdirSync(join(scenarios, "parts"), { recursive: true })
    for (const name of ["yaml", "trace.ndjson", "txt"]) {
      cpSync(`scenarios/04-slow-down.${name}`, join(scenarios, `slow.${name}`))
    }
    const small = (say: string) => `scenario: Small\ngiven: { visitors: { iris: Iris } }\nsteps:\n  - ${say}\n`
    writeFileSync(join(scenarios, "small.yaml"), small("use: parts/one.yaml"))
    const part = (status: number) =>
      `part: One\nsteps:\n  - { as: iris, send: { method: GET, path: /nowhere }, expect: { status: ${status} } }\n`
    writeFileSync(join(scenarios, "parts/one.yaml"), part(404))

    const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") }
    const child = spawn(process.execPath, ["simulator/main.ts", "watch", scenarios], {
      env,
      stdio: ["pipe", "pipe", "inherit"]
    })
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve))
    try {
      const output = new Output(child)
      const begun = await output.until("2 scenarios: 2 passed")
      assert.match(begun, /passed +\S*slow\.yaml/)
      assert.match(begun, /passed +\S*small\.yaml/)

      // As an editor does: another file takes the place of the one that is watched.
      const replace = (name: string, text: string) => {
        writeFileSync(join(scenarios, ".swap"), text)
        renameSync(join(scenarios, ".swap"), join(scenarios, name))
      }
      const slow = readFileSync(join(scenarios, "slow.yaml"), "utf8")
      replace("slow.yaml", slow.replace(/^seed: .*$/m, "seed: 99"))
      const other = await output.until("1 leaves another trace than the committed one")
      assert.match(other, /passed +\S*slow\.yaml \(\d+ ms\)\n {2}the trace is another than before\n[^]*seed: 4 and 99/)
      assert.match(other, /the trace is not the committed one\n[^]*seed: 4 and 99/)

      replace("slow.yaml", `${slow}  - { as: nobody, do: nothing }\n`)
      const broken = await output.until("1 did not")
      assert.match(broken, /UNREADABLE \S*slow\.yaml/)
      assert.match(broken, /slow\.yaml:\d+:\d+: nobody is called nobody at this point/)

      writeFileSync(join(scenarios, "parts/one.yaml"), part(200))
      const failed = await output.until("2 did not")
      assert.match(
        failed,
        /FAILED +\S*small\.yaml[^]*one\.yaml:3: the answer is another\n +status: expected 200, got 404/
      )

      replace("slow.yaml", slow)
      await output.until("2 scenarios: 1 passed, 1 did not")
      child.stdin.write("f\n")
      const again = await output.until("2 scenarios: 1 passed, 1 did not")
      assert.match(again, /FAILED +\S*small\.yaml/)
      child.stdin.end()
      assert.strictEqual(await ended, 1)
    } finally {
      child.kill()
    }
  })
})
