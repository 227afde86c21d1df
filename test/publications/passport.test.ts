import { assert, it } from "vitest"
import fc from "fast-check"
import { toBase64url } from "../../src/canonical/base64url.ts"
import { digestOf } from "../../src/canonical/digest.ts"
import { isSelection, manifestPayload, statementPayload } from "../../src/publications/passport.ts"
import { publicationDigestOf, summaryPayload } from "../../src/publications/summary.ts"
import type { Agreement } from "../../src/projects/agreement.ts"
import type { ResultRecord } from "../../src/records/record.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"

const at = "2026-01-02T09:00:00.000Z" as Instant
const issuer = { issuer: "issuer", environment: "test" }
const id = (kind: string, number: number) => `${kind}_00000000-0000-4000-8000-00000000000${number}`

const source = {
  publicationId: id("pub", 1),
  subject: { id: id("provider", 2), name: "Sam Studio" },
  record: { recordId: id("record", 3), acceptedAt: "2026-01-01T00:00:00.000Z" as Instant } as ResultRecord,
  recordDigest: "4".repeat(64),
  terms: { buyerName: "Dana Ltd", criteria: [{ id: "a" }, { id: "b" }] } as unknown as Agreement["terms"]
}
const input = { title: "A logo", summary: "One logo.", namesBuyer: true }

it("The digest of an enclosed summary is that of its JSON text, quotes included.", () => {
  assert.strictEqual(digestOf("a.b.c"), "674b721f65edf33cae209e97f12a92d47b9f009f423941e7d7f5940a0ce0165f")
})

it("A summary has no member of the agreement that supplier and buyer did not agree to publish.", () => {
  const payload = summaryPayload(input, source, issuer, at)
  assert.deepStrictEqual(Object.keys(payload).slice(0, 4), ["schema", "issuedAt", "issuer", "environment"])
  assert.deepInclude(payload, { buyerName: "Dana Ltd", criteriaMet: 2, specification: null })
  assert.isNull(summaryPayload({ ...input, namesBuyer: false }, source, issuer, at).buyerName)
  assert.notInclude(JSON.stringify(summaryPayload({ ...input, namesBuyer: false }, source, issuer, at)), "Dana")
  const pinned = { id: "logo", version: 2, digest: "5".repeat(64) }
  const terms = { ...source.terms, specification: pinned }
  assert.deepStrictEqual(summaryPayload(input, { ...source, terms }, issuer, at).specification, pinned)
})

it("The entries of a manifest keep the order of the selection and take their facts from the summaries.", () => {
  const payloads = [1, 2, 3].map((number) => {
    const publicationId = id("pub", number)
    return summaryPayload(input, { ...source, publicationId }, issuer, at)
  })
  const published = payloads.map((payload) => ({
    digest: publicationDigestOf(payload),
    summary: `e30.${toBase64url(JSON.stringify(payload))}.c2ln`
  }))
  fc.assert(
    fc.property(fc.shuffledSubarray([0, 1, 2], { minLength: 1 }), (order) => {
      const selected = order.map((index) => published[index]!)
      const { entries } = manifestPayload(source.subject.id, selected, issuer, at)
      assert.deepStrictEqual(
        entries,
        order.map((index) => ({
          resultId: payloads[index]!.resultId,
          publicationId: payloads[index]!.publicationId,
          publicationDigest: publicationDigestOf(payloads[index]!),
          completionTime: payloads[index]!.completionTime,
          summaryDigest: digestOf(published[index]!.summary)
        }))
      )
    })
  )
})

it("A selection has 1 to 20 publications, each of them once, with whatever digest.", () => {
  const selection = fc.array(fc.record({ number: fc.nat(30), digest: fc.nat(3) }), { maxLength: 25 })
  fc.assert(
    fc.property(selection, (chosen) => {
      const selections = chosen.map(({ number, digest }) => ({
        publicationId: `pub_${number}`,
        publicationDigest: String(digest)
      }))
      const isUnique = new Set(chosen.map(({ number }) => number)).size === chosen.length
      assert.strictEqual(isSelection(selections), isUnique && chosen.length >= 1 && chosen.length <= 20)
    })
  )
})

it("A statement names the exact pair and expires 300,000 ms after its time.", () => {
  const selection = { publicationId: id("pub", 1), publicationDigest: "6".repeat(64) }
  assert.deepStrictEqual(statementPayload(selection, false, at), {
    schema: "service.publication-status/v1",
    issuedAt: at,
    expiresAt: "2026-01-02T09:05:00.000Z",
    ...selection,
    status: "UNAVAILABLE"
  })
})
