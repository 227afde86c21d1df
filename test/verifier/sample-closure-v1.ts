/**
 * An issuer of closures of the first version that shares no code with the verifier; this service issues none. It builds a
 * valid one as docs/portable-records.md specifies, and lets a test change any part of it before it is signed.
 */
import { trustFile } from "./sample.ts"
import { at, detach, type Members, signPayload, uuid } from "./signing.ts"

/** Each hook may change its object in place, or return another one. */
export interface ClosureV1Forgery {
  readonly trust?: (file: Members) => unknown
  /** The body, before it is signed. */
  readonly body?: (body: Members) => unknown
  readonly sign?: (body: Members) => string
  readonly file?: (file: Members) => unknown
}

export interface ClosureV1Sample {
  readonly trust: Members
  readonly file: Members
}

export const makeClosureV1 = (forgery: ClosureV1Forgery = {}): ClosureV1Sample => {
  const body = change(sampleBody(), forgery.body)
  const file = { schema, body, signature: forgery.sign?.(body) ?? detach(signPayload("CLOSURE", body)) }
  return { trust: change(trustFile(["CLOSURE", "RECORD"]), forgery.trust), file: change(file, forgery.file) }
}

const schema = "transaction-closure-package/v1"

const sampleBody = (): Members => ({
  schema,
  issuedAt: at(20),
  closureId: "closure-1",
  references: {
    agreement: { id: `delivery_${uuid(1)}`, version: 1, digest: "1".repeat(64) },
    delivery: { id: `submission_${uuid(2)}`, digest: "2".repeat(64) },
    review: { id: `review_${uuid(3)}`, digest: "3".repeat(64), deliveryId: `submission_${uuid(2)}` },
    result: {
      id: `record_${uuid(4)}`,
      digest: "4".repeat(64),
      agreementDigest: "1".repeat(64),
      reviewId: `review_${uuid(3)}`
    }
  },
  externalSettlement: "NOT_ASSERTED"
})

const change = (value: Members, hook: ((value: Members) => unknown) | undefined): Members =>
  (hook?.(value) as Members | undefined) ?? value
