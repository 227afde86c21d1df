/** Runs the blocks of `closure.md` in one shell, as its reader does, on a closure that a party handed over. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeClosure } from "../support/closure-folder.ts"
import { blocksOf, checkout, missingCommands, runInOneShell } from "../support/learning-pages.ts"
import { makeClosure } from "../verifier/sample-closure.ts"
import { at } from "../verifier/signing.ts"

const blocks = blocksOf("closure.md")

it.live.skipIf(missingCommands().length > 0)(
  "The blocks of closure.md verify a closure with its status, and print the digest for the status and the files.",
  () =>
    Effect.gen(function* () {
      assert.lengthOf(blocks, 3)
      const folder = yield* checkout
      writeClosure(folder)
      const { code, output } = yield* runInOneShell(folder, { AT: at(21) }, blocks)
      assert.strictEqual(code, 0, output)
      const { body } = makeClosure()
      assert.strictEqual(output.split("\n")[0], body["data"].references.commerce.digest)
      assert.match(output, /^VERIFIED_WITH_LIMITATIONS$/m)
      assert.match(output, /^ {2}Paid, as the issuer states that the provider answered: 125000 /m)
      assert.match(output, /^ {2}currentStatus\.result\.outcome +PROVEN$/m)
      assert.match(output, /^ {2}currentStatus\.commerce\.outcome +PROVEN$/m)
      assert.include(output, "sha256: '")
    }).pipe(Effect.scoped),
  60_000
)
