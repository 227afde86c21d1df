/** Notifications of the payment provider: what they make due, and what never comes of them. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { signedNotification, type NotificationRequest } from "../../simulator/payments/notification.ts"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { receiveNotification } from "../../src/commerce/notifications.ts"
import { paymentPass } from "../../src/commerce/worker.ts"
import { NotificationInvalid, Payments } from "../../src/ports/payments.ts"
import { addMilliseconds, never, now, type Instant } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import {
  changeAttempt,
  during,
  entriesOf,
  runBeforeAnswer,
  passOver,
  rowOf,
  withProvider
} from "../support/attempts.ts"
import { notificationOf, notify } from "../support/commerce-status.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { approved, commandOrder, paid, payableResult, paying, readOrder } from "../support/orders.ts"
import { uuid } from "../support/parties.ts"
import { atProvider } from "../support/payments.ts"
import { everyRow } from "../support/rows.ts"
import { freshTestService } from "../support/service.ts"
import { createdBody, outcome } from "../support/workspace.ts"

const stores = [
  ["in memory", memoryTestService],
  ["on Postgres", freshTestService]
] as const

const signed = (content: unknown) =>
  Effect.map(now, (at) => signedNotification(typeof content === "string" ? content : JSON.stringify(content), at))

/** An attempt whose opening was lost at the provider, and which is not repeated any more. */
const lostOpening = Effect.gen(function* () {
  const { buyer, order } = yield* approved(yield* payableResult)
  const opening = yield* during(
    { availability: "WORKING", losesOpenings: true },
    commandOrder(buyer, order, "payments")
  )
  const { commerceOrderId } = createdBody(opening).attempts[0]
  yield* changeAttempt(commerceOrderId, { expiresAt: addMilliseconds(yield* now, limits.checkoutNotReopened - 1000) })
  return { buyer, order, commerceOrderId: commerceOrderId as string }
})

/** Dates the attempt back, so that it expired then, and makes it due. */
const expireAt = Effect.fnUntraced(function* (commerceOrderId: string, expiresAt: Instant) {
  const openedAt = addMilliseconds(expiresAt, -limits.checkoutLifetime)
  yield* changeAttempt(commerceOrderId, { openedAt, expiresAt, dueAt: yield* now })
})

const stateOf = (commerceOrderId: string) => Effect.map(rowOf(commerceOrderId), ({ state }) => state)

