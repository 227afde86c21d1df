/**
 * Runs the blocks of `first-record.md` in one shell, in order, against a new server, as its reader does; then those of
 * `verify-a-record.md` with the resulting package and the keys.
 */
import { spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { sources } from "../support/built-program.ts"
import { embeddedInstallation, temporaryDirectory } from "../support/installation.ts"
import { startServer } from "../support/server.ts"

const root = path.resolve(import.meta.dirname, "../..")
const blocksOf = (page: string): ReadonlyArray<string> =>
  [...fs.readFileSync(path.join(root, "docs/learning", page), "utf8").matchAll(/^```sh\n(.*?)^```$/gms)].map(
    ([, block]) => block!
  )

/** The second reader receives these two files only. */
const handedOver = `field record < first-record/review-file.json > package.jws
mv first-record/keys.json keys.json
`

const blocks = blocksOf("first-record.md")

const isMissing = (command: string): boolean => spawnSync(command, ["--version"]).error !== undefined
const missing = ["bash", "curl", "npm"].filter(isMissing)

it.live.skipIf(missing.length > 0)(
  "The blocks of first-record.md end in VERIFIED_WITH_LIMITATIONS (needs curl).",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        assert.isAtLeast(blocks.length, 10)
        const folder = yield* checkout
        const { DATA_DIR } = yield* embeddedInstallation
        const environment = { DATA_DIR }
        const { origin, child, ended } = yield* startServer(environment, sources)
        const { code, output } = yield* runInOneShell(folder, {
          ...environment,
          API: `${origin}/api/agents/v1`,
          SITE: origin,
          PORT: new URL(origin).port
        })
        assert.strictEqual(code, 0, output)
        for (const state of ["AWAITING_SUPPLIER", "LOCKED", "BUYER_CONFIRMED", "ISSUED"]) assert.include(output, state)
        assert.lengthOf(output.match(/^VERIFIED_WITH_LIMITATIONS$/gm) ?? [], 2)
        assert.include(output, "name: 'logo.svg'")
        child.kill("SIGTERM")
        yield* Effect.promise(() => ended)
      })
    ),
  180_000
)

/** A copy of the project's folder as far as the page uses it, so that the real one is not changed. */
const checkout = Effect.map(temporaryDirectory, (folder) => {
  for (const name of ["package.json", "src", "bin", "node_modules"]) {
    fs.symlinkSync(path.join(root, name), path.join(folder, name))
  }
  return folder
})

/** The PATH without npm's additions: the reader's `node` is the system's. */
const readersPath = (process.env["PATH"] ?? "")
  .split(path.delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .join(path.delimiter)

const runInOneShell = (folder: string, environment: Readonly<Record<string, string>>) =>
  Effect.callback<{ readonly code: number | null; readonly output: string }>((resume) => {
    const env = { ...process.env, ...environment, PATH: readersPath }
    const shell = spawn("bash", ["-euo", "pipefail", "-s"], { cwd: folder, env })
    let output = ""
    for (const stream of [shell.stdout, shell.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk))
    shell.on("close", (code) => resume(Effect.succeed({ code, output })))
    shell.stdin.end([...blocks, handedOver, ...blocksOf("verify-a-record.md")].join("\n"))
  })
