/**
 * The reader of `first-record.md` copies its blocks into one shell, in order, against a fresh server. The reader of
 * `verify-a-record.md` is given the package that this made, and the keys, and does the same.
 */
import { spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { embeddedInstallation, temporaryDirectory } from "../support/installation.ts"
import { startServer } from "../support/server.ts"

const root = path.resolve(import.meta.dirname, "../..")
const blocksOf = (page: string): ReadonlyArray<string> =>
  [...fs.readFileSync(path.join(root, "docs/learning", page), "utf8").matchAll(/^```sh\n(.*?)^```$/gms)].map(
    ([, block]) => block!
  )

/** Nothing but these two files reaches the second reader. */
const handedOver = `field record < first-record/review-file.json > package.jws
mv first-record/keys.json keys.json
`

const blocks = blocksOf("first-record.md")

const isMissing = (command: string): boolean => spawnSync(command, ["--version"]).error !== undefined
const missing = ["bash", "curl", "npm"].filter(isMissing)

it.live.skipIf(missing.length > 0)(
  "the blocks of first-record.md end in VERIFIED_WITH_LIMITATIONS (needs curl)",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        assert.isAtLeast(blocks.length, 10)
        const folder = yield* checkout
        const { DATA_DIR } = yield* embeddedInstallation
        const environment = { DATA_DIR }
        const { origin, child, ended } = yield* startServer(environment)
        const { code, output } = yield* runInOneShell(folder, {
          ...environment,
          API: `${origin}/api/agents/v1`,
          SITE: origin,
          PORT: new URL(origin).port
        })
        assert.strictEqual(code, 0, output)
        for (const told of ["AWAITING_SUPPLIER", "LOCKED", "BUYER_CONFIRMED", "ISSUED"]) assert.include(output, told)
        assert.lengthOf(output.match(/^VERIFIED_WITH_LIMITATIONS$/gm) ?? [], 2)
        assert.include(output, "name: 'logo.svg'")
        child.kill("SIGTERM")
        yield* Effect.promise(() => ended)
      })
    ),
  180_000
)

/** The project's folder as far as the page uses it, so that nothing is written into the real one. */
const checkout = Effect.map(temporaryDirectory, (folder) => {
  for (const name of ["package.json", "src", "bin", "node_modules"]) {
    fs.symlinkSync(path.join(root, name), path.join(folder, name))
  }
  return folder
})

/** Without what npm has put before it for this run: the reader's `node` is the system's. */
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
