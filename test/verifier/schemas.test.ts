/** The published schemas accept the same objects as the verifier, except for listed reasons: differential tests. */
import { assert, describe, it } from "vitest"
import type { Json } from "../../src/canonical/json.ts"
import { formatNames, type FormatName } from "../../src/documents/schemas.ts"
import { schemas } from "../corpora/schemas.ts"
import { everyObject } from "./every-object.ts"
import { singleEditsOf } from "./single-edits.ts"
import { compare, reasonsToDiffer } from "./schema-and-verifier.ts"
import type { Members } from "./signing.ts"

const objects = everyObject()

const examples: ReadonlyArray<readonly [reason: string, format: FormatName, edit: (value: Members) => void]> = [
  [
    "a day that its month does not have",
    "service-agent-status-v1",
    (status) => void (status["issuedAt"] = "2026-02-30T00:00:00.000Z")
  ],
  [
    "a key or a grant that is named twice",
    "service-issuer-keys-v1",
    (file) => void (file["keys"][1].kid = file["keys"][0].kid)
  ],
  [
    "a key or a grant that is named twice",
    "service-issuer-keys-v1",
    (file) => void (file["keys"][1].jwk = file["keys"][0].jwk)
  ],
  [
    "a key or a grant that is named twice",
    "service-authority-policy-v1",
    (policy) => void policy["authorityAnchors"].push(policy["authorityAnchors"][0])
  ],
  [
    "a validity that ends before it begins",
    "service-issuer-keys-v1",
    (file) => void (file["keys"][0].validUntil = file["keys"][0].validFrom)
  ],
  [
    "a validity that ends before it begins",
    "service-authority-policy-v1",
    (policy) => void (policy["authorityAnchors"][0].validFrom = policy["authorityAnchors"][0].validUntil)
  ],
  [
    "bytes that are not a key of Ed25519",
    "service-issuer-keys-v1",
    (file) => void (file["keys"][0].jwk.x = Buffer.alloc(32).toString("base64url"))
  ],
  [
    "a text that is not a JWS, which is refused when its signature is checked",
    "service-result-package-v2",
    (content) => void (content["events"][0] += "A")
  ],
  [
    "a text that is not a JWS, which is refused when its signature is checked",
    "service-result-passport-v1",
    (file) => void (file["summaries"][1] = "A summary")
  ],
  [
    "a text that is not a JWS, which is refused when its signature is checked",
    "service-commerce-record-v1",
    (file) => void (file["record"] += "A")
  ],
  [
    "a text that is not a JWS, which is refused when its signature is checked",
    "service-transaction-closure-package-v2",
    (file) => void (file["body"].data.artifacts.resultOrder += "A")
  ],
  [
    "a text that is not a detached JWS, which is refused when the signature is checked",
    "service-transaction-closure-package-v2",
    (file) => void (file["signature"] = file["signature"].replace("..", ".e30."))
  ],
  [
    "a text that is not a detached JWS, which is refused when the signature is checked",
    "transaction-closure-package-v1",
    (file) => void (file["signature"] += "=")
  ],
  [
    "a number of summaries other than 1 to 20, which is refused with the manifest's entries",
    "service-result-passport-v1",
    (file) => void (file["summaries"] = [])
  ],
  [
    "more than 20 statements in the passport of a lineage, where none is read",
    "service-transaction-closure-package-v2",
    (file) => {
      const { passport } = file["body"].lineage
      passport.statuses = Array.from({ length: 21 }, () => passport.statuses[0])
    }
  ],
  [
    "a number of references other than one, which is refused with the passport's entries",
    "service-history-reference-v1",
    (reference) => void (reference["references"] = [])
  ],
  [
    "an order without events, which is refused with its moves",
    "service-result-order-v1",
    (order) => void (order["financialEvents"] = [])
  ],
  ["enclosed keys, which are never used", "service-result-review-v1", (file) => void delete file["trust"].keys],
  [
    "an enclosed status, which is checked by itself",
    "service-result-review-v1",
    (file) => void (file["status"] = null)
  ],
  [
    "metadata beside a record, which is not signed",
    "service-standard-record-v1",
    (file) => void (file["metadata"].state = "PAID")
  ]
]

describe("schema and verifier", () => {
  it("schema and verifier accept one object of every format and kind", () => {
    for (const { place, format, value } of objects) {
      assert.deepStrictEqual(compare(format, value), { outcome: "TAKEN" }, `${format} at ${place}`)
    }
    assert.deepStrictEqual([...new Set(objects.map(({ format }) => format))].toSorted(), formatNames.toSorted())
    const kinds = new Set(objects.flatMap(({ value }) => (value as Members).kind ?? []))
    assert.strictEqual(kinds.size, 14 + 5, [...kinds].join())
  })

  it.each(objects.map(({ format, value }) => [format, (value as Members).kind ?? "", value] as const))(
    "schema and verifier agree on every single edit of %s %s",
    (format, _, value) => {
      const outcomes = new Set<string>()
      for (const { change, changed } of singleEditsOf(value)) {
        const comparison = compare(format, changed)
        if (comparison.outcome === "SURPRISE") assert.fail(`${change}: ${comparison.what}`)
        outcomes.add(comparison.outcome)
      }
      assert.isTrue(outcomes.has("REFUSED"), "some change is refused by both")
    }
  )

  it.each(examples)("schema and verifier differ on %s", (reason, format, edit) => {
    const value = structuredClone(objects.find((part) => part.format === format)!.value) as Members
    edit(value)
    assert.deepStrictEqual(compare(format, value as Json), { outcome: "EXPLAINED", reasons: [reason] })
  })

  it.each([
    ["events", 100, (content: Members) => content["events"]],
    ["events of a grant", 200, (content: Members) => content["authority"][0].events],
    ["salts of a grant", 200, (content: Members) => content["authority"][0].salts]
  ])("schema and verifier limit the %s of a package to %i", (_, most, listIn) => {
    const outcomes = [most, most + 1].map((count) => {
      const value = structuredClone(objects.find(({ format }) => format === "service-result-package-v2")!.value)
      const list = listIn(value as Members) as Array<unknown>
      list.push(...Array.from({ length: count - list.length }, () => list[0]))
      return compare("service-result-package-v2", value).outcome
    })
    assert.deepStrictEqual(outcomes, ["TAKEN", "REFUSED"])
  })

  it("every reason to differ has an example", () => {
    const exemplified = new Set(examples.map(([reason]) => reason))
    assert.deepStrictEqual(
      reasonsToDiffer.filter((reason) => !exemplified.has(reason)),
      []
    )
  })

  it("schema and verifier agree on every object in the corpus", () => {
    const { cases, unexpected } = schemas.run()
    assert.deepStrictEqual(unexpected, [])
    assert.isAbove(cases, 1_000)
  })
})
