/**
 * The checks of a closure of the first version, which this service never issues: its signature, and that its
 * references are of one delivery. It encloses nothing, and nothing establishes when it was signed.
 */
import { allOf, andThen, type CheckResult, fail, type Finding, type Ledger, pass, same } from "./ledger.ts"
import { digest, instant, integer, name, object, type SchemaType, version, word } from "./schema-kit.ts"
import { compactFormOf, signedDocument, type SignedDocument } from "./signed-document.ts"
import { type TrustContext, verifyPayloadAs } from "./verified-jws.ts"
import { readContent, type VerifiedJws } from "./verified-objects.ts"

export const closureV1Name = "transaction-closure-package/v1"

export const closureV1Document = signedDocument(closureV1Name)

export const closureV1 = object({
  schema: version(closureV1Name),
  issuedAt: instant,
  closureId: name,
  references: object({
    agreement: object({ id: name, version: integer(1), digest }),
    delivery: object({ id: name, digest }),
    review: object({ id: name, digest, deliveryId: name }),
    result: object({ id: name, digest, agreementDigest: digest, reviewId: name })
  }),
  externalSettlement: word("NOT_ASSERTED")
})
export type ClosureV1 = SchemaType<typeof closureV1>

export const verifyClosureV1 = (
  ledger: Ledger,
  file: SignedDocument,
  { trust }: TrustContext
): CheckResult<VerifiedJws<ClosureV1>> => {
  const signed = ledger.check("closure-signature", id, { trust }, ({ trust }) =>
    andThen(compactFormOf(file), (jws) => verifyPayloadAs(closureV1Name, "CLOSURE")(jws, trust))
  )
  ledger.check("closure-revoked", id, { signed }, ({ signed }) =>
    signed.key.revokedAt === null ? pass(null) : fail("KEY_REVOKED", "", null, signed.key.revokedAt)
  )
  const closure = ledger.check("closure-form", id, { signed }, ({ signed }) => readContent(closureV1, signed))
  ledger.check("closure-references", id, { closure }, ({ closure }) => checkReferences(closure.content))
  ledger.leaveToReader("closure-key-time", id, "KEY_TIME_NOT_ESTABLISHED")
  return closure
}

const id = "closure"

/** The review is of the delivery, and the result of the agreement and the review. */
const checkReferences = ({ references: { agreement, delivery, review, result } }: ClosureV1): Finding<null> => {
  const at = "references"
  return allOf(null, [
    same("REFERENCE_MISMATCH", `${at}.review.deliveryId`, delivery.id, review.deliveryId),
    same("REFERENCE_MISMATCH", `${at}.result.agreementDigest`, agreement.digest, result.agreementDigest),
    same("REFERENCE_MISMATCH", `${at}.result.reviewId`, review.id, result.reviewId)
  ])
}

/** A closure of the first version in the report. */
export const describeClosureV1 = ({ content, signed }: VerifiedJws<ClosureV1>) => ({
  version: 1 as const,
  closureDigest: signed.digest,
  issuedAt: content.issuedAt,
  closureId: content.closureId,
  references: content.references,
  externalSettlement: content.externalSettlement
})
export type ClosureV1Report = ReturnType<typeof describeClosureV1>
