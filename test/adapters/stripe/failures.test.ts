/** What becomes of refusals, faults and wrong answers of Stripe, over a server of its form. */
import type { ServerResponse } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import Stripe from "stripe"
import { limits } from "../../../src/vocabulary/limits.ts"
import { components, type Component } from "../../../src/vocabulary/payments.ts"
import { callFailure } from "../../../src/adapters/stripe/client.ts"
import { boundedFetch, stripeAgent } from "../../../src/adapters/stripe/http.ts"
import type { Readback } from "../../../src/ports/payments.ts"
import { apiError, rateLimited, type Fault } from "../../support/stripe/faults.ts"
import { openedAttempt, paymentsOver, performAt } from "../../support/stripe/payments.ts"
import { commerceOrderId } from "../../support/stripe/requests.ts"
import type { StripeServer } from "../../support/stripe/server.ts"

/** The failures of a readback, by component. */
const failuresOf = (readback: Readback): Readonly<Partial<Record<Component, string>>> =>
  Object.fromEntries(
    components.flatMap((component) => {
      const read = readback[component]
      return read.outcome === "FAILED" ? [[component, read.reason]] : []
    })
  )

const everyComponent = (reason: string) => Object.fromEntries(components.map((component) => [component, reason]))

/** A paid attempt whose server has a fault at one path, from then on. */
const paidAttempt = Effect.fnUntraced(function* (path?: string, fault?: Fault) {
  const attempt = yield* openedAttempt()
  performAt(attempt.server, { act: "pay", commerceOrderId })
  if (path !== undefined) attempt.server.fault = (request) => (request.path.startsWith(path) ? fault : undefined)
  return attempt
})

const failuresUnder = (path: string, fault: Fault) =>
  Effect.flatMap(paidAttempt(path, fault), ({ payments, readback }) =>
    Effect.map(payments.readBack(readback), failuresOf)
  )

const tagOf = <A, E extends { readonly _tag: string; readonly reason: string }>(effect: Effect.Effect<A, E>) =>
  Effect.match(effect, { onFailure: ({ _tag, reason }) => [_tag, reason], onSuccess: () => ["SUCCEEDED"] })

const quiet = Effect.provide(Logger.layer([]))
const checkouts = "/v1/checkout/sessions"
const changed = (change: (answer: any) => unknown): Fault => ({ kind: "CHANGE", change })
const sent = (send: (response: ServerResponse) => void): Fault => ({ kind: "SEND", send })

describe("Keys", () => {
  it.live("A key that Stripe does not know is refused, for openings and every component of a readback.", () =>
    Effect.gen(function* () {
      const { server, request, readback } = yield* paidAttempt()
      const payments = yield* paymentsOver(server, "sk_test_of_another_account")
      const [tag, reason] = yield* tagOf(payments.openCheckout(request))
      assert.strictEqual(tag, "ProviderRefused")
      assert.match(reason!, /^StripeAuthenticationError 401 req_sim_\d+$/)
      assert.deepStrictEqual(failuresOf(yield* payments.readBack(readback)), everyComponent("PROVIDER_REFUSED"))
    }).pipe(quiet)
  )

  it.live("A restricted key without a permission fails that component and what depends on it, and no other.", () =>
    Effect.gen(function* () {
      const key = "rk_test_without_transfers"
      const permissions = ["rak_checkout_session_read", "rak_charge_read", "rak_dispute_read", "rak_payout_read"]
      const { server, readback } = yield* openedAttempt({ restrictedKeys: { [key]: permissions } })
      performAt(server, { act: "pay", commerceOrderId })
      const payments = yield* paymentsOver(server, key)
      const failures = failuresOf(yield* payments.readBack(readback))
      assert.deepStrictEqual(failures, { TRANSFER: "PROVIDER_REFUSED", PAYOUT: "DEPENDENCY_FAILED" })
    }).pipe(quiet)
  )
})

