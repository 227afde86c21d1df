/** Fuzzing with seeded mutations: each gives a report, and no report states more than was proven. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { assert, expect, it } from "vitest"
import { canary } from "./mutations/base-sample.ts"
import { closureBase, extendedClosureBase } from "./mutations/closure-base.ts"
import { commerceBase } from "./mutations/commerce-base.ts"
import { mutationAt } from "./mutations/mutation.ts"
import { checkReport } from "./mutations/oracle.ts"
import { passportBase } from "./mutations/passport-base.ts"
import { resultBase } from "./mutations/result-base.ts"

const mutations = 2_500

it(`${mutations} mutations of bytes, values, signed objects, times and values in memory violate no rule of reports`, () => {
  for (const { statements } of [resultBase, passportBase, commerceBase, closureBase, extendedClosureBase])
    assert.include(statements, canary)
  const wrong: Array<string> = []
  const codes = new Set<string>()
  for (let number = 0; number < mutations; number++) {
    const mutation = mutationAt(number)
    const judgement = checkReport(mutation)
    codes.add(judgement.firstCode)
    wrong.push(...judgement.violations.map((rule) => `mutation ${number} (${mutation.kind}): ${rule}`))
  }
  expect(wrong).toEqual([])
  // Vacuity check: the mutations reach many different checks.
  assert.isAtLeast(codes.size, 45)
})

it("a value with exponentially many references is refused within bounded memory", () => {
  const program = `
    import { verifyResultArtifact } from ${JSON.stringify(join(import.meta.dirname, "../../src/verifier/verify.ts"))}
    let value = "a text"
    for (let level = 0; level < 40; level++) value = [value, value]
    process.stdout.write(verifyResultArtifact(value, {}, "2026-11-21T09:30:00.000Z").verdict)
  `
  const words = ["--max-old-space-size=256", "--input-type=module", "--eval", program]
  const { stdout } = spawnSync(process.execPath, words, { timeout: 30_000, encoding: "utf8" })
  assert.strictEqual(stdout, "UNREADABLE")
})
