/** The server of Stripe's form itself: what it takes, what it refuses, and with which words. */
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import Stripe from "stripe"
import { apiError, rateLimited } from "../../support/stripe/faults.ts"
import { checkoutEvent, eventsAfter, send, signed, webhookSecret } from "../../support/stripe/notifications.ts"
import { performAt } from "../../support/stripe/payments.ts"
import {
  accountForm,
  checkoutForm,
  commerceOrderId,
  request,
  requestInit,
  serverWithCheckout,
  type RawRequest
} from "../../support/stripe/requests.ts"
import type { StripeServer } from "../../support/stripe/server.ts"

const ask = (server: StripeServer, path: string, options: RawRequest = {}) =>
  Effect.promise(() => request(server, path, options))

/** Status and error of a refusal. */
const refusal = (server: StripeServer, path: string, options: RawRequest = {}) =>
  Effect.map(ask(server, path, options), ({ status, body }) => [
    status,
    body.error?.type,
    body.error?.code,
    body.error?.param
  ])

const invalid = "invalid_request_error"

describe("parameters", () => {
  it.live("A parameter that Stripe does not have is refused by its full name, also within another.", () =>
    Effect.gen(function* () {
      const { server, accountId } = yield* serverWithCheckout()
      const form = checkoutForm(server, accountId)
      const path = "/v1/checkout/sessions"
      const unknown = (name: string) => refusal(server, path, { form: { ...form, [name]: "1" } })
      assert.deepStrictEqual(yield* unknown("colour"), [400, invalid, "parameter_unknown", "colour"])
      const nested = "payment_intent_data[transfer_data][colour]"
      assert.deepStrictEqual(yield* unknown(nested), [400, invalid, "parameter_unknown", nested])
      const inList = "line_items[0][price_data][colour]"
      assert.deepStrictEqual(yield* unknown(inList), [400, invalid, "parameter_unknown", inList])
      const inQuery = yield* refusal(server, "/v1/payouts?colour=1")
      assert.deepStrictEqual(inQuery, [400, invalid, "parameter_unknown", "colour"])
    })
  )

  it.live("A missing or malformed parameter is refused by its name, and the request has no effect.", () =>
    Effect.gen(function* () {
      const { server, accountId } = yield* serverWithCheckout()
      const form = checkoutForm(server, accountId)
      const changed = (name: string, value: string) =>
        refusal(server, "/v1/checkout/sessions", { form: { ...form, client_reference_id: "another", [name]: value } })
      const price = "line_items[0][price_data][unit_amount]"
      assert.deepStrictEqual(yield* changed(price, "1.5"), [400, invalid, "parameter_invalid_integer", price])
      assert.deepStrictEqual(yield* changed("success_url", "home"), [400, invalid, "url_invalid", "success_url"])
      assert.deepStrictEqual(yield* changed("mode", "setup"), [400, invalid, undefined, "mode"])
      const missing = yield* refusal(server, "/v1/refunds")
      assert.deepStrictEqual(missing, [400, invalid, "parameter_missing", "payment_intent"])
      assert.lengthOf(server.provider.state.purchases, 1)
    })
  )

  it.live("A checkout expires in 30 minutes to 24 hours, at an account that takes payments.", () =>
    Effect.gen(function* () {
      const { server, accountId } = yield* serverWithCheckout()
      const form = checkoutForm(server, accountId)
      const open = (changes: Record<string, string>) =>
        refusal(server, "/v1/checkout/sessions", { form: { ...form, client_reference_id: "another", ...changes } })
      for (const seconds of [-1802, 23 * 3600 + 2]) {
        const expiry = String(Number(form["expires_at"]) + seconds)
        assert.deepStrictEqual(yield* open({ expires_at: expiry }), [400, invalid, undefined, "expires_at"])
      }
      const { body } = yield* ask(server, "/v1/accounts", { form: accountForm })
      const destination = { "payment_intent_data[transfer_data][destination]": body.id }
      const code = "insufficient_capabilities_for_transfer"
      assert.deepStrictEqual(yield* open(destination), [400, invalid, code, undefined])
    })
  )
})