describe("Refusals of the key", () => {
  const refusals: ReadonlyArray<readonly [string, boolean, number, object]> = [
    ["an unknown key", true, 401, {}],
    ["a key without a permission", true, 403, {}],
    ["an account that the key has no access to", false, 403, { code: "account_invalid" }],
    ["an unknown entity", false, 404, { code: "resource_missing" }]
  ]
  it.each(refusals)("A refusal for %s is one of the key: %s.", (_, expected, statusCode, more) => {
    const error = { type: "invalid_request_error" as const, message: "no", statusCode, ...more }
    const failure = callFailure(Stripe.errors.StripeError.generate(error))
    assert.deepInclude(failure, { _tag: "ProviderRefused", isKeyRefused: expected })
  })
})

describe("Faults", () => {
  it.live("A server error is repeated twice with the same key, and may then have opened the checkout.", () =>
    Effect.gen(function* () {
      const { server, payments, request } = yield* openedAttempt()
      server.fault = () => apiError(500)
      const before = server.received.length
      const [tag] = yield* tagOf(payments.openCheckout(request))
      assert.strictEqual(tag, "ProviderUnavailable")
      assert.deepStrictEqual(
        server.received.slice(before).map(({ path, headers }) => [path, headers["idempotency-key"]]),
        Array.from({ length: 3 }, () => [checkouts, `cs:${commerceOrderId}`])
      )
    })
  )

  it.live("A rate limit and a key in use are no refusals.", () =>
    Effect.gen(function* () {
      const { server, payments, request } = yield* openedAttempt()
      const inUse = { type: "idempotency_error", code: "idempotency_key_in_use", message: "in use" } as const
      const faults: ReadonlyArray<Fault> = [
        rateLimited,
        { kind: "ERROR", status: 409, error: inUse, headers: { "stripe-should-retry": "false" } },
        { kind: "ERROR", status: 400, error: { type: "invalid_request_error", code: "rate_limit", message: "slower" } }
      ]
      for (const fault of faults) {
        server.fault = () => fault
        assert.strictEqual((yield* tagOf(payments.openCheckout(request)))[0], "ProviderUnavailable")
      }
    })
  )

  it.live(
    "An opening with other parameters under the key of an attempt is refused, by its code and without a message.",
    () =>
      Effect.gen(function* () {
        const { payments, request } = yield* openedAttempt()
        const [tag, reason] = yield* tagOf(payments.openCheckout({ ...request, title: "Another logo" }))
        assert.strictEqual(tag, "ProviderRefused")
        assert.match(reason!, /^StripeIdempotencyError 400 req_sim_\d+$/)
      })
  )

  it.live("A checkout that Stripe does not know fails every component.", () =>
    Effect.gen(function* () {
      const { payments, readback } = yield* paidAttempt()
      const unknown = payments.readBack({ ...readback, checkoutId: "cs_unknown" })
      assert.deepStrictEqual(failuresOf(yield* unknown), everyComponent("PROVIDER_REFUSED"))
    }).pipe(quiet)
  )

  it.live("A redirect is not followed.", () =>
    Effect.gen(function* () {
      const { server, payments, readback } = yield* paidAttempt()
      const before = server.received.length
      server.fault = () =>
        sent((response) => response.writeHead(302, { location: `${server.origin}/v1/elsewhere` }).end("{}"))
      assert.deepStrictEqual(failuresOf(yield* payments.readBack(readback)), everyComponent("PROVIDER_UNAVAILABLE"))
      const paths = new Set(server.received.slice(before).map(({ path }) => path))
      assert.deepStrictEqual([...paths], [`${checkouts}/${readback.checkoutId}`])
    }).pipe(quiet)
  )

  it.live("A call that is out of time ends, before its answer began and within it.", () =>
    Effect.gen(function* () {
      const { server } = yield* openedAttempt()
      const agent = yield* Effect.acquireRelease(Effect.sync(stripeAgent), (one) => Effect.promise(() => one.destroy()))
      for (const begun of ["", '{"object":']) {
        const timer = new AbortController()
        server.fault = () =>
          sent((response) => {
            if (begun === "") timer.abort(new Error("out of time"))
            else response.writeHead(200).write(begun, () => timer.abort(new Error("out of time")))
          })
        const call = Effect.tryPromise(() =>
          boundedFetch(agent)(`${server.origin}/v1/refunds`, { signal: timer.signal })
        )
        assert.strictEqual(
          yield* Effect.match(call, { onFailure: () => "ENDED", onSuccess: () => "ANSWERED" }),
          "ENDED"
        )
      }
    })
  )

  it.live("An answer of 50 MB is not read to its end.", () =>
    Effect.gen(function* () {
      let closedAfter = 0
      const endless = sent((response) => {
        const chunk = Buffer.alloc(1_000_000, " ")
        let written = 0
        const write = (): void => {
          if (written >= 50_000_000) return void response.end()
          written += chunk.length
          response.write(chunk, () => write())
        }
        response.on("close", () => (closedAfter = Math.max(closedAfter, written)))
        write()
      })
      assert.deepStrictEqual(yield* failuresUnder("/v1/refunds", endless), { REFUND: "PROVIDER_UNAVAILABLE" })
      assert.isAbove(closedAfter, 0)
      assert.isBelow(closedAfter, 50_000_000)
    }).pipe(quiet)
  )

  it.live("An answer that is no JSON, or no object of Stripe's, is no fact, whatever its status.", () =>
    Effect.gen(function* () {
      const html = sent((response) => response.writeHead(200).end("<html>"))
      assert.deepStrictEqual(yield* failuresUnder("/v1/refunds", html), { REFUND: "PROVIDER_UNAVAILABLE" })
      const proxy = sent((response) => response.writeHead(404).end(`{"message":"no upstream"}`))
      assert.deepStrictEqual(yield* failuresUnder("/v1/refunds", proxy), { REFUND: "PROVIDER_UNAVAILABLE" })
      const other = sent((response) => response.writeHead(200).end(`{"object":"list"}`))
      assert.deepStrictEqual(yield* failuresUnder("/v1/refunds", other), { REFUND: "FACTS_UNKNOWN" })
    }).pipe(quiet)
  )

  it.live("An answer whose JSON is a text, a number, a word or a list fails its component and nothing else.", () =>
    Effect.gen(function* () {
      for (const body of ['"a text"', "5", "true", "null", "[]"]) {
        const scalar = sent((response) => response.writeHead(200).end(body))
        assert.deepStrictEqual(yield* failuresUnder("/v1/refunds", scalar), { REFUND: "PROVIDER_UNAVAILABLE" }, body)
      }
    }).pipe(quiet)
  )

  it.live(
    "An opening whose answer is of an unknown form, or about another checkout, is repeated and not believed.",
    () =>
      Effect.gen(function* () {
        const { server, payments, request } = yield* openedAttempt()
        const changes: ReadonlyArray<(session: any) => unknown> = [
          () => ({}),
          (session) => ({ ...session, url: null }),
          (session) => ({ ...session, url: "javascript:alert(1)" }),
          (session) => ({ ...session, livemode: true }),
          (session) => ({ ...session, client_reference_id: "commerce_of_another" })
        ]
        for (const change of changes) {
          server.fault = () => changed(change)
          assert.strictEqual((yield* tagOf(payments.openCheckout(request)))[0], "ProviderUnavailable")
        }
      })
  )

  it.live("An account takes payments only where its transfers are active and its payouts enabled.", () =>
    Effect.gen(function* () {
      const { server, payments, accountId } = yield* openedAttempt()
      const payableWith = (change: object) => {
        server.fault = ({ method }) =>
          method === "GET" ? changed((account) => ({ ...account, ...change })) : undefined
        return Effect.map(payments.readRecipientAccount(accountId, "https://example.org"), ({ payable }) => payable)
      }
      assert.isTrue(yield* payableWith({}))
      assert.isFalse(yield* payableWith({ payouts_enabled: false }))
      assert.isFalse(yield* payableWith({ capabilities: { card_payments: "active", transfers: "pending" } }))
      assert.isFalse(yield* payableWith({ capabilities: { transfers: "a word that is unknown" } }))
      assert.isFalse(yield* payableWith({ capabilities: {} }))
    })
  )
})

