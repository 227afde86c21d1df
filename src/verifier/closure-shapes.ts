/** The schemas of a Result Order record and of a closure, as docs/portable-records.md specifies them. */
import type { Json } from "../canonical/json.ts"
import { lineage } from "./lineage-shapes.ts"
import {
  commerceOrderId,
  currency,
  environment,
  flag,
  issuedMembers,
  orderAmount,
  orderItem,
  portableNames,
  position,
  provider,
  providerId,
  resultOrderId,
  sum
} from "./portable-shapes.ts"
import { signedDocument } from "./signed-document.ts"
import {
  anyObject,
  digest,
  id,
  instant,
  integer,
  listOf,
  name,
  object,
  orNull,
  type Schema,
  type SchemaType,
  text,
  word
} from "./schema-kit.ts"

const projectId = id("delivery")
const organizationId = id("organization")
const submission = { id: id("submission"), digest }
const review = { id: id("review"), digest }
const record = { id: id("record"), digest }
const party = object({ organizationId, name })

const orderTerms = object({
  projectId,
  agreement: object({ digest, version: integer(1) }),
  submission: object(submission),
  review: object(review),
  confirmation: object({ id: id("confirmation") }),
  record: object(record),
  packageDigest: digest,
  buyer: party,
  supplier: party,
  provider,
  environment,
  recipientAccount: providerId,
  currency,
  amountMinor: orderAmount,
  item: orderItem
})

const termsPayload = object({ termsDigest: digest })
const reasonPayload = object({ reason: text })

const financialPayloads = {
  OFFERED: termsPayload,
  APPROVED: termsPayload,
  DECLINED: reasonPayload,
  WITHDRAWN: reasonPayload,
  ATTEMPT_OPENED: object({ commerceOrderId, number: integer(1), acceptedSourceDigest: digest, expiresAt: instant }),
  ATTEMPT_RELEASED: object({
    commerceOrderId,
    reason: word("CHECKOUT_EXPIRED", "PAYMENT_FAILED", "CHECKOUT_NOT_OPENED", "PROVIDER_REFUSED"),
    journal: object(position)
  }),
  ATTEMPT_PAID: object({ commerceOrderId, journal: object(position) })
} as const

type FinancialKind = keyof typeof financialPayloads

const financialMembers = object({
  resultOrderId,
  sequence: integer(1),
  previous: digest,
  kind: word(...(Object.keys(financialPayloads) as ReadonlyArray<FinancialKind>)),
  requestId: orNull(name),
  actor: orNull(object({ personId: id("person"), organizationId })),
  payload: anyObject,
  occurredAt: instant,
  hash: digest
})

export type FinancialEvent = {
  readonly [K in FinancialKind]: Omit<SchemaType<typeof financialMembers>, "kind" | "payload"> & {
    readonly kind: K
    readonly payload: SchemaType<(typeof financialPayloads)[K]>
  }
}[FinancialKind]

const financialEvent: Schema<FinancialEvent> = (value, at) => {
  const mismatch = financialMembers(value, at)
  if (mismatch !== undefined) return mismatch
  const { kind, payload } = value as { kind: FinancialKind; payload: Json }
  return financialPayloads[kind](payload, `${at}.payload`)
}

export const resultOrder = object({
  ...issuedMembers(portableNames.resultOrder),
  baseUrl: name,
  resultOrderId,
  commerceOrderId,
  terms: orderTerms,
  termsDigest: digest,
  financialEvents: listOf(financialEvent),
  financialHead: digest,
  acceptedSourceDigest: digest
})
export type ResultOrder = SchemaType<typeof resultOrder>

export const closureDocument = signedDocument(portableNames.closure)

export const closure = object(
  {
    ...issuedMembers(portableNames.closure),
    profile: word("CUSTOM_DELIVERY_RESULT_ORDER"),
    coverage: word("SINGLE_TRANSACTION_SELECTED_PAYMENT_ATTEMPT"),
    data: object({
      references: object({
        agreement: object({ type: word("AGREEMENT"), id: projectId, version: integer(1), digest }),
        delivery: object({ type: word("SUBMISSION"), ...submission }),
        review: object({ type: word("REVIEW"), ...review }),
        result: object({ type: word("RESULT_RECORD"), ...record }),
        resultPackage: object({ type: word("RESULT_PACKAGE"), id: projectId, digest }),
        resultOrder: object({ type: word("RESULT_ORDER"), id: resultOrderId, digest }),
        commerce: object({ type: word("COMMERCE_RECORD"), id: commerceOrderId, digest }),
        paymentSource: object({ type: word("PAYMENT_SOURCE"), digest })
      }),
      artifacts: object({ resultPackage: text, resultOrder: text, commerceRecord: text }),
      assurance: object({
        level: word("LIMITED"),
        delivery: word("BUYER_ACCEPTANCE_RECORDED"),
        payment: orNull(word("PROVIDER_VERIFIED_PAYMENT", "PAYMENT_NOT_CONFIRMED")),
        refundedMinor: sum,
        reversedMinor: sum,
        disputed: flag,
        attestation: word("SERVICE_ATTESTATION_OF_PROVIDER_READBACK"),
        bankReceiptVerified: word(false),
        laterEvents: word("NOT_ASSERTED")
      })
    })
  },
  { lineage }
)
export type Closure = SchemaType<typeof closure>

/** The status of both halves of a transaction. */
export const transactionStatusFile = object({ result: text, commerce: text })
