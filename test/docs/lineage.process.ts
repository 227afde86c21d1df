/** Runs the blocks of `lineage.md` in one shell, as its reader does, on a closure with history that a party handed over. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeClosureWithHistory } from "../support/closure-folder.ts"
import { blocksOf, checkout, missingCommands, runInOneShell } from "../support/learning-pages.ts"
import { lineageIds } from "../verifier/sample-lineage.ts"
import { at } from "../verifier/signing.ts"

const blocks = blocksOf("lineage.md")

it.live.skipIf(missingCommands().length > 0)(
  "The blocks of lineage.md verify a closure with history, and print why the supplier was chosen again.",
  () =>
    Effect.gen(function* () {
      assert.lengthOf(blocks, 2)
      const folder = yield* checkout
      writeClosureWithHistory(folder)
      const { code, output } = yield* runInOneShell(folder, { AT: at(21) }, blocks)
      assert.strictEqual(code, 0, output)
      assert.match(output, /^VERIFIED_WITH_LIMITATIONS$/m)
      assert.match(output, /^ {2}Chosen again: /m)
      assert.include(output, `next: '${lineageIds.project}'`)
    }).pipe(Effect.scoped)
)
