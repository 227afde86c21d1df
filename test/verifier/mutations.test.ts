/** Thousands of small lies and accidents: each gives a report, and no report says more than was proven. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { assert, expect, it } from "vitest"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { judge } from "./mutations/judge.ts"
import { life } from "./mutations/life.ts"
import { mutationAt } from "./mutations/mutation.ts"
import { checkedAt } from "./sample.ts"

const mutations = 2_500

it(`stands ${mutations} mutations of bytes, values, signed objects, times and what a program can hand over`, () => {
  const original = verifyResultFiles({ artifact: life.bytes(life.review), trust: life.bytes(life.trust), checkedAt })
  assert.strictEqual(original.verdict, "VERIFIED_WITH_LIMITATIONS")
  const wrong: Array<string> = []
  const codes = new Set<string>()
  for (let number = 0; number < mutations; number++) {
    const mutation = mutationAt(number)
    const judged = judge(mutation, original.record)
    codes.add(judged.firstCode)
    wrong.push(...judged.wrong.map((what) => `mutation ${number} (${mutation.kind}): ${what}`))
  }
  expect(wrong).toEqual([])
  // Where fewer codes were met, the mutations no longer reach what they are for.
  assert.isAtLeast(codes.size, 45)
})

it("is not worn out by a small value that is met over and over again", () => {
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
