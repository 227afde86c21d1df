/** Runs the shell blocks of a learning page in one shell, in order, as its reader does. */
import { spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect } from "effect"
import { programOfTests } from "./built-program.ts"
import { temporaryDirectory } from "./installation.ts"

const root = path.resolve(import.meta.dirname, "../..")

export const blocksOf = (page: string): ReadonlyArray<string> =>
  [...fs.readFileSync(path.join(root, "docs/learning", page), "utf8").matchAll(/^```sh\n(.*?)^```$/gms)].map(
    ([, block]) => block!
  )

/** The commands that the blocks use and this machine lacks. */
export const missingCommands = (): ReadonlyArray<string> =>
  ["bash", "curl", "npm"].filter((command) => spawnSync(command, ["--version"]).error !== undefined)

/**
 * A copy of the project's folder as far as the pages use it, so that the real one is not changed. Its `countersign` is the
 * built one, which `bin/countersign` runs where `src/main.ts` is absent: a page starts it up to ten times.
 */
export const checkout = Effect.map(temporaryDirectory, (folder) => {
  for (const name of ["package.json", "node_modules", "src/verifier", "src/canonical"]) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    fs.symlinkSync(path.join(root, name), path.join(folder, name))
  }
  fs.cpSync(path.join(root, "bin"), path.join(folder, "bin"), { recursive: true })
  fs.mkdirSync(path.join(folder, "dist/src"), { recursive: true })
  fs.mkdirSync(path.join(folder, "dist/src/verifier"))
  fs.symlinkSync(path.join(root, "src/verifier/main.ts"), path.join(folder, "dist/src/verifier/main.js"))
  fs.writeFileSync(path.join(folder, "dist/src/main.js"), `await import(${JSON.stringify(programOfTests())})\n`)
  return folder
})

/** The PATH without npm's additions: the reader's `node` is the system's. */
const readersPath = (process.env["PATH"] ?? "")
  .split(path.delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .join(path.delimiter)

export const runInOneShell = (
  folder: string,
  environment: Readonly<Record<string, string>>,
  blocks: ReadonlyArray<string>
) =>
  Effect.callback<{ readonly code: number | null; readonly output: string }>((resume) => {
    const env = { ...process.env, ...environment, PATH: readersPath }
    const shell = spawn("bash", ["-euo", "pipefail", "-s"], { cwd: folder, env })
    let output = ""
    for (const stream of [shell.stdout, shell.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk))
    shell.on("close", (code) => resume(Effect.succeed({ code, output })))
    shell.stdin.end(blocks.join("\n"))
  })