describe("Lists", () => {
  const refundsChanged = (change: (list: any) => unknown) => failuresUnder("/v1/refunds", changed(change))

  it.live("A list that never ends is given up, whether its pages are full, hold one entity or none.", () =>
    Effect.gen(function* () {
      const endless = Effect.fnUntraced(function* (count: number) {
        const data = Array.from({ length: count }, (_, index) => ({ id: `re_${index}` }))
        const body = JSON.stringify({ object: "list", url: "/v1/refunds", has_more: true, data })
        const fault = sent((response) => response.writeHead(200).end(body))
        const { server, payments, readback } = yield* paidAttempt("/v1/refunds", fault)
        const failures = failuresOf(yield* payments.readBack(readback))
        assert.isAtMost(server.received.filter(({ path }) => path === "/v1/refunds").length, limits.stripePages)
        return failures
      })
      assert.deepStrictEqual(yield* endless(100), { REFUND: "TOO_MANY_ENTITIES" })
      assert.deepStrictEqual(yield* endless(1), { REFUND: "TOO_MANY_ENTITIES" })
      assert.deepStrictEqual(yield* endless(0), { REFUND: "LIST_INCONSISTENT" })
    }).pipe(quiet)
  )

  it.live("A page that is no list is no fact.", () =>
    Effect.gen(function* () {
      const unlisted: ReadonlyArray<(list: any) => unknown> = [
        () => ({}),
        (list) => ({ ...list, data: null }),
        (list) => ({ ...list, has_more: "no" })
      ]
      for (const change of unlisted) assert.deepStrictEqual(yield* refundsChanged(change), { REFUND: "FACTS_UNKNOWN" })
    }).pipe(quiet)
  )
})

