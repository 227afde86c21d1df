/** Closures that carry the history of a next agreement: what they hold, their gates, and what fails them. */
import { createPublicKey, verify } from "node:crypto"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { digestOf } from "../../src/canonical/digest.ts"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { parseSigned } from "../../src/canonical/jws.ts"
import { TransactionClosure } from "../../src/closure/closure.ts"
import { exportClosureWithHistory } from "../../src/closure/export.ts"
import { createMembership, endMembership } from "../../src/people/memberships.ts"
import { Signer } from "../../src/ports/signer.ts"
import type { ResultPassport } from "../../src/publications/passport.ts"
import { ExportBytes } from "../../src/records/portable-export.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { bothStores } from "../support/both-stores.ts"
import { closureOf } from "../support/closures.ts"
import { beforeTransaction } from "../support/commit-faults.ts"
import { assertRefusal } from "../support/errors.ts"
import { agreementWithRecord, joinOrganization } from "../support/issued-records.ts"
import { growJournal } from "../support/journals.ts"
import {
  nextAgreement,
  paidAndPublished,
  passportOf,
  refer,
  referenceBody,
  referred,
  requestExtended,
  reviseAgreement,
  storedReference,
  supersedeByRevision
} from "../support/lineage.ts"
import { withoutKey } from "../support/missing-key.ts"
import { offered, paid } from "../support/orders.ts"
import { makeAgent, uuid } from "../support/parties.ts"
import { commandAsPerson, personCommandBody, readProjectAsPerson } from "../support/person-commands.ts"
import { publish, withdraw } from "../support/publications.ts"
import { everyRow } from "../support/rows.ts"
import { send } from "../support/service.ts"
import type { SignedInPerson } from "../support/sessions.ts"
import { createdBody, outcome } from "../support/workspace.ts"
import { signPayload } from "../verifier/signing.ts"

type Referred = Effect.Success<typeof referred>

const bodyOf = ({ original, next }: Pick<Referred, "original" | "next">, changes: object = {}) => ({
  passport: original.passport,
  nextTaskId: next.projectId,
  ...changes
})

const extendedOf = ({ original, next }: Pick<Referred, "original" | "next">) =>
  Effect.map(
    requestExtended(original.supplier, original.order.resultOrderId, bodyOf({ original, next })),
    (answer): TransactionClosure => createdBody(answer)
  )

/** The same manifest under a key of another issuer. */
const signedByAnother = (passport: ResultPassport): ResultPassport => ({
  ...passport,
  manifest: signPayload("PUBLICATION", parseSigned<object>(passport.manifest))
})

/** The document's signature is that of a key for closures, over the body with its lineage. */
const assertSigned = Effect.fnUntraced(function* ({ body, signature }: TransactionClosure) {
  const { keys } = yield* Signer
  const [header, , signed] = signature.split(".")
  const { kid } = JSON.parse(Buffer.from(header!, "base64url").toString())
  const { jwk, purposes } = keys.keys.find((key) => key.kid === kid)!
  assert.include(purposes, "CLOSURE")
  const input = Buffer.from(`${header}.${Buffer.from(canonicalText(body)).toString("base64url")}`)
  assert.isTrue(verify(null, input, createPublicKey({ key: jwk, format: "jwk" }), Buffer.from(signed!, "base64url")))
})

const makeRepresentative = Effect.fnUntraced(function* (by: SignedInPerson, projectId: string) {
  const view = yield* readProjectAsPerson(by, projectId)
  const input = { reason: "Another person continues.", supplierActorId: by.personId }
  createdBody(yield* commandAsPerson(by, projectId, "change-representative", personCommandBody(view, input)))
})

