/** Reports on closures of the first version: what they prove, and what nothing establishes. */
import { assert, describe, it } from "vitest"
import { verifyResultArtifact } from "../../src/verifier/verify.ts"
import { makeSample } from "./sample.ts"
import { type ClosureV1Forgery, makeClosureV1 } from "./sample-closure-v1.ts"
import { at } from "./signing.ts"

const verify = (forgery: ClosureV1Forgery = {}, status?: unknown) => {
  const { file, trust } = makeClosureV1(forgery)
  return verifyResultArtifact(file, trust, at(21), status)
}

describe("the report on a closure of the first version", () => {
  it("A closure of the first version verifies, and leaves open whether its key was valid when it signed.", () => {
    const { verdict, exit, historicalValidity, checks, limits, objects, artifact, closure } = verify()
    assert.deepStrictEqual([verdict, exit, artifact.kind], ["VERIFIED_WITH_LIMITATIONS", 0, "transaction-closure-v1"])
    assert.strictEqual(historicalValidity, "NOT_CHECKED")
    assert.deepStrictEqual(
      checks.slice(3).map(({ id, outcome, code }) => [id, outcome, code]),
      [
        ["artifact-envelope", "pass", null],
        ["closure-signature", "pass", null],
        ["closure-revoked", "pass", null],
        ["closure-form", "pass", null],
        ["closure-references", "pass", null],
        ["closure-key-time", "not-checked", "KEY_TIME_NOT_ESTABLISHED"]
      ]
    )
    const { references, externalSettlement, issuedAt } = makeClosureV1().file["body"]
    const closureDigest = objects[0]?.digest
    assert.deepStrictEqual(closure, {
      version: 1,
      closureDigest,
      issuedAt,
      closureId: "closure-1",
      references,
      externalSettlement
    } as typeof closure)
    assert.include(limits, "KEY_TIME_NOT_ESTABLISHED")
    assert.include(limits, "STATUS_NOT_PROVEN")
    assert.deepStrictEqual(
      objects.map(({ id, kind, keyValidAtSigning, keyStatusNow }) => [id, kind, keyValidAtSigning, keyStatusNow]),
      [["closure-1", "closure", null, "VALID"]]
    )
  })

  it.each([
    ["no status", undefined],
    ["a status of a result that is good", makeSample().status],
    ["a file that is no status", { result: 1 }]
  ])("The current status of a closure of the first version is unknown with %s.", (_, status) => {
    const { verdict, currentStatus, freshness, checks } = verify({}, status)
    assert.strictEqual(verdict, "VERIFIED_WITH_LIMITATIONS")
    assert.deepStrictEqual(currentStatus, { outcome: "UNKNOWN", source: null, state: null, reliance: null })
    assert.deepStrictEqual([freshness.outcome, freshness.ageMs], ["absent", null])
    assert.isFalse(checks.some(({ id }) => id.startsWith("status-")))
  })

  it("A key that was revoked at any time refuses every closure of the first version.", () => {
    for (const revokedAt of [at(1), at(20), at(20, 1), at(59)]) {
      const { verdict, checks } = verify({ trust: (file) => void (file["keys"][0].revokedAt = revokedAt) })
      assert.strictEqual(verdict, "REFUSED")
      assert.strictEqual(checks.find(({ id }) => id === "closure-revoked")?.code, "KEY_REVOKED", revokedAt)
    }
  })
})
