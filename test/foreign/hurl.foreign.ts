/** The Hurl collection as its page says: a fresh server, its two people, and every file by `hurl --test`. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { collectionFolder } from "../../tools/hurl-collection.ts"
import { programOfTests } from "../support/built-program.ts"
import { embeddedInstallation, temporaryDirectory, type Environment } from "../support/installation.ts"
import { node, startServer } from "../support/server.ts"

const run = (file: string, parameters: ReadonlyArray<string>, environment: Environment = {}) =>
  Effect.promise(async () => {
    const env = { PATH: `${path.dirname(node)}:${process.env["PATH"]}`, ...environment }
    const child = spawn(file, parameters, { env, stdio: ["ignore", "pipe", "pipe"] })
    const output = { stdout: "", stderr: "" }
    child.stdout.on("data", (chunk: Buffer) => (output.stdout += String(chunk)))
    child.stderr.on("data", (chunk: Buffer) => (output.stderr += String(chunk)))
    const [status] = (await once(child, "close")) as [number | null]
    return { status, ...output }
  })

const files = fs
  .readdirSync(collectionFolder)
  .filter((name) => name.endsWith(".hurl"))
  .map((name) => path.join(collectionFolder, name))

it.live(
  "Every file of the Hurl collection succeeds against a fresh server, and a file with a wrong assert fails.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const environment = yield* embeddedInstallation
        const { origin } = yield* startServer(environment)
        const countersign = { COUNTERSIGN: `${node} ${programOfTests()}`, ORIGIN: origin }
        const people = yield* run("sh", [path.join(collectionFolder, "people.sh")], { ...environment, ...countersign })
        assert.strictEqual(people.status, 0, people.stderr)
        const folder = yield* temporaryDirectory
        const variables = path.join(folder, "people.env")
        fs.writeFileSync(variables, people.stdout)
        const test = (...names: ReadonlyArray<string>) =>
          run("hurl", ["--test", "--variables-file", variables, ...names])

        const { status, stderr } = yield* test(...files)
        assert.strictEqual(status, 0, stderr)
        assert.include(stderr, `Succeeded files:   ${files.length} (100.0%)`)

        const wrong = path.join(folder, "wrong.hurl")
        const right = fs.readFileSync(path.join(collectionFolder, "connection-approved.hurl"), "utf8")
        fs.writeFileSync(wrong, right.replace('"$.state" == "PENDING"', '"$.state" == "CONNECTED"'))
        const failed = yield* test(wrong)
        assert.strictEqual(failed.status, 4, failed.stderr)
        assert.include(failed.stderr, "actual:   string <PENDING>")
      })
    ),
  300_000
)
