/**
 * The Transaction Closure v2: one accepted delivery and one payment attempt in a signed document, with the signed originals
 * of both and typed references that bind them.
 */
import { Schema } from "effect"
import { sha256Hex } from "../canonical/digest.ts"
import { parseSigned, signedBytes } from "../canonical/jws.ts"
import { decodeCommerceRecord } from "../commerce/commerce-record.ts"
import type { AttemptState } from "../commerce/attempt.ts"
import type { RecordIssuer, ResultOrderRecord } from "../commerce/result-order-record.ts"
import { signedDocument } from "../records/signed-document.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import {
  commerceOrderId,
  compactJws,
  digest,
  name,
  ordinal,
  projectId,
  recordId,
  resultOrderId,
  reviewId,
  signed,
  submissionId
} from "../vocabulary/record-schemas.ts"
import { paymentAssurance, paymentLabels } from "./assurance.ts"
import { Lineage, lineageIssuedAt } from "./lineage.ts"

const schema = "service.transaction-closure-package/v2"

const reference = <const Type extends string, Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
  Schema.Struct({ type: Schema.Literal(type), ...fields, digest })

const minorSum = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const References = Schema.Struct({
  agreement: reference("AGREEMENT", { id: projectId, version: ordinal }),
  delivery: reference("SUBMISSION", { id: submissionId }),
  review: reference("REVIEW", { id: reviewId }),
  result: reference("RESULT_RECORD", { id: recordId }),
  resultPackage: reference("RESULT_PACKAGE", { id: projectId }),
  resultOrder: reference("RESULT_ORDER", { id: resultOrderId }),
  commerce: reference("COMMERCE_RECORD", { id: commerceOrderId }).annotateKey({
    description: "Its digest is the one that a request for the closure's status names."
  }),
  paymentSource: reference("PAYMENT_SOURCE", {})
})

const Artifacts = Schema.Struct({ resultPackage: compactJws, resultOrder: compactJws, commerceRecord: compactJws })

/** The signed originals of one transaction, as compact JWS: bytes that exist already, never signed again. */
export type ClosureArtifacts = typeof Artifacts.Type

const Assurance = Schema.Struct({
  level: Schema.Literal("LIMITED"),
  delivery: Schema.Literal("BUYER_ACCEPTANCE_RECORDED"),
  payment: Schema.NullOr(Schema.Literals(paymentLabels)),
  refundedMinor: minorSum,
  reversedMinor: minorSum,
  disputed: Schema.Boolean,
  attestation: Schema.Literal("SERVICE_ATTESTATION_OF_PROVIDER_READBACK"),
  bankReceiptVerified: Schema.Literal(false),
  laterEvents: Schema.Literal("NOT_ASSERTED")
})

export const TransactionClosure = signedDocument(
  schema,
  Schema.Struct({
    ...signed(schema),
    issuer: name,
    environment: name,
    profile: Schema.Literal("CUSTOM_DELIVERY_RESULT_ORDER"),
    coverage: Schema.Literal("SINGLE_TRANSACTION_SELECTED_PAYMENT_ATTEMPT"),
    data: Schema.Struct({ references: References, artifacts: Artifacts, assurance: Assurance }),
    lineage: Schema.optionalKey(Lineage)
  })
)
export type TransactionClosure = typeof TransactionClosure.Type
export type ClosureBody = TransactionClosure["body"]

/** The body of a closure over these artifacts, with the history of a next agreement or without; not earlier than any of it. */
export const closureBody = (
  artifacts: ClosureArtifacts,
  { issuer, environment }: RecordIssuer,
  now: Instant,
  lineage?: Lineage
): ClosureBody => {
  const order = parseSigned<ResultOrderRecord>(artifacts.resultOrder)
  const commerce = decodeCommerceRecord(artifacts.commerceRecord)
  const artifactsAt = later(later(now, commerce.issuedAt), order.issuedAt)
  return {
    schema,
    issuedAt: lineage === undefined ? artifactsAt : later(artifactsAt, lineageIssuedAt(lineage)),
    issuer,
    environment,
    profile: "CUSTOM_DELIVERY_RESULT_ORDER",
    coverage: "SINGLE_TRANSACTION_SELECTED_PAYMENT_ATTEMPT",
    data: {
      references: referencesOf(order, artifacts),
      artifacts,
      assurance: {
        level: "LIMITED",
        delivery: "BUYER_ACCEPTANCE_RECORDED",
        ...paymentAssurance(commerce),
        attestation: "SERVICE_ATTESTATION_OF_PROVIDER_READBACK",
        bankReceiptVerified: false,
        laterEvents: "NOT_ASSERTED"
      }
    },
    ...(lineage === undefined ? {} : { lineage })
  }
}

const referencesOf = (
  { terms, resultOrderId, commerceOrderId, acceptedSourceDigest }: ResultOrderRecord,
  artifacts: ClosureArtifacts
): ClosureBody["data"]["references"] => ({
  agreement: {
    type: "AGREEMENT",
    id: terms.projectId,
    version: terms.agreement.version,
    digest: terms.agreement.digest
  },
  delivery: { type: "SUBMISSION", ...terms.submission },
  review: { type: "REVIEW", ...terms.review },
  result: { type: "RESULT_RECORD", ...terms.record },
  resultPackage: { type: "RESULT_PACKAGE", id: terms.projectId, digest: digestOfSigned(artifacts.resultPackage) },
  resultOrder: { type: "RESULT_ORDER", id: resultOrderId, digest: digestOfSigned(artifacts.resultOrder) },
  commerce: { type: "COMMERCE_RECORD", id: commerceOrderId, digest: digestOfSigned(artifacts.commerceRecord) },
  paymentSource: { type: "PAYMENT_SOURCE", digest: acceptedSourceDigest }
})

const digestOfSigned = (jws: string): string => sha256Hex(signedBytes(jws))

/** The attempt that a closure is about: the earliest one with a verified payment, else the latest; undefined for none. */
export const selectAttempt = <A extends { readonly number: number; readonly state: AttemptState }>(
  attempts: ReadonlyArray<A>
): A | undefined => {
  const inOrder = attempts.toSorted((one, other) => one.number - other.number)
  return inOrder.find(({ state }) => state === "PAID") ?? inOrder.at(-1)
}
