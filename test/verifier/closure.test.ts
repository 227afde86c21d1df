/** Reports on closures: what is proven of one transaction, its limits, and the status of its two halves. */
import { assert, describe, expect, it } from "vitest"
import type { Report } from "../../src/verifier/report.ts"
import { verifyResultArtifact } from "../../src/verifier/verify.ts"
import { failures } from "./forgeries.ts"
import { checkedAt } from "./sample.ts"
import { type ClosureForgery, makeClosure } from "./sample-closure.ts"

const verify = (forgery: ClosureForgery = {}): Report => {
  const { file, trust } = makeClosure(forgery)
  return verifyResultArtifact(file, trust, checkedAt)
}

describe("the report on a closure", () => {
  it("a closure of an accepted delivery and its payment verifies", () => {
    const report = verify()
    expect(failures(report)).toEqual([])
    assert.deepStrictEqual(
      [report.verdict, report.exit, report.historicalValidity, report.artifact.kind],
      ["VERIFIED_WITH_LIMITATIONS", 0, "VERIFIED", "transaction-closure"]
    )
  })
})
