/** What `countersign listen` refuses before its first request, and the file that keeps its checkpoint. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryDirectory } from "../support/installation.ts"
import { startLocalProgram } from "../support/local-program.ts"
import { runCommand } from "../support/run-command.ts"

const secrets = { COUNTERSIGN_TOKEN: "t", COUNTERSIGN_WEBHOOK_SECRET: "s" }
const here = ["--subscription", "whs_1", "--forward", "http://localhost:3000"]

/** What is wrong, the variables, the options, and words of the message. */
type RefusedStart = readonly [string, Readonly<Record<string, string>>, ReadonlyArray<string>, string]

const refusedStarts: ReadonlyArray<RefusedStart> = [
  ["another machine", secrets, ["--subscription", "whs_1", "--forward", "http://10.0.0.1:3000"], "--allow-remote"],
  [
    "a name that only begins like this machine",
    secrets,
    [...here.slice(0, 3), "http://localhost.example"],
    "--allow-remote"
  ],
  ["an address with a user name", secrets, [...here.slice(0, 3), "http://me:pw@localhost:3000"], "without a user name"],
  ["another scheme", secrets, [...here.slice(0, 3), "file:///etc/passwd"], "http or https"],
  [
    "a service elsewhere without TLS",
    secrets,
    [...here, "--service", "http://service.example"],
    "https without a path"
  ],
  ["no token", { COUNTERSIGN_WEBHOOK_SECRET: "s" }, here, "set COUNTERSIGN_TOKEN, or name a file with --token-file"],
  ["no secret", { COUNTERSIGN_TOKEN: "t" }, here, "set COUNTERSIGN_WEBHOOK_SECRET, or name a file with --secret-file"],
  ["a file that is not there", secrets, [...here, "--token-file", "/nowhere/token"], "--token-file: ENOENT"]
]

it.live.each(refusedStarts)("It refuses %s with a sentence and exit code 1.", ([, environment, options, sentence]) =>
  Effect.gen(function* () {
    const { code, output } = yield* runCommand(environment, "listen", ...options)
    assert.strictEqual(code, 1, output)
    assert.include(output, sentence)
  })
)

it.live(
  "It continues from the checkpoint in the file of --state, and keeps the next one there for its owner alone.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const state = path.join(yield* temporaryDirectory, "checkpoint")
        const page = (checkpoint: string) => ({
          status: 200,
          body: JSON.stringify({ deliveries: [], next: null, checkpoint })
        })
        const refused = { status: 401, body: JSON.stringify({ error: "AUTH_INVALID", detail: "Ended." }) }
        const service = yield* startLocalProgram((_, before) => [page("c1"), refused, page("c2"), refused][before])
        const options = [...here, "--service", service.origin, "--state", state]
        assert.strictEqual((yield* runCommand(secrets, "listen", ...options)).code, 1)
        assert.strictEqual(fs.readFileSync(state, "utf8"), "c1\n")
        assert.strictEqual(fs.statSync(state).mode & 0o777, 0o600)
        assert.strictEqual((yield* runCommand(secrets, "listen", ...options)).code, 1)
        assert.strictEqual(fs.readFileSync(state, "utf8"), "c2\n")
        const places = service.requests.map(({ url }) => new URL(url, service.origin).searchParams.get("after"))
        assert.deepStrictEqual(places, [null, "c1", "c1", "c2"])
      })
    )
)
