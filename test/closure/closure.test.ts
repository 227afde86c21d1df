import { createPublicKey, verify } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { digestOf } from "../../src/canonical/digest.ts"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { detachPayload } from "../../src/canonical/jws.ts"
import { closureBody, selectAttempt, TransactionClosure, type ClosureBody } from "../../src/closure/closure.ts"
import type { AttemptState } from "../../src/commerce/attempt.ts"
import { commerceRecordPayload } from "../../src/commerce/commerce-record.ts"
import { appendEntries, emptyJournal } from "../../src/commerce/journal.ts"
import { resultOrderPayload } from "../../src/commerce/result-order-record.ts"
import { bindingOf } from "../../src/commerce/source.ts"
import { IssuerNotConfigured, Signer } from "../../src/ports/signer.ts"
import { signDocument } from "../../src/records/signed-document.ts"
import { addMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import { checkout, observed } from "../support/payment-facts.ts"
import { attemptId, baseUrl, offered, orderTime, terms } from "../support/result-orders.ts"
import { keys, signPayload } from "../verifier/signing.ts"

const issuer = { issuer: "https://example.org", environment: "test" }

/** The artifacts of an attempt with one captured entry. */
const artifactsOf = (observedAt: Instant) => {
  const order = resultOrderPayload(offered(), { commerceOrderId: attemptId(1), baseUrl }, issuer, orderTime)
  const binding = bindingOf(order, order)
  const entries = appendEntries(emptyJournal(binding), observedAt, [observed("CHECKOUT", checkout())])
  const record = commerceRecordPayload(binding, entries, issuer, observedAt)
  const resultPackage = { schema: "service.result-package/v2", issuedAt: orderTime }
  const artifacts = {
    resultPackage: signPayload("PACKAGE", resultPackage),
    resultOrder: signPayload("COMMERCE", order),
    commerceRecord: signPayload("COMMERCE", record)
  }
  return { resultPackage, order, record, artifacts }
}

const bodyAt = (now: Instant): ClosureBody => closureBody(artifactsOf(orderTime).artifacts, issuer, now)

describe("the body of a closure", () => {
  it("A closure refers to its artifacts by the digests of their payloads, and holds their bytes.", () => {
    const { resultPackage, order, record, artifacts } = artifactsOf(orderTime)
    const body = closureBody(artifacts, issuer, orderTime)
    const { projectId, submission, review } = terms
    assert.deepStrictEqual(body.data.references, {
      agreement: { type: "AGREEMENT", id: projectId, ...terms.agreement },
      delivery: { type: "SUBMISSION", ...submission },
      review: { type: "REVIEW", ...review },
      result: { type: "RESULT_RECORD", ...terms.record },
      resultPackage: { type: "RESULT_PACKAGE", id: projectId, digest: digestOf(resultPackage) },
      resultOrder: { type: "RESULT_ORDER", id: order.resultOrderId, digest: digestOf(order) },
      commerce: { type: "COMMERCE_RECORD", id: order.commerceOrderId, digest: digestOf(record) },
      paymentSource: { type: "PAYMENT_SOURCE", digest: order.acceptedSourceDigest }
    })
    assert.deepStrictEqual(body.data.artifacts, artifacts)
    assert.deepStrictEqual(
      [body.profile, body.coverage],
      ["CUSTOM_DELIVERY_RESULT_ORDER", "SINGLE_TRANSACTION_SELECTED_PAYMENT_ATTEMPT"]
    )
  })

  it("A closure claims limited assurance, no receipt by a bank, and nothing about later events.", () => {
    assert.deepStrictEqual(bodyAt(orderTime).data.assurance, {
      level: "LIMITED",
      delivery: "BUYER_ACCEPTANCE_RECORDED",
      payment: "PAYMENT_NOT_CONFIRMED",
      refundedMinor: 0,
      reversedMinor: 0,
      disputed: false,
      attestation: "SERVICE_ATTESTATION_OF_PROVIDER_READBACK",
      bankReceiptVerified: false,
      laterEvents: "NOT_ASSERTED"
    })
  })

  it("A closure is issued neither before its Commerce Record nor before its Result Order record.", () => {
    const [earlier, later] = [addMilliseconds(orderTime, -60_000), addMilliseconds(orderTime, 60_000)]
    assert.strictEqual(closureBody(artifactsOf(later).artifacts, issuer, orderTime).issuedAt, later)
    assert.strictEqual(bodyAt(later).issuedAt, later)
    assert.strictEqual(closureBody(artifactsOf(earlier).artifacts, issuer, earlier).issuedAt, orderTime)
  })
})

const signer = (sign: Signer["Service"]["sign"]) => ({
  sign,
  keys: { schema: "service.issuer-keys/v1" as const, ...issuer, keys: [] }
})

describe("a document that is signed in the clear", () => {
  it.effect("Its signature with the canonical body put back is the compact JWS over that body.", () =>
    Effect.gen(function* () {
      const body = bodyAt(orderTime)
      const text = yield* signDocument("CLOSURE", body).pipe(
        Effect.provideService(
          Signer,
          signer((_, payload) => Effect.succeed(signPayload("PACKAGE", payload)))
        )
      )
      const file = JSON.parse(text)
      assert.strictEqual(text, canonicalText(file))
      assert.isTrue(Schema.is(TransactionClosure)(file))
      assert.deepStrictEqual(Object.keys(file), ["body", "schema", "signature"])
      assert.deepStrictEqual(file.body, body)
      const [header, none, signature] = file.signature.split(".")
      assert.strictEqual(none, "")
      assert.strictEqual(
        JSON.parse(Buffer.from(header, "base64url").toString()).typ,
        "service.transaction-closure-package/v2"
      )
      const input = `${header}.${Buffer.from(canonicalText(file.body)).toString("base64url")}`
      const key = createPublicKey({ key: keys.PACKAGE.jwk, format: "jwk" })
      assert.isTrue(verify(null, Buffer.from(input), key, Buffer.from(signature, "base64url")))
      assert.strictEqual(detachPayload(`${input}.${signature}`), file.signature)
    })
  )

  it.effect("Without a key for its purpose it is refused with ISSUER_NOT_CONFIGURED.", () =>
    Effect.gen(function* () {
      const refused = yield* signDocument("CLOSURE", bodyAt(orderTime)).pipe(
        Effect.provideService(
          Signer,
          signer((purpose) => Effect.fail(new IssuerNotConfigured({ purpose })))
        ),
        Effect.flip
      )
      assert.strictEqual(refused.code, "ISSUER_NOT_CONFIGURED")
    })
  )
})

describe("the selected attempt", () => {
  it.each<[string, ReadonlyArray<AttemptState>, number | undefined]>([
    ["no attempt", [], undefined],
    ["one that is open", ["OPEN"], 1],
    ["a released one and one that is opening", ["RELEASED", "OPENING"], 2],
    ["a paid one after a released one", ["RELEASED", "PAID"], 2],
    ["a released one after one that was paid late", ["PAID", "RELEASED"], 1],
    ["two that were paid", ["RELEASED", "PAID", "PAID"], 2],
    ["one with other values than the terms, and one that was released", ["UNVERIFIED", "RELEASED"], 2]
  ])("Of %s it is the earliest with a verified payment, else the latest.", (_, states, selected) => {
    const attempts = states.map((state, index) => ({ number: index + 1, state }))
    assert.strictEqual(selectAttempt(attempts)?.number, selected)
    assert.strictEqual(selectAttempt(attempts.toReversed())?.number, selected)
  })
})
