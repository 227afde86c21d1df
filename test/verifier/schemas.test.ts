/** The published schemas hold what the verifier holds, as far as a schema can. */
import { Ajv2020 } from "ajv/dist/2020.js"
import { assert, describe, expect, it } from "vitest"
import { resultPackageSchema, resultReviewSchema } from "../../src/records/schemas.ts"
import { failures, verify } from "./forging.ts"
import { acceptanceSigned, buyer, signing, signs, supplier, together } from "./life.ts"
import { type Forgery, makeSample } from "./sample.ts"
import type { Members } from "./signing.ts"

const ajv = new Ajv2020({ ownProperties: true, strict: true, strictRequired: true })
const isPackage = ajv.compile(resultPackageSchema)
const isReview = ajv.compile(resultReviewSchema)

const signed = (method: "NATIVE" | "EXTERNAL"): Forgery =>
  together(signing(method), acceptanceSigned(method), signs(buyer, method), signs(supplier, method))

describe("the published schemas", () => {
  it("take the package and the file of a verified result", () => {
    const sample = makeSample()
    assert.isTrue(isPackage(sample.package), ajv.errorsText(isPackage.errors))
    assert.isTrue(isReview(sample.review), ajv.errorsText(isReview.errors))
    assert.strictEqual(resultPackageSchema.$id, "service-result-package-v2.schema.json")
    assert.strictEqual(resultReviewSchema.$id, "service-result-review-v1.schema.json")
  })

  it.each(["NATIVE", "EXTERNAL"] as const)("take a package with %s signatures", (method) => {
    const sample = makeSample(signed(method))
    assert.isTrue(isPackage(sample.package), ajv.errorsText(isPackage.errors))
    assert.strictEqual(verify(signed(method)).exit, 0)
  })

  it.each([
    ["signature with more in it", (content: Members) => (content["review"].signature.note = "x")],
    ["signature by no known method", (content: Members) => (content["review"].signature.method = "FAX")],
    ["signature without its digest", (content: Members) => delete content["review"].signature.digest],
    ["method that is none", (content: Members) => (content["agreement"].terms.signing.method = "FAX")],
    ["principal that is no person", (content: Members) => (content["agreement"].terms.signing.principal = "Dana")],
    ["date that is none", (content: Members) => (content["agreement"].terms.signing.agreementSignBy = "soon")]
  ])("and the verifier both refuse a %s", (_, edit) => {
    const edited = together(signed("NATIVE"), { content: (content) => void edit(content) })
    assert.isFalse(isPackage(structuredClone(makeSample(edited).package)))
    expect(failures(verify(edited))[0]).toMatch(/^package-form /)
  })

  const faults: ReadonlyArray<readonly [fault: string, edit: (content: Members) => unknown]> = [
    ["an unknown member", (content) => (content["extra"] = 1)],
    ["a missing member", (content) => delete content["authority"]],
    ["a member of an inner object", (content) => (content["submission"].items[0].extra = 1)],
    ["an action that does not accept", (content) => (content["review"].action = "REJECT")],
    ["a digest in capitals", (content) => (content["manifest"][0].digest = "A".repeat(64))],
    ["an instant without milliseconds", (content) => (content["issuedAt"] = "2026-11-21T09:20:00Z")],
    ["null in place of a text", (content) => (content["review"].reason = null)],
    ["a size that is a text", (content) => (content["submission"].items[0].files[0].size = "10")],
    ["another version", (content) => (content["schema"] = "service.result-package/v3")],
    ["an id of another kind", (content) => (content["agreement"].projectId = content["submission"].submissionId)]
  ]
  it.each(faults)("and the verifier both refuse %s", (_, edit) => {
    const edited = (content: Members): void => void edit(content)
    assert.isFalse(isPackage(structuredClone(makeSample({ package: edited }).package)))
    const [failure] = failures(verify({ package: edited }))
    expect(failure).toMatch(/^package-(?:form|signature) /)
  })

  it.each(["schema", "record", "trust", "status"])("need the member %s of the file", (member) => {
    const { review } = makeSample()
    delete review[member]
    assert.isFalse(isReview(review))
    const report = verify({ review: (file) => void delete file[member] })
    expect(failures(report)).toEqual(["artifact-envelope MISSING_MEMBER"])
  })
})