describe("Payouts", () => {
  const payoutsOf = Effect.fnUntraced(function* (prepare: (server: StripeServer, accountId: string) => void) {
    const { server, payments, readback, accountId } = yield* paidAttempt()
    prepare(server, accountId)
    const { PAYOUT: read } = yield* payments.readBack(readback)
    return read.outcome === "READ" ? read.entities.length : read.reason
  })

  it.live("A payout is read only where its balance transactions include the payment to the account.", () =>
    Effect.gen(function* () {
      const paidOut = (server: StripeServer, accountId: string) => performAt(server, { act: "payOut", accountId })
      assert.strictEqual(yield* payoutsOf(paidOut), 1)
      const ofOthers = yield* payoutsOf((server, accountId) => {
        paidOut(server, accountId)
        server.fault = ({ path }) =>
          path === "/v1/balance_transactions" ? changed((list) => ({ ...list, data: [] })) : undefined
      })
      assert.strictEqual(ofOthers, 0)
    })
  )

  it.live("A payout by hand is not asked for its parts, of which Stripe tells none.", () =>
    Effect.gen(function* () {
      const byHand = yield* payoutsOf((server, accountId) => {
        performAt(server, { act: "payOut", accountId })
        server.fault = ({ path }) => {
          if (path === "/v1/balance_transactions") return apiError(400)
          const manual = (list: any) => ({
            ...list,
            data: list.data.map((one: object) => ({ ...one, automatic: false }))
          })
          return path === "/v1/payouts" ? changed(manual) : undefined
        }
      })
      assert.strictEqual(byHand, 0)
    })
  )
})