describe("idempotency keys", () => {
  it.live("The same request under a key has the same answer, and another one is refused.", () =>
    Effect.gen(function* () {
      const { server } = yield* serverWithCheckout()
      const headers = { "idempotency-key": "of-a-test" }
      const first = yield* ask(server, "/v1/accounts", { form: accountForm, headers })
      const again = yield* ask(server, "/v1/accounts", { form: accountForm, headers })
      assert.deepStrictEqual(again.body, first.body)
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      assert.strictEqual(again.headers.get("original-request"), first.headers.get("request-id"))
      const other = yield* refusal(server, "/v1/accounts", { form: { ...accountForm, country: "DE" }, headers })
      assert.deepStrictEqual(other.slice(0, 2), [400, "idempotency_error"])
    })
  )

  it.live("A key whose first request is in progress is in use.", () =>
    Effect.gen(function* () {
      const { server } = yield* serverWithCheckout()
      const headers = { "idempotency-key": "of-a-test" }
      server.fault = () => ({ kind: "DELAY", milliseconds: 60_000 })
      const abort = new AbortController()
      const init = { ...requestInit({ form: accountForm, headers }), signal: abort.signal }
      const first = fetch(`${server.origin}/v1/accounts`, init).catch(() => "aborted")
      while (!server.received.some((one) => one.headers["idempotency-key"] === "of-a-test")) yield* Effect.sleep(5)
      server.fault = () => undefined
      const inUse = yield* refusal(server, "/v1/accounts", { form: accountForm, headers })
      assert.deepStrictEqual(inUse.slice(0, 3), [409, "idempotency_error", "idempotency_key_in_use"])
      abort.abort()
      assert.strictEqual(yield* Effect.promise(() => first), "aborted")
    })
  )

  it.live("A refusal that a request had wrong by itself is not kept under its key.", () =>
    Effect.gen(function* () {
      const { server } = yield* serverWithCheckout()
      const headers = { "idempotency-key": "of-a-test" }
      const wrong = yield* ask(server, "/v1/accounts", { form: { colour: "1" }, headers })
      const right = yield* ask(server, "/v1/accounts", { form: accountForm, headers })
      assert.deepStrictEqual([wrong.status, right.status], [400, 200])
    })
  )
})

describe("keys, versions and accounts", () => {
  it.live("A request needs a known key, its permission, the pinned version, and a path that exists.", () =>
    Effect.gen(function* () {
      const { server, accountId } = yield* serverWithCheckout({ restrictedKeys: { rk_test_1: ["rak_payout_read"] } })
      const path = `/v1/accounts/${accountId}`
      const as = (authorization: string) => ({ headers: { authorization } })
      assert.deepStrictEqual((yield* refusal(server, path, as("Bearer sk_test_other"))).slice(0, 2), [401, invalid])
      assert.deepStrictEqual((yield* refusal(server, path, as("Bearer rk_test_1"))).slice(0, 2), [403, invalid])
      assert.strictEqual((yield* ask(server, "/v1/payouts", as("Bearer rk_test_1"))).status, 200)
      const older = { headers: { "stripe-version": "2025-01-27.acacia" } }
      assert.deepStrictEqual((yield* refusal(server, path, older)).slice(0, 2), [400, invalid])
      assert.deepStrictEqual((yield* refusal(server, "/v1/transfers", { form: {} })).slice(0, 2), [404, invalid])
    })
  )

  it.live("Payouts and balance transactions belong to the connected account, and an unknown account is refused.", () =>
    Effect.gen(function* () {
      const { server, accountId } = yield* serverWithCheckout()
      performAt(server, { act: "pay", commerceOrderId })
      performAt(server, { act: "payOut", accountId })
      const headers = { "stripe-account": accountId }
      const [payout] = (yield* ask(server, "/v1/payouts", { headers })).body.data
      assert.strictEqual(payout.status, "paid")
      const { body } = yield* ask(server, `/v1/balance_transactions?payout=${payout.id}`, { headers })
      const transfer = server.provider.state.purchases[0]?.transfer
      assert.strictEqual(body.data[0].source, transfer?.facts.destinationPaymentId)
      assert.strictEqual(body.data[0].amount, payout.amount)
      assert.lengthOf((yield* ask(server, "/v1/payouts")).body.data, 0)
      const unknown = { headers: { "stripe-account": "acct_unknown" } }
      assert.deepStrictEqual((yield* refusal(server, "/v1/payouts", unknown)).slice(0, 3), [
        403,
        invalid,
        "account_invalid"
      ])
    })
  )
})

