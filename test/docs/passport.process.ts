/** Runs the blocks of `passport.md` in one shell, as its reader does, on results that two people published. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { blocksOf, checkout, missingCommands, runInOneShell } from "../support/learning-pages.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { publishedResult, withdraw } from "../support/publications.ts"
import { serveOnSocket } from "../support/socket-service.ts"

const blocks = blocksOf("passport.md")

it.live.skipIf(missingCommands().length > 0)(
  "The blocks of passport.md verify a passport, whose new statement says UNAVAILABLE after a withdrawal (needs curl).",
  () =>
    Effect.gen(function* () {
      assert.lengthOf(blocks, 4)
      const folder = yield* checkout
      const { buyer, publication, subjectId } = yield* publishedResult
      const environment = { SITE: yield* serveOnSocket, SUBJECT: subjectId }
      const first = yield* runInOneShell(folder, environment, blocks)
      assert.strictEqual(first.code, 0, first.output)
      assert.lengthOf(first.output.match(/^VERIFIED_WITH_LIMITATIONS$/gm) ?? [], 2)
      assert.lengthOf(first.output.match(/^ {2}status +AVAILABLE$/gm) ?? [], 2)
      yield* withdraw(buyer, publication)
      const again = yield* runInOneShell(folder, environment, [
        `PROVIDER=$SITE/api/public/providers/$SUBJECT`,
        blocks[3]!
      ])
      assert.strictEqual(again.code, 0, again.output)
      assert.match(again.output, /^VERIFIED_WITH_LIMITATIONS$/m)
      assert.match(again.output, /^ {2}status +UNAVAILABLE$/m)
    }).pipe(Effect.scoped, Effect.provide(memoryTestService)),
  60_000
)