describe.each(bothStores)("closures with history %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect(
      "The closure of a transaction carries the passport, the reference, the link and the next agreement.",
      () =>
        Effect.gen(function* () {
          const { original, next, reference } = yield* referred
          const { resultOrderId } = original.order
          const answer = yield* requestExtended(original.supplier, resultOrderId, bodyOf({ original, next }))
          const file: TransactionClosure = createdBody(answer)
          assert.include(answer.headers["content-disposition"], '"transaction-records-with-history.json"')
          assert.strictEqual(answer.headers["cache-control"], "no-store")
          assert.isTrue(Schema.is(TransactionClosure)(file))
          const { lineage, data, issuedAt } = file.body
          const plain = yield* closureOf(original.buyer, resultOrderId)
          assert.deepStrictEqual(data, plain.body.data)
          assert.notProperty(plain.body, "lineage")
          const stored = (yield* storedReference(next.projectId))!
          assert.deepStrictEqual(lineage!.passport, original.passport)
          assert.strictEqual(lineage!.historyReference, stored.reference)
          assert.strictEqual(lineage!.agreementLink, stored.link)
          assert.strictEqual(parseSigned<any>(stored.reference).referenceId, reference.referenceId)
          const snapshot = parseSigned<any>(lineage!.nextAgreement)
          const link = parseSigned<any>(stored.link)
          assert.strictEqual(digestOf(snapshot.agreement), link.next.agreementDigest)
          assert.strictEqual(snapshot.agreement.projectId, next.projectId)
          assert.strictEqual(snapshot.confirmedEvent.hash, link.next.confirmedEventHash)
          assert.deepStrictEqual([snapshot.state, snapshot.head.count], ["LOCKED", 2])
          assert.strictEqual(snapshot.head.eventHash, snapshot.confirmedEvent.hash)
          assert.isTrue(reference.madeAt <= snapshot.issuedAt && snapshot.issuedAt <= issuedAt)
          assert.isTrue(parseSigned<any>(original.passport.manifest).issuedAt <= reference.madeAt)
          yield* assertSigned(file)
        })
    )

    it.effect(
      "The snapshot is of the agreement that the reference names, and not of terms that are offered for it.",
      () =>
        Effect.gen(function* () {
          const found = yield* referred
          const { buyer, supplier, projectId } = found.next
          const before = parseSigned<any>((yield* extendedOf(found)).body.lineage!.nextAgreement)
          yield* reviseAgreement(buyer, supplier, projectId)
          const revised = parseSigned<any>((yield* extendedOf(found)).body.lineage!.nextAgreement)
          assert.deepStrictEqual(revised.agreement, before.agreement)
        })
    )

    it.effect("A reference stays part of closures after its agreement is superseded and its result is withdrawn.", () =>
      Effect.gen(function* () {
        const found = yield* referred
        const { buyer, supplier, projectId } = found.next
        const successor = yield* supersedeByRevision(buyer, supplier, projectId)
        createdBody(yield* withdraw(supplier, found.original.publication))
        const snapshot = parseSigned<any>((yield* extendedOf(found)).body.lineage!.nextAgreement)
        assert.deepStrictEqual([snapshot.agreement.projectId, snapshot.state], [projectId, "SUPERSEDED"])
        assert.notStrictEqual(snapshot.head.eventHash, snapshot.confirmedEvent.hash)
        // The successor is another agreement, for which no reference was recorded.
        const { original } = found
        const answer = yield* requestExtended(
          supplier,
          original.order.resultOrderId,
          bodyOf(found, { nextTaskId: successor })
        )
        assert.deepStrictEqual(answer.body.issues, [{ path: "nextTaskId", message: "NO_HISTORY_REFERENCE" }])
      })
    )

    it.effect("The next buyer does not learn of the order, nor the first buyer of the next agreement.", () =>
      Effect.gen(function* () {
        const found = yield* referred
        const { resultOrderId } = found.original.order
        const byNext = yield* requestExtended(found.next.buyer, resultOrderId, bodyOf(found))
        const unknown = yield* requestExtended(found.next.buyer, `order_${uuid()}`, bodyOf(found))
        assert.deepStrictEqual(outcome(byNext), [404, "NOT_FOUND"])
        assert.deepStrictEqual({ ...byNext.body, requestId: "" }, { ...unknown.body, requestId: "" })
        const byFirst = yield* requestExtended(found.original.buyer, resultOrderId, bodyOf(found))
        const none = yield* requestExtended(
          found.original.buyer,
          resultOrderId,
          bodyOf(found, { nextTaskId: `delivery_${uuid()}` })
        )
        assert.deepStrictEqual(outcome(byFirst), [403, "FORBIDDEN"])
        assert.deepStrictEqual({ ...byFirst.body, requestId: "" }, { ...none.body, requestId: "" })
      })
    )

    it.effect(
      "The gates of the order are asked first, then the record gate of the next agreement, before its link.",
      () =>
        Effect.gen(function* () {
          const original = yield* paidAndPublished
          // The first buyer is the next one too, so that its members are parties to both.
          const projectId = yield* agreementWithRecord(original)
          const next = { ...original, projectId }
          const { resultOrderId } = original.order
          const body = bodyOf({ original, next })
          const mia = yield* joinOrganization(original.buyer, "Mia", ["DELIVERY_REVIEW"])
          const noFinance = yield* requestExtended(mia, resultOrderId, body)
          assert.deepStrictEqual(outcome(noFinance), [403, "FORBIDDEN"])
          assert.include(noFinance.body.detail, "FINANCIAL_READ")
          const financeOnly = yield* joinOrganization(original.buyer, "Fay", ["FINANCIAL_READ"])
          assert.deepStrictEqual(outcome(yield* requestExtended(financeOnly, resultOrderId, body)), [403, "FORBIDDEN"])
          const colleague = yield* joinOrganization(original.supplier, "Cleo")
          assert.deepStrictEqual(outcome(yield* requestExtended(colleague, resultOrderId, body)), [403, "FORBIDDEN"])
          const refused = yield* requestExtended(original.buyer, resultOrderId, body)
          assert.deepStrictEqual(refused.body.issues, [{ path: "nextTaskId", message: "NO_HISTORY_REFERENCE" }])
          assertRefusal(refused)
          createdBody(yield* refer(original.buyer, projectId, referenceBody(original)))
          createdBody(yield* requestExtended(original.buyer, resultOrderId, body))
        })
    )

    it.effect("A person with finance alone in the next agreement is refused, whatever passes for the order.", () =>
      Effect.gen(function* () {
        const found = yield* referred
        const { organizationId } = found.next.buyer
        const member = yield* joinOrganization(found.original.buyer, "Mia")
        const validUntil = addMilliseconds(yield* now, 86_400_000)
        const { personId } = member
        yield* createMembership({ personId, organizationId, authorities: ["FINANCIAL_READ"], validUntil })
        const { resultOrderId } = found.original.order
        const answer = yield* requestExtended(member, resultOrderId, bodyOf(found))
        assert.deepStrictEqual(outcome(answer), [403, "FORBIDDEN"])
        assert.include(answer.body.detail, "The delivery material of a result is for")
      })
    )

    it.effect("Another passport, another transaction or no reference fails the export, which stores nothing.", () =>
      Effect.gen(function* () {
        const { original, next } = yield* referred
        const { supplier, order, passport } = original
        const { resultOrderId } = order
        const later = yield* passportOf(original.subjectId, [original.publication])
        const second = yield* paid({ ...original, projectId: yield* agreementWithRecord(original) })
        const unreferred = yield* nextAgreement(original)
        const rows = yield* everyRow
        const cases = [
          [resultOrderId, { passport: signedByAnother(passport) }, "passport", "PASSPORT_INVALID"],
          [resultOrderId, { passport: { ...passport, summaries: later.statuses } }, "passport", "PASSPORT_INVALID"],
          [resultOrderId, { nextTaskId: unreferred.projectId }, "nextTaskId", "NO_HISTORY_REFERENCE"],
          [resultOrderId, { nextTaskId: original.projectId }, "nextTaskId", "NO_HISTORY_REFERENCE"],
          [resultOrderId, { passport: later }, "passport", "PASSPORT_MISMATCH"],
          [second.order.resultOrderId, {}, "nextTaskId", "RESULT_NOT_THIS_TRANSACTION"]
        ] as const
        for (const [orderId, changes, path, message] of cases) {
          const answer = yield* requestExtended(supplier, orderId, bodyOf({ original, next }, changes))
          assert.deepStrictEqual(outcome(answer), [409, "CLOSURE_LINEAGE_INVALID"], message)
          assert.deepStrictEqual(answer.body.issues, [{ path, message }])
          assertRefusal(answer)
        }
        assert.deepStrictEqual(yield* everyRow, rows)
        // Later statements on the same passport are as good.
        const renewed = { ...passport, statuses: later.statuses }
        const file = createdBody(
          yield* requestExtended(supplier, resultOrderId, bodyOf({ original, next }, { passport: renewed }))
        )
        assert.deepStrictEqual(file.body.lineage.passport, renewed)
      })
    )

    it.effect("A body that names no passport or no agreement is 400, and one over the limit 413.", () =>
      Effect.gen(function* () {
        const found = yield* referred
        const { supplier, order, passport } = found.original
        const { resultOrderId } = order
        const tooMany = Array.from({ length: 10_000 }, () => "a.b.c")
        for (const changes of [
          { passport: null },
          { nextTaskId: null },
          { nextTaskId: "delivery_1" },
          { more: 1 },
          { passport: { ...passport, statuses: tooMany } },
          { passport: { ...passport, schema: "service.result-package/v2" } }
        ]) {
          const answer = yield* requestExtended(supplier, resultOrderId, bodyOf(found, changes))
          assert.deepStrictEqual(outcome(answer), [400, "INVALID_REQUEST"])
        }
        const large = bodyOf(found, { passport: { ...passport, schema: "x".repeat(limits.bodyBytes) } })
        const refused = yield* requestExtended(supplier, resultOrderId, large)
        assert.deepStrictEqual(outcome(refused), [413, "REQUEST_TOO_LARGE"])
        const path = `/api/commerce/result-orders/${resultOrderId}/closure`
        const { token } = yield* makeAgent(found.next.buyer, "BUYER", [], [found.next.projectId])
        for (const sent of [{ token }, {}]) {
          const answer = yield* send("POST", path, { ...sent, body: bodyOf(found) })
          assert.deepStrictEqual(outcome(answer), [401, "SIGN_IN_REQUIRED"])
        }
        const unpaid = yield* offered({ ...found.original, projectId: yield* agreementWithRecord(found.original) })
        const none = yield* requestExtended(supplier, unpaid.order.resultOrderId, bodyOf(found))
        assert.deepStrictEqual(none.body.issues, [{ path: "nextTaskId", message: "RESULT_NOT_THIS_TRANSACTION" }])
      })
    )

    it.effect("An order without a payment attempt has no closure with history either.", () =>
      Effect.gen(function* () {
        const { original } = yield* referred
        const projectId = yield* agreementWithRecord(original)
        const unpaid = yield* offered({ ...original, projectId })
        const publication = yield* publish({ ...original, projectId })
        const resultId = publication.projection.resultId as string
        const passport = yield* passportOf(original.subjectId, [publication, original.publication])
        const next = yield* nextAgreement(original)
        createdBody(yield* refer(next.buyer, next.projectId, referenceBody({ passport, resultId })))
        const body = { passport, nextTaskId: next.projectId }
        const answer = yield* requestExtended(original.supplier, unpaid.order.resultOrderId, body)
        assert.deepStrictEqual(outcome(answer), [409, "PAYMENT_ATTEMPT_MISSING"])
      })
    )

    it.effect("A journal of 1,001 entries is refused with history too.", () =>
      Effect.gen(function* () {
        const found = yield* referred
        const { supplier, order, commerceOrderId } = found.original
        yield* growJournal(commerceOrderId, limits.commerceEntries + 1)
        const refused = yield* requestExtended(supplier, order.resultOrderId, bodyOf(found))
        assert.deepStrictEqual(outcome(refused), [409, "COMMERCE_EXPORT_LIMIT"])
      })
    )

    it.effect("Access to the next agreement that is lost between the reads and the transaction exports nothing.", () =>
      Effect.gen(function* () {
        const { original, next } = yield* referred
        const { supplier, passport, order } = original
        const colleague = yield* joinOrganization(supplier, "Cleo")
        const history = { passport, nextTaskId: next.projectId }
        const change = makeRepresentative(colleague, next.projectId)
        const exported = exportClosureWithHistory(supplier, order.resultOrderId, history)
        const refused = yield* Effect.flip(beforeTransaction(change, exported))
        assert.strictEqual(refused.code, "FORBIDDEN")
        assert.include(refused.facts.detail, "supplier's named representative")
        const ended = endMembership("OPERATOR", supplier)
        const left = yield* Effect.flip(beforeTransaction(ended, exported))
        assert.strictEqual(left.code, "FORBIDDEN")
      })
    )

    it.effect("Without a key for closures there is none, and one over 2 MiB is refused with its parts.", () =>
      Effect.gen(function* () {
        const { original, next } = yield* referred
        const history = { passport: original.passport, nextTaskId: next.projectId }
        const exported = exportClosureWithHistory(original.supplier, original.order.resultOrderId, history)
        const noKey = yield* Effect.flip(exported.pipe(withoutKey("CLOSURE")))
        assert.strictEqual(noKey.code, "ISSUER_NOT_CONFIGURED")
        const size = Buffer.byteLength(yield* exported)
        const bounded = (bound: number) => Effect.provideService(exported, ExportBytes, bound)
        assert.strictEqual(Buffer.byteLength(yield* bounded(size)), size)
        const refused = yield* Effect.flip(bounded(size - 1))
        assert.strictEqual(refused.code, "EXPORT_TOO_LARGE")
        assert.match(refused.facts.detail ?? "", /its Result Package \d+, its Commerce Record \d+, its lineage \d+\./u)
      })
    )
  })
})