describe("lists and expansion", () => {
  it.live("A list is answered in pages, the newest object first, until none is left.", () =>
    Effect.gen(function* () {
      const { server } = yield* serverWithCheckout()
      performAt(server, { act: "pay", commerceOrderId })
      for (let n = 0; n < 5; n++) performAt(server, { act: "refund", commerceOrderId, amountMinor: 1 })
      const [purchase] = server.provider.state.purchases
      const made = purchase?.refunds.map(({ entity }) => entity).toReversed() ?? []
      const path = `/v1/refunds?payment_intent=${purchase?.payment?.entity}`
      const ids = ({ data }: Stripe.ApiList<Stripe.Refund>) => data.map(({ id }) => id)
      const first = (yield* ask(server, `${path}&limit=2`)).body
      assert.deepStrictEqual([ids(first), first.has_more], [made.slice(0, 2), true])
      const last = (yield* ask(server, `${path}&limit=3&starting_after=${made[1]}`)).body
      assert.deepStrictEqual([ids(last), last.has_more], [made.slice(2), false])
      const unknown = yield* refusal(server, `${path}&starting_after=re_unknown`)
      assert.deepStrictEqual(unknown, [400, invalid, "resource_missing", "starting_after"])
      const tooMany = yield* refusal(server, `${path}&limit=101`)
      assert.deepStrictEqual(tooMany, [400, invalid, "parameter_invalid_integer", "limit"])
    })
  )

  it.live("A member is an id, or the object where the request expands it.", () =>
    Effect.gen(function* () {
      const { server, checkoutId } = yield* serverWithCheckout()
      performAt(server, { act: "pay", commerceOrderId })
      const path = `/v1/checkout/sessions/${checkoutId}`
      assert.isString((yield* ask(server, path)).body.payment_intent)
      const { body } = yield* ask(server, `${path}?expand[]=payment_intent.latest_charge.transfer`)
      assert.strictEqual(body.payment_intent.latest_charge.transfer.object, "transfer")
      const other = yield* refusal(server, `${path}?expand[]=payment_intent.colour`)
      assert.deepStrictEqual(other, [400, invalid, undefined, "expand"])
    })
  )
})

describe("faults and notifications", () => {
  it.live("On command a request meets a rate limit, an error of the server, a reset before or after its effect.", () =>
    Effect.gen(function* () {
      const { server, accountId } = yield* serverWithCheckout()
      const path = `/v1/accounts/${accountId}`
      server.fault = () => rateLimited
      assert.deepStrictEqual((yield* refusal(server, path)).slice(0, 3), [429, invalid, "rate_limit"])
      server.fault = () => apiError(502)
      assert.deepStrictEqual((yield* refusal(server, path)).slice(0, 2), [502, "api_error"])
      for (const [when, accounts] of [["BEFORE", 1] as const, ["AFTER", 2] as const]) {
        server.fault = () => ({ kind: "RESET", when })
        const outcome = request(server, "/v1/accounts", { form: accountForm }).catch(() => "reset")
        assert.strictEqual(yield* Effect.promise(() => outcome), "reset")
        assert.lengthOf(server.provider.state.accounts, accounts)
      }
    })
  )

  it.live("Every act is told in events that the package authenticates.", () =>
    Effect.gen(function* () {
      const { server, accountId } = yield* serverWithCheckout()
      const { requests, url } = yield* receiver
      const acts = [
        { act: "decline", commerceOrderId },
        { act: "pay", commerceOrderId },
        { act: "refund", commerceOrderId, amountMinor: 10 },
        { act: "failRefund", commerceOrderId },
        { act: "dispute", commerceOrderId },
        { act: "closeDispute", commerceOrderId, status: "won" },
        { act: "reverseTransfer", commerceOrderId, amountMinor: 10 },
        { act: "payOut", accountId },
        { act: "failPayout", accountId }
      ] as const
      for (const act of acts) {
        performAt(server, act)
        const at = server.now()
        const statuses = yield* Effect.promise(() => send(url, eventsAfter(server, act, at), at))
        assert.isNotEmpty(statuses)
        assert.isTrue(statuses.every((status) => status === 204))
      }
      const { webhooks } = new Stripe("sk_test_1")
      const types = requests.map(([body, header]) => webhooks.constructEvent(body, header, webhookSecret).type)
      assert.includeMembers(types, [
        "payment_intent.payment_failed",
        "checkout.session.completed",
        "charge.refunded",
        "refund.failed",
        "charge.dispute.created",
        "charge.dispute.closed",
        "transfer.reversed",
        "payout.paid",
        "payout.failed"
      ])
      const [purchase] = server.provider.state.purchases
      const { rawBody, headers } = signed(checkoutEvent(server, purchase!, server.now()), server.now(), "whsec_other")
      const forged = () =>
        webhooks.constructEvent(Buffer.from(rawBody), headers["stripe-signature"] ?? "", webhookSecret)
      assert.throws(forged)
    })
  )
})

/** Keeps each body with its signature, and answers 204. */
const receiver = Effect.gen(function* () {
  const requests: Array<readonly [string, string]> = []
  const server = createServer((incoming, response) => {
    void buffer(incoming).then((body) => {
      requests.push([body.toString(), String(incoming.headers["stripe-signature"])])
      response.writeHead(204).end()
    })
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () => Effect.sync(() => server.close().closeAllConnections())
  )
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/payments/notifications` }
})
