/**
 * Runs the blocks of `first-record.md` in one shell, in order, against a new server, as its reader does; then those of
 * `verify-a-record.md` with the resulting package and the keys.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { sources } from "../support/built-program.ts"
import { embeddedInstallation } from "../support/installation.ts"
import { blocksOf, checkout, missingCommands, runInOneShell } from "../support/learning-pages.ts"
import { startServer } from "../support/server.ts"

/** The second reader receives these two files only. */
const handedOver = `field record < first-record/review-file.json > package.jws
mv first-record/keys.json keys.json
`

const blocks = blocksOf("first-record.md")

it.live.skipIf(missingCommands().length > 0)(
  "The blocks of first-record.md end in VERIFIED_WITH_LIMITATIONS (needs curl).",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        assert.isAtLeast(blocks.length, 10)
        const folder = yield* checkout
        const { DATA_DIR } = yield* embeddedInstallation
        const environment = { DATA_DIR }
        const { origin, child, ended } = yield* startServer(environment, sources)
        const shell = { ...environment, API: `${origin}/api/agents/v1`, SITE: origin, PORT: new URL(origin).port }
        const pages = [...blocks, handedOver, ...blocksOf("verify-a-record.md")]
        const { code, output } = yield* runInOneShell(folder, shell, pages)
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
