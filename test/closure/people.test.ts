/** Closures and their statuses, as people request them. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { digestOf } from "../../src/canonical/digest.ts"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { parseSigned } from "../../src/canonical/jws.ts"
import { TransactionClosure } from "../../src/closure/closure.ts"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { ResultOrderPackages } from "../../src/commerce/store.ts"
import { Signer } from "../../src/ports/signer.ts"
import { Storage } from "../../src/ports/storage.ts"
import { verifyResultFiles } from "../../src/verifier/verify.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { rowOf } from "../support/attempts.ts"
import { bothStores } from "../support/both-stores.ts"
import { closureOf, closureStatusOf, requestClosure, requestClosureStatus } from "../support/closures.ts"
import { commandOrder, exportRecord, paid, payableResult, paying, readOrder } from "../support/orders.ts"
import { atProvider } from "../support/payments.ts"
import {
  answerOf,
  commandAsPerson,
  confirmationCommandBody,
  personCommandBody,
  readProjectAsPerson,
  termsOf
} from "../support/person-commands.ts"
import { contest } from "../support/publications.ts"
import { everyRow } from "../support/rows.ts"
import { createdBody, outcome } from "../support/workspace.ts"

const notReplayed = "RECORDER_ATTESTATION_NOT_REPLAYED"

const verified = Effect.fnUntraced(function* (artifact: string) {
  const { keys } = yield* Signer
  const bytes = (text: string) => new TextEncoder().encode(text)
  return verifyResultFiles({ artifact: bytes(artifact), trust: bytes(JSON.stringify(keys)), checkedAt: yield* now })
})

describe.each(bothStores)("closures %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect("A closure is a signed file that holds the native bytes of its artifacts, for both sides alike.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, order, commerceOrderId } = yield* paid(yield* payableResult)
        const { resultOrderId } = order
        const before = yield* everyRow
        const answer = yield* requestClosure(buyer, resultOrderId)
        assert.strictEqual(answer.status, 200, answer.text)
        assert.deepInclude(answer.headers, {
          "content-type": "application/json",
          "content-disposition": 'attachment; filename="transaction-records.json"',
          "cache-control": "no-store"
        })
        assert.isTrue(Schema.is(TransactionClosure)(answer.body))
        assert.strictEqual(answer.text, canonicalText(answer.body))
        const storage = yield* Storage
        const stored = yield* storage.view((reader) => reader.get(ResultOrderPackages, [resultOrderId]))
        const row = yield* rowOf(commerceOrderId)
        const exported = createdBody(yield* exportRecord(supplier, commerceOrderId))
        const { artifacts, references, assurance } = answer.body.body.data
        assert.deepStrictEqual(artifacts, {
          resultPackage: stored!.package,
          resultOrder: row.orderRecord,
          commerceRecord: exported.record
        })
        assert.strictEqual(references.commerce.digest, exported.recordDigest)
        assert.strictEqual(references.resultPackage.digest, stored!.digest)
        assert.strictEqual(assurance.payment, "PROVIDER_VERIFIED_PAYMENT")
        for (const artifact of [artifacts.resultPackage, canonicalText(exported)]) {
          assert.strictEqual((yield* verified(artifact)).exit, 0)
        }
        const after = yield* everyRow
        const { commerce_exports: added, ...others } = after
        assert.lengthOf(added as ReadonlyArray<unknown>, before["commerce_exports"]!.length + 1)
        const { commerce_exports: _none, ...unchanged } = before
        assert.deepStrictEqual(others, unchanged)
        const second = yield* closureOf(supplier, resultOrderId)
        assert.deepStrictEqual(second.body.data, answer.body.body.data)
        assert.deepStrictEqual(yield* everyRow, after)
      })
    )

    it.effect("A closure of an order whose payment was not captured yet says that none is confirmed.", () =>
      Effect.gen(function* () {
        const { buyer, order, commerceOrderId } = yield* paying(yield* payableResult)
        const early = yield* closureOf(buyer, order.resultOrderId)
        assert.deepInclude(early.body.data.assurance, { payment: null, refundedMinor: 0, disputed: false })
        yield* captureAttempt(commerceOrderId)
        const open = yield* closureOf(buyer, order.resultOrderId)
        assert.strictEqual(open.body.data.assurance.payment, "PAYMENT_NOT_CONFIRMED")
        assert.notStrictEqual(open.body.data.references.commerce.digest, early.body.data.references.commerce.digest)
        assert.strictEqual(open.body.data.artifacts.resultPackage, early.body.data.artifacts.resultPackage)
      })
    )

    it.effect("A closure of an order that was paid late is about the attempt that paid, not the latest one.", () =>
      Effect.gen(function* () {
        const { buyer, order, commerceOrderId: first } = yield* paying(yield* payableResult)
        yield* captureAttempt(first)
        const saved = yield* closureOf(buyer, order.resultOrderId)
        for (const act of ["decline", "expire"] as const) yield* atProvider({ act, commerceOrderId: first })
        yield* captureAttempt(first)
        const again = createdBody(yield* commandOrder(buyer, yield* readOrder(buyer, order), "payments"))
        const second = again.attempts.at(-1).commerceOrderId
        const replaced = yield* closureOf(buyer, order.resultOrderId)
        assert.strictEqual(replaced.body.data.references.commerce.id, second)
        assert.deepStrictEqual(replaced.body.data.references.review, saved.body.data.references.review)
        const digest = `?recordDigest=${saved.body.data.references.commerce.digest}`
        const status = yield* closureStatusOf(buyer, order.resultOrderId, digest)
        assert.strictEqual(status.commerce.binding.commerceOrderId, first)
        yield* atProvider({ act: "pay", commerceOrderId: first })
        yield* captureAttempt(first)
        const late = yield* closureOf(buyer, order.resultOrderId)
        assert.strictEqual(late.body.data.references.commerce.id, first)
        assert.strictEqual(late.body.data.assurance.payment, "PROVIDER_VERIFIED_PAYMENT")
        const latest = yield* closureStatusOf(buyer, order.resultOrderId)
        assert.strictEqual(latest.commerce.record.digest, late.body.data.references.commerce.digest)
      })
    )

    it.effect(
      "A refund and a dispute after the payment are in the assurance, and the acceptance stays as it was.",
      () =>
        Effect.gen(function* () {
          const { buyer, supplier, order, commerceOrderId } = yield* paid(yield* payableResult)
          const early = yield* closureOf(buyer, order.resultOrderId)
          yield* atProvider({ act: "refund", commerceOrderId, amountMinor: 25_000 })
          yield* atProvider({ act: "dispute", commerceOrderId })
          yield* captureAttempt(commerceOrderId)
          const digest = `?recordDigest=${early.body.data.references.commerce.digest}`
          const { commerce } = yield* closureStatusOf(supplier, order.resultOrderId, digest)
          assert.deepInclude(commerce, { historyExtension: notReplayed })
          const later = yield* closureOf(supplier, order.resultOrderId)
          assert.deepInclude(later.body.data.assurance, {
            payment: "PROVIDER_VERIFIED_PAYMENT",
            refundedMinor: 25_000,
            disputed: true
          })
          const { commerce: _early, ...before } = early.body.data.references
          const { commerce: _later, ...after } = later.body.data.references
          assert.deepStrictEqual(after, before)
        })
    )

    it.effect("After a concern, a withdrawal or new terms the same closure is exported, and its status says so.", () =>
      Effect.gen(function* () {
        const first = yield* paid(yield* payableResult)
        const { buyer, projectId, order } = first
        const { data } = (yield* closureOf(buyer, order.resultOrderId)).body
        const resultOf = Effect.fnUntraced(function* (one: typeof first) {
          const { result } = yield* closureStatusOf(one.supplier, one.order.resultOrderId)
          return [result.state, result.reliance, result.recordId]
        })
        const recordId = data.references.result.id
        assert.deepStrictEqual(yield* resultOf(first), ["BUYER_CONFIRMED", "CURRENT", recordId])
        yield* contest(first)
        assert.deepStrictEqual(yield* resultOf(first), ["CONFIRMATION_CONTESTED", "PAUSED", recordId])
        assert.deepStrictEqual((yield* closureOf(buyer, order.resultOrderId)).body.data, data)
        const upheld = confirmationCommandBody(yield* readProjectAsPerson(buyer, projectId), { resolution: "UPHELD" })
        createdBody(yield* commandAsPerson(buyer, projectId, "resolve-concern", upheld))
        assert.deepStrictEqual(yield* resultOf(first), ["CONFIRMATION_WITHDRAWN", "STOPPED", recordId])
        assert.deepStrictEqual((yield* closureOf(buyer, order.resultOrderId)).body.data, data)
        const second = yield* paid(yield* payableResult)
        const before = (yield* closureOf(second.buyer, second.order.resultOrderId)).body.data
        yield* supersede(second)
        const [state, reliance] = yield* resultOf(second)
        assert.deepStrictEqual([state, reliance], ["SUPERSEDED", "STOPPED"])
        assert.deepStrictEqual((yield* closureOf(second.buyer, second.order.resultOrderId)).body.data, before)
      })
    )

    it.effect("A pause stops no closure and no status.", () =>
      Effect.gen(function* () {
        const { buyer, supplier, projectId, order } = yield* paid(yield* payableResult)
        const { requestId } = personCommandBody(yield* readProjectAsPerson(buyer, projectId), {}).input
        createdBody(yield* commandAsPerson(buyer, projectId, "pause", { requestId, reason: "To look at it." }))
        for (const person of [buyer, supplier]) {
          yield* closureOf(person, order.resultOrderId)
          yield* closureStatusOf(person, order.resultOrderId)
        }
      })
    )

    it.effect("A status is a file with two signed parts and a nonce of its own, and writes nothing.", () =>
      Effect.gen(function* () {
        const { buyer, order, projectId } = yield* paid(yield* payableResult)
        const { data } = (yield* closureOf(buyer, order.resultOrderId)).body
        const before = yield* everyRow
        const answer = yield* requestClosureStatus(buyer, order.resultOrderId)
        assert.deepStrictEqual(yield* everyRow, before)
        assert.deepInclude(answer.headers, {
          "content-disposition": 'attachment; filename="transaction-status.json"',
          "cache-control": "no-store"
        })
        assert.deepStrictEqual(Object.keys(answer.body), ["commerce", "result"])
        assert.strictEqual(answer.text, canonicalText(answer.body))
        const result = parseSigned<any>(answer.body.result)
        const { agreement, result: record, commerce } = data.references
        assert.deepInclude(result, {
          schema: "service.agent-status/v1",
          projectId,
          agreementDigest: agreement.digest,
          recordId: record.id,
          recordDigest: record.digest
        })
        const again = yield* closureStatusOf(buyer, order.resultOrderId, `?recordDigest=${commerce.digest}`)
        assert.notStrictEqual(again.result.nonce, result.nonce)
        assert.strictEqual(again.commerce.record.digest, commerce.digest)
      })
    )

    it.effect("A status knows the digests of the order's own exported records, and no other.", () =>
      Effect.gen(function* () {
        const { buyer, order } = yield* paid(yield* payableResult)
        assert.deepStrictEqual(outcome(yield* requestClosureStatus(buyer, order.resultOrderId)), [
          409,
          "COMMERCE_RECORD_NOT_EXPORTED"
        ])
        const closure = yield* requestClosure(buyer, order.resultOrderId)
        const other = yield* paid(yield* payableResult)
        const foreign = (yield* closureOf(other.buyer, other.order.resultOrderId)).body.data.references
        const outer = [digestOf(closure.body), digestOf(closure.body.body)]
        for (const digest of [...outer, foreign.commerce.digest, closure.body.body.data.references.result.digest]) {
          const refused = yield* requestClosureStatus(buyer, order.resultOrderId, `?recordDigest=${digest}`)
          assert.deepStrictEqual(outcome(refused), [404, "NOT_FOUND"])
          assert.include(refused.body.detail, "body.data.references.commerce.digest")
        }
      })
    )
  })
})

/** The supplier accepts new terms, which replace those of the paid result. */
const supersede = Effect.fnUntraced(function* ({
  buyer,
  supplier,
  projectId
}: Effect.Success<ReturnType<typeof paid>>) {
  const terms = yield* termsOf(supplier)
  const offered = personCommandBody(yield* readProjectAsPerson(buyer, projectId), { reason: "Other dates.", terms })
  const revision = createdBody(yield* commandAsPerson(buyer, projectId, "revise", offered)).project.taskId
  const accepted = answerOf(yield* readProjectAsPerson(supplier, revision), supplier)
  createdBody(yield* commandAsPerson(supplier, revision, "respond", accepted))
})
