/** Runs the blocks of `simulate-an-agent.md` in one shell, in order, against a served world. */
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { serveSimulator } from "../support/simulator-process.ts"

const root = path.resolve(import.meta.dirname, "../..")
const page = fs.readFileSync(path.join(root, "docs/learning/simulate-an-agent.md"), "utf8")
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!)

/** A copy of the project's folder as far as the page uses it, so that the real one is not written to. */
const checkout = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-page-"))
    for (const name of ["package.json", "src", "simulator", "test", "node_modules"]) {
      fs.symlinkSync(path.join(root, name), path.join(folder, name))
    }
    return folder
  }),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
)

/** One shell for all blocks; its child processes are ended with it. */
const runInOneShell = (folder: string, environment: Readonly<Record<string, string>>) =>
  Effect.callback<{ readonly code: number | null; readonly output: string }>((resume) => {
    const env = { ...process.env, ...environment }
    const shell = spawn("bash", ["-euo", "pipefail", "-s"], { cwd: folder, env, detached: true })
    let output = ""
    for (const stream of [shell.stdout, shell.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk))
    const impatience = setTimeout(() => process.kill(-shell.pid!, "SIGKILL"), 150_000)
    shell.on("close", (code) => {
      clearTimeout(impatience)
      resume(Effect.succeed({ code, output }))
    })
    shell.stdin.end(blocks.join("\n"))
  })

it.live(
  "The blocks of simulate-an-agent.md end with the same trace.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        assert.isAtLeast(blocks.length, 7)
        const folder = yield* checkout
        const origin = yield* serveSimulator("docs/learning/simulate-an-agent.yaml", "--play")
        const { code, output } = yield* runInOneShell(folder, { SIM: origin })
        assert.strictEqual(code, 0, output)
        for (const told of [
          `"replayed": true`,
          `"changes.requested"`,
          "BUYER_REJECTED",
          `"state": "BUYER_CONFIRMED"`,
          "the same"
        ]) {
          assert.include(output, told)
        }
        assert.notInclude(output, `"CALLBACK_REFUSED"`)
      })
    ),
  180_000
)
