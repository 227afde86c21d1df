/** docs/records.md names every check, code and limit of reports. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import canonicalize from "canonicalize"
import { assert, describe, expect, it } from "vitest"
import { confirmationOf, confirmationOperations } from "../../src/projects/confirmation.ts"
import { codes, limits } from "../../src/verifier/codes.ts"
import { verifierLimits } from "../../src/verifier/verifier-limits.ts"
import { verifyResultArtifact } from "../../src/verifier/verify.ts"
import { policyFor } from "./policy.ts"
import { checkedAt, makeSample } from "./sample.ts"

const page = readFileSync(join(import.meta.dirname, "../../docs/records.md"), "utf8")
const words = new Set(Array.from(page.matchAll(/`([A-Za-z_-]+)`/g), ([, word]) => word))

describe("docs/records.md", () => {
  it("docs/records.md names every code and every limit", () => {
    expect([...Object.keys(codes), ...Object.keys(limits)].filter((name) => !words.has(name))).toEqual([])
  })

  it("docs/records.md names every check of a verified package", () => {
    const { review, trust, package: content } = makeSample()
    const report = verifyResultArtifact(review, trust, checkedAt, undefined, policyFor(content))
    const ids = new Set(report.checks.map((check) => check.id))
    expect([...ids].filter((id) => !words.has(id))).toEqual([])
  })

  it("docs/records.md states the size limits of the files", () => {
    const { artifactBytesMax, trustBytesMax, authorityBytesMax, statusBytesMax } = verifierLimits
    for (const bytes of [artifactBytesMax, trustBytesMax, authorityBytesMax, statusBytesMax]) {
      expect(page).toContain(bytes.toLocaleString("en-US"))
    }
  })

  it("docs/records.md has an example of every confirmation in canonical form with its digest", () => {
    const examples = Array.from(
      page.matchAll(/^ {4}(\{"documents":.*\})\n {4}([0-9a-f]{64})$/gm),
      ([, text, digest]) => ({
        text: text!,
        digest: digest!,
        value: JSON.parse(text!)
      })
    )
    expect(examples.map(({ value }) => value.operation)).toEqual(confirmationOperations)
    for (const { text, digest, value } of examples) {
      assert.strictEqual(text, canonicalize(value))
      assert.strictEqual(digest, createHash("sha256").update(text).digest("hex"))
      const { effect, digest: confirmed } = confirmationOf(value.operation, value.documents, value.subject)
      assert.deepStrictEqual([effect, confirmed], [value.effect, digest])
    }
  })
})
