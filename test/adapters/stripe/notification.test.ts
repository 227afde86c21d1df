/** Which notifications are authentic, and what each is about. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Effect, Result } from "effect"
import Stripe from "stripe"
import { readNotification } from "../../../src/adapters/stripe/notification.ts"
import { verifyHeader } from "../../../src/adapters/stripe/layer.ts"
import type { PaymentNotification } from "../../../src/ports/payments.ts"
import { toMilliseconds, type Instant } from "../../../src/vocabulary/instant.ts"
import type { PaymentEnvironment } from "../../../src/vocabulary/payments.ts"
import { eventsAfter } from "../../support/stripe/notifications.ts"
import { openedAttempt, performAt } from "../../support/stripe/payments.ts"
import { commerceOrderId } from "../../support/stripe/requests.ts"

const receivedAt = "2026-01-02T09:00:00.750Z" as Instant
const secret = "whsec_of_the_endpoint"
const older = "whsec_of_the_endpoint_before"

interface Given {
  readonly body?: string | Uint8Array
  readonly header?: string
  readonly webhookSecrets?: ReadonlyArray<string>
  readonly environment?: PaymentEnvironment
}

const bodyOf = (object: object, more: object = {}): string =>
  JSON.stringify({ object: "event", livemode: false, data: { object }, ...more })

const checkout = bodyOf({ object: "checkout.session", id: "cs_1", client_reference_id: "commerce_1", metadata: {} })

/** A header by the package itself. */
const headerOf = (payload: string, { by = secret, ageSeconds = 0, scheme = "v1" } = {}): string =>
  Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: by,
    scheme,
    timestamp: Math.floor(toMilliseconds(receivedAt) / 1_000) - ageSeconds
  })

const read = ({ body = checkout, header, webhookSecrets = [secret], environment = "TEST" }: Given) =>
  readNotification(
    {
      rawBody: typeof body === "string" ? new TextEncoder().encode(body) : body,
      headers: header === undefined ? {} : { "stripe-signature": header },
      receivedAt
    },
    { webhookSecrets, environment },
    verifyHeader
  )

const isAuthentic = (given: Given): boolean => Result.isSuccess(read(given))

describe("Signatures", () => {
  it("A notification is authentic by any one of the configured secrets, and by no other.", () => {
    assert.isTrue(isAuthentic({ header: headerOf(checkout) }))
    assert.isTrue(isAuthentic({ header: headerOf(checkout, { by: older }), webhookSecrets: [secret, older] }))
    assert.isFalse(isAuthentic({ header: headerOf(checkout, { by: older }) }))
    assert.isFalse(isAuthentic({ header: headerOf(checkout, { by: secret.slice(0, -1) }) }))
    assert.isFalse(isAuthentic({ header: headerOf(checkout), webhookSecrets: [] }))
  })

  it("A notification is refused without a signature, or with one of other bytes.", () => {
    const header = headerOf(checkout)
    assert.isFalse(isAuthentic({}))
    assert.isFalse(isAuthentic({ header: "" }))
    assert.isFalse(isAuthentic({ header, body: `${checkout} ` }))
    assert.isFalse(isAuthentic({ header, body: `\u{feff}${checkout}` }), "a byte order mark is not ignored")
    assert.isFalse(isAuthentic({ header: headerOf(""), body: "" }))
    const replaced = checkout.replace("commerce_1", "commerce_\u{fffd}")
    assert.isTrue(isAuthentic({ header: headerOf(replaced), body: replaced }))
    const malformed = Buffer.from(replaced.replace("\u{fffd}", "?"))
    malformed[malformed.indexOf("?")] = 0xff
    assert.isFalse(isAuthentic({ header: headerOf(replaced), body: malformed }), "malformed UTF-8 is not replaced")
  })

  it.each([
    [299, true],
    [300, true],
    [301, false],
    [86_400, false],
    [-299, true],
    [-300, true],
    [-301, false],
    [-86_400, false]
  ])("A notification that is %i seconds old is authentic: %s.", (ageSeconds, expected) => {
    assert.strictEqual(isAuthentic({ header: headerOf(checkout, { ageSeconds }) }), expected)
  })

  it("A notification may have several signatures, of which one has to be of a configured secret.", () => {
    const [time, signature] = headerOf(checkout).split(",") as [string, string]
    const [, other] = headerOf(checkout, { by: older }).split(",") as [string, string]
    assert.isTrue(isAuthentic({ header: [time, other, signature].join(",") }))
    assert.isTrue(isAuthentic({ header: [time, signature, signature.replace("v1", "v0")].join(",") }))
    assert.isFalse(isAuthentic({ header: [time, other, other].join(",") }))
    assert.isFalse(isAuthentic({ header: [time, signature.replace("v1", "v0")].join(",") }), "another scheme")
    assert.isTrue(isAuthentic({ header: [time, ...Array.from({ length: 9 }, () => other), signature].join(",") }))
    assert.isFalse(isAuthentic({ header: [time, ...Array.from({ length: 10 }, () => other), signature].join(",") }))
  })

  it("A notification is refused with a header that is not exactly of the documented form.", () => {
    const header = headerOf(checkout)
    const [time, signature] = header.split(",") as [string, string]
    const later = `t=${Number(time.slice(2)) + 1_000}`
    for (const malformed of [
      signature,
      time,
      `${time},${later},${signature}`,
      `${later},${time},${signature}`,
      `${time}x,${signature}`,
      `t=-1,${signature}`,
      `t=1e9,${signature}`,
      `${time},${signature},v1=`,
      `${time},${signature},v1`,
      `${time},v1=${"é".repeat(64)}`,
      `${time},${signature.toUpperCase()}`,
      `${header} `,
      `${header},`,
      `${header},${"v0=1,".repeat(20_480)}`,
      "x".repeat(100_000)
    ]) {
      assert.isFalse(isAuthentic({ header: malformed }), malformed.slice(0, 200))
    }
  })

  it("A signed body that is no event is refused.", () => {
    const thin = JSON.stringify({ object: "v2.core.event", livemode: false, id: "evt_1" })
    for (const body of ["no JSON", "[]", "null", "{}", thin, bodyOf([])]) {
      assert.isFalse(isAuthentic({ header: headerOf(body), body }), body)
    }
  })

  it("Any bytes with any header are refused if no secret signed them.", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), (body, header) => !isAuthentic({ body, header })),
      { numRuns: 300 }
    )
  })
})