describe.each(stores)("notifications of the payment provider %s", (_, service) => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect("A notification makes its attempt due, and what the provider then answers is captured.", () =>
      Effect.gen(function* () {
        const { buyer, order, commerceOrderId } = yield* paying(yield* payableResult)
        yield* atProvider({ act: "pay", commerceOrderId })
        const answer = yield* notify(yield* notificationOf(commerceOrderId))
        assert.deepStrictEqual([answer.status, answer.text], [204, ""])
        assert.isEmpty(yield* entriesOf(commerceOrderId))
        yield* paymentPass
        assert.strictEqual((yield* readOrder(buyer, order)).state, "PAID")
      })
    )

    it.effect("Repeated and reordered notifications give the journal that one gives.", () =>
      Effect.gen(function* () {
        const { commerceOrderId } = yield* paying(yield* payableResult)
        const early = yield* notificationOf(commerceOrderId)
        yield* atProvider({ act: "pay", commerceOrderId })
        const late = yield* notificationOf(commerceOrderId)
        yield* notify(late)
        yield* paymentPass
        const once = yield* entriesOf(commerceOrderId)
        for (const again of [early, late, early]) {
          assert.strictEqual((yield* notify(again)).status, 204)
          yield* paymentPass
        }
        assert.deepStrictEqual(yield* entriesOf(commerceOrderId), once)
        assert.lengthOf(once, 3)
      })
    )

    it.effect("An entity that was read before makes its attempt due, also after its last readback.", () =>
      Effect.gen(function* () {
        const { commerceOrderId } = yield* paid(yield* payableResult)
        const payment = (yield* entriesOf(commerceOrderId)).find(({ component }) => component === "PAYMENT")!
        yield* changeAttempt(commerceOrderId, { dueAt: never })
        yield* atProvider({ act: "refund", commerceOrderId, amountMinor: 25_000 })
        assert.strictEqual((yield* notify(yield* signed({ entity: payment.entity }))).status, 204)
        yield* paymentPass
        assert.isTrue((yield* entriesOf(commerceOrderId)).some(({ component }) => component === "REFUND"))
      })
    )

    it.effect("A readback that began before a notification is discarded, and another one follows.", () =>
      Effect.gen(function* () {
        const { commerceOrderId } = yield* paying(yield* payableResult)
        yield* captureAttempt(commerceOrderId)
        const paymentNotified = Effect.gen(function* () {
          yield* atProvider({ act: "pay", commerceOrderId })
          yield* notify(yield* notificationOf(commerceOrderId))
        })
        assert.isUndefined(yield* runBeforeAnswer(paymentNotified, captureAttempt(commerceOrderId)))
        assert.isTrue((yield* rowOf(commerceOrderId)).dueAt <= (yield* now))
        yield* paymentPass
        assert.strictEqual(yield* stateOf(commerceOrderId), "PAID")
      })
    )

    it.effect("A forged, altered, old or future notification is refused, and changes nothing.", () =>
      Effect.gen(function* () {
        const { commerceOrderId } = yield* paying(yield* payableResult)
        yield* atProvider({ act: "pay", commerceOrderId })
        const { rawBody, headers } = yield* notificationOf(commerceOrderId)
        const at = yield* now
        const other = yield* notificationOf((yield* paying(yield* payableResult)).commerceOrderId)
        const before = yield* everyRow
        const cases: ReadonlyArray<readonly [string, NotificationRequest]> = [
          ["without a signature", { rawBody, headers: {} }],
          ["with the signature of another body", { rawBody, headers: other.headers }],
          ["of other bytes", { rawBody: rawBody.map((byte, index) => (index === 2 ? byte ^ 1 : byte)), headers }],
          ["without a body", { rawBody: new Uint8Array(), headers }],
          ["301 seconds old", yield* notificationOf(commerceOrderId, addMilliseconds(at, -301_000))],
          ["310 seconds ahead", yield* notificationOf(commerceOrderId, addMilliseconds(at, 310_000))],
          ["with a header of 100 KB", { rawBody, headers: { ...headers, "simulated-other": "x".repeat(100_000) } }]
        ]
        for (const [name, request] of cases) {
          const answer = yield* notify(request)
          assert.deepStrictEqual(outcome(answer), [400, "NOTIFICATION_INVALID"], name)
          assert.notInclude(answer.text, commerceOrderId)
        }
        const large = yield* notify({ rawBody: new Uint8Array(limits.paymentNotificationBytes + 1), headers })
        assert.deepStrictEqual(outcome(large), [413, "REQUEST_TOO_LARGE"])
        assert.deepStrictEqual(yield* everyRow, before)
      })
    )

    it.effect(
      "An authentic notification about nothing that is known here is answered alike, and changes nothing.",
      () =>
        Effect.gen(function* () {
          const { commerceOrderId } = yield* paid(yield* payableResult)
          const before = yield* everyRow
          const contents = [
            {},
            { commerceOrderId: `commerce_${uuid()}` },
            { commerceOrderId: "no id", checkoutId: "cs_sim_999", entity: "cs_sim_999" },
            { entity: "" },
            { entity: "a\0b" },
            { entity: "\ud800" },
            { entity: "x".repeat(5_000) }
          ]
          for (const content of contents) {
            const answer = yield* notify(yield* signed(content))
            assert.deepStrictEqual([answer.status, answer.text], [204, ""], JSON.stringify(content))
          }
          for (const content of ["no JSON", "[]", JSON.stringify({ entity: 1 })]) {
            assert.deepStrictEqual(outcome(yield* notify(yield* signed(content))), [400, "NOTIFICATION_INVALID"])
          }
          const ofOther = receiveNotification(yield* notificationOf(commerceOrderId))
          yield* ofOther.pipe(withProvider(() => ({ environment: "LIVE" })))
          assert.deepStrictEqual(yield* everyRow, before)
        })
    )

    it.effect("Without a provider a notification is refused, and the reason of a refusal stays inside.", () =>
      Effect.gen(function* () {
        const { commerceOrderId } = yield* paying(yield* payableResult)
        const received = Effect.flip(receiveNotification(yield* notificationOf(commerceOrderId)))
        const without = yield* Effect.provideService(received, Payments, { kind: "NONE" })
        assert.strictEqual(without.code, "PAYMENTS_NOT_CONFIGURED")
        const refusing = yield* received.pipe(
          withProvider(() => ({
            authenticate: () => Effect.fail(new NotificationInvalid({ reason: "secret 1 of 2" }))
          }))
        )
        assert.deepStrictEqual([refusing.code, refusing.facts], ["NOTIFICATION_INVALID", {}])
      })
    )

    it.effect("A notification within the time of openings has the opening repeated with its address.", () =>
      Effect.gen(function* () {
        const { commerceOrderId } = yield* lostOpening
        yield* changeAttempt(commerceOrderId, { expiresAt: addMilliseconds(yield* now, limits.checkoutLifetime) })
        yield* notify(yield* notificationOf(commerceOrderId))
        yield* paymentPass
        const { state, checkoutId, checkoutUrl, hintedCheckoutId } = yield* rowOf(commerceOrderId)
        assert.deepStrictEqual([state, hintedCheckoutId], ["OPEN", null])
        assert.isNotNull(checkoutId)
        assert.isNotNull(checkoutUrl)
      })
    )

    it.effect("A checkout that was never learned is adopted after a readback that shows it as this attempt's.", () =>
      Effect.gen(function* () {
        const { buyer, order, commerceOrderId } = yield* lostOpening
        yield* atProvider({ act: "pay", commerceOrderId })
        yield* notify(yield* notificationOf(commerceOrderId))
        assert.deepInclude(yield* rowOf(commerceOrderId), { state: "OPENING", checkoutId: null })
        yield* during({ availability: "DOWN" }, paymentPass)
        assert.deepInclude(yield* rowOf(commerceOrderId), { state: "OPENING", checkoutId: null, failures: 2 })
        assert.isEmpty(yield* entriesOf(commerceOrderId))
        yield* changeAttempt(commerceOrderId, { dueAt: yield* now })
        yield* paymentPass
        const adopted = yield* rowOf(commerceOrderId)
        assert.deepInclude(adopted, { state: "PAID", checkoutUrl: null, hintedCheckoutId: null, failures: 0 })
        assert.deepInclude(yield* readOrder(buyer, order), { state: "PAID", attention: [] })
      })
    )

    it.effect("A checkout of another attempt is not adopted, and the attempt ends as it would have.", () =>
      Effect.gen(function* () {
        const { commerceOrderId } = yield* lostOpening
        const other = yield* paying(yield* payableResult)
        yield* atProvider({ act: "pay", commerceOrderId: other.commerceOrderId })
        const { checkoutId } = yield* rowOf(other.commerceOrderId)
        yield* notify(yield* signed({ commerceOrderId, checkoutId }))
        yield* paymentPass
        assert.deepInclude(yield* rowOf(commerceOrderId), {
          state: "OPENING",
          checkoutId: null,
          hintedCheckoutId: null
        })
        assert.isEmpty(yield* entriesOf(commerceOrderId))
        const past = addMilliseconds(yield* now, -limits.checkoutUnknown)
        yield* expireAt(commerceOrderId, past)
        yield* paymentPass
        assert.strictEqual(yield* stateOf(commerceOrderId), "RELEASED")
      })
    )

    it.effect("An attempt is released in its time while its named checkout cannot be read, and adopts it later.", () =>
      Effect.gen(function* () {
        const { buyer, order, commerceOrderId } = yield* lostOpening
        yield* atProvider({ act: "pay", commerceOrderId })
        yield* notify(yield* notificationOf(commerceOrderId))
        yield* expireAt(commerceOrderId, addMilliseconds(yield* now, -limits.checkoutUnknown))
        yield* during({ availability: "REFUSING" }, paymentPass)
        const released = yield* rowOf(commerceOrderId)
        assert.deepInclude(released, { state: "RELEASED", checkoutId: null })
        assert.isNotNull(released.hintedCheckoutId)
        assert.strictEqual((yield* readOrder(buyer, order)).state, "APPROVED")
        yield* passOver(commerceOrderId)
        assert.strictEqual(yield* stateOf(commerceOrderId), "PAID")
      })
    )

    it.effect("A payment of a checkout that was never learned is captured after the release of its attempt.", () =>
      Effect.gen(function* () {
        const { buyer, order, commerceOrderId } = yield* lostOpening
        yield* atProvider({ act: "pay", commerceOrderId })
        const past = addMilliseconds(yield* now, -limits.checkoutUnknown)
        yield* expireAt(commerceOrderId, past)
        yield* paymentPass
        assert.deepInclude(yield* rowOf(commerceOrderId), { state: "RELEASED", dueAt: never })
        yield* notify(yield* signed({ commerceOrderId }))
        assert.strictEqual((yield* rowOf(commerceOrderId)).dueAt, never)
        yield* notify(yield* notificationOf(commerceOrderId))
        yield* paymentPass
        assert.strictEqual(yield* stateOf(commerceOrderId), "PAID")
        assert.deepStrictEqual((yield* readOrder(buyer, order)).attention, [
          { commerceOrderId, reason: "LATE_PAYMENT" }
        ])
      })
    )
  })
})