describe("Subjects", () => {
  const subjectOf = (object: object, more?: object, environment?: PaymentEnvironment): PaymentNotification => {
    const body = bodyOf(object, more)
    const given = { body, header: headerOf(body), ...(environment === undefined ? {} : { environment }) }
    return Result.getOrThrow(read(given))
  }
  const metadata = { commerceOrderId: "commerce_1" }
  const account = "acct_1"

  it.each<readonly [object: object, more: object, subject: PaymentNotification]>([
    [
      { object: "checkout.session", id: "cs_1", client_reference_id: "commerce_1" },
      {},
      { commerceOrderId: "commerce_1", checkoutId: "cs_1", entity: "cs_1" }
    ],
    [{ object: "checkout.session", id: "cs_1", client_reference_id: null }, {}, { checkoutId: "cs_1", entity: "cs_1" }],
    [{ object: "payment_intent", id: "pi_1", metadata }, {}, { commerceOrderId: "commerce_1", entity: "pi_1" }],
    [{ object: "payment_intent", id: "pi_1", metadata: {} }, {}, { entity: "pi_1" }],
    [
      { object: "charge", id: "ch_1", payment_intent: "pi_1", metadata },
      {},
      { commerceOrderId: "commerce_1", entity: "pi_1" }
    ],
    [{ object: "charge", id: "ch_1", payment_intent: "pi_1", metadata: null }, {}, { entity: "pi_1" }],
    [{ object: "charge", id: "ch_1", payment_intent: null }, {}, {}],
    [{ object: "refund", id: "re_1", payment_intent: { id: "pi_1" }, metadata }, {}, { entity: "pi_1" }],
    [{ object: "dispute", id: "dp_1", payment_intent: "pi_1", metadata }, {}, { entity: "pi_1" }],
    [{ object: "transfer", id: "tr_1", metadata }, {}, { entity: "tr_1" }],
    [{ object: "payout", id: "po_1" }, { account }, { entity: "po_1" }],
    [{ object: "payout", id: "po_1" }, {}, {}],
    [{ object: "account", id: account, metadata }, { account }, {}],
    [{ object: "checkout.session", id: "cs_1", client_reference_id: "commerce_1" }, { account }, {}],
    [{ object: "checkout.session", id: 7, client_reference_id: "x".repeat(201) }, {}, {}],
    [{ object: "an object that is unknown", id: "x_1", metadata }, {}, {}]
  ])("A notification about %j with %j concerns %j.", (object, more, expected) => {
    assert.deepStrictEqual(subjectOf(object, more), expected)
  })

  it("A signed notification of the other mode concerns nothing.", () => {
    const object = { object: "checkout.session", id: "cs_1", client_reference_id: "commerce_1" }
    assert.deepStrictEqual(subjectOf(object, { livemode: true }), {})
    assert.deepStrictEqual(subjectOf(object, {}, "LIVE"), {})
  })

  it.live("Each event of the server leads to its attempt or to one of its entities.", () =>
    Effect.gen(function* () {
      const { server, payments, readback, accountId } = yield* openedAttempt()
      const known = new Set<string>()
      const subjectsAfter = Effect.fnUntraced(function* (act: Parameters<typeof performAt>[1]) {
        performAt(server, act)
        for (const component of Object.values(yield* payments.readBack(readback))) {
          if (component.outcome === "READ") component.entities.forEach(({ entity }) => known.add(entity))
        }
        for (const event of eventsAfter(server, act, server.now())) {
          const body = JSON.stringify(event)
          const { commerceOrderId: attempt, entity } = Result.getOrThrow(read({ body, header: headerOf(body) }))
          const isFound = attempt === commerceOrderId || known.has(entity ?? "")
          assert.strictEqual(isFound, event.type !== "account.updated", event.type)
        }
      })
      yield* subjectsAfter({ act: "onboard", accountId })
      yield* subjectsAfter({ act: "decline", commerceOrderId })
      yield* subjectsAfter({ act: "pay", commerceOrderId })
      yield* subjectsAfter({ act: "refund", commerceOrderId, amountMinor: 5 })
      yield* subjectsAfter({ act: "failRefund", commerceOrderId })
      yield* subjectsAfter({ act: "dispute", commerceOrderId })
      yield* subjectsAfter({ act: "reverseTransfer", commerceOrderId, amountMinor: 5 })
      yield* subjectsAfter({ act: "payOut", accountId })
      yield* subjectsAfter({ act: "failPayout", accountId })
    })
  )
})
