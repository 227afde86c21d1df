/** `countersign serve` with a test key of Stripe, against a server of Stripe's form, from onboarding to payout. */
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import type { ProviderAct } from "../../simulator/payments/acts.ts"
import { paymentPass } from "../../src/commerce/worker.ts"
import type { Report } from "../../src/verifier/report.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { refresh, requestStatus, statusOf } from "../support/commerce-status.ts"
import { requestClosure, requestClosureStatus } from "../support/closures.ts"
import { agreementWithRecord } from "../support/issued-records.ts"
import { installationOn, operator, temporaryDirectory } from "../support/installation.ts"
import { commandOrder, exportRecord, offer, readOrder } from "../support/orders.ts"
import { overSockets, startServer } from "../support/server.ts"
import { freshService, send, siteUrl } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { eventsAfter, send as sendEvents, webhookSecret } from "../support/stripe/notifications.ts"
import { startStripeServer, testKey } from "../support/stripe/server.ts"
import { createdBody, options, post, read } from "../support/workspace.ts"
import { buildVerifier } from "../verifier/build-verifier.ts"

/** A server with the key, an operator beside it, and the server of Stripe's form that both ask. */
const served = Effect.gen(function* () {
  const stripe = yield* startStripeServer()
  const installation = yield* installationOn(yield* freshService)
  const environment = {
    ...installation.environment,
    SITE_URL: siteUrl,
    STRIPE_SECRET_KEY: testKey,
    STRIPE_WEBHOOK_SECRETS: webhookSecret,
    STRIPE_API_ORIGIN: stripe.origin,
    PAYMENT_CURRENCIES: "EUR"
  }
  const server = yield* startServer(environment)
  const here = Layer.merge(overSockets(server.origin), operator(environment))
  return { stripe, server, here }
})

type Served = Effect.Success<typeof served>

/** An act at Stripe, and the answers to its notifications. */
const perform = Effect.fnUntraced(function* ({ stripe, server }: Served, act: ProviderAct, secret?: string) {
  const at = stripe.now()
  Result.getOrThrow(stripe.provider.perform(act, at))
  const url = `${server.origin}/api/payments/notifications`
  return yield* Effect.promise(() => sendEvents(url, eventsAfter(stripe, act, at), at, secret))
})

const onboarding = Effect.fnUntraced(function* (site: Served) {
  const supplier = yield* signInNewPerson("Sam")
  const path = `/organizations/${supplier.organizationId}/recipient-account`
  const { accountId, onboardingUrl, payable, provider, environment } = createdBody(yield* post(supplier, path))
  assert.deepStrictEqual([provider, environment, payable], ["STRIPE", "TEST", false])
  assert.strictEqual(new URL(onboardingUrl).origin, site.stripe.origin)
  assert.deepStrictEqual(yield* perform(site, { act: "onboard", accountId }), [204])
  assert.isTrue(createdBody(yield* read(supplier, path)).payable)
  return { supplier, accountId: accountId as string }
})

const openedCheckout = Effect.fnUntraced(function* (site: Served) {
  const { supplier, accountId } = yield* onboarding(site)
  const buyer = yield* signInNewPerson("Dana")
  const offered = createdBody(yield* offer(supplier, yield* agreementWithRecord({ buyer, supplier })))
  const order = createdBody(yield* commandOrder(buyer, offered, "approve"))
  const paying = createdBody(yield* commandOrder(buyer, order, "payments"))
  const [{ state, checkoutUrl, commerceOrderId }] = paying.attempts
  assert.deepStrictEqual([state, new URL(checkoutUrl).origin], ["OPEN", site.stripe.origin])
  return { buyer, order: paying, accountId, commerceOrderId: commerceOrderId as string }
})

/** An order with an attempt, whose state and journal are read as a person reads them. */
type Paying = Effect.Success<ReturnType<typeof openedCheckout>>

const journalOf = ({ buyer, order }: Paying) =>
  Effect.map(readOrder(buyer, order), ({ state, attempts: [{ journal }] }) => [state, journal.count])

/** Performs an act; the order is then PAID with so many entries, once a worker has read it back. */
const performAndCapture = Effect.fnUntraced(function* (site: Served, paying: Paying, act: ProviderAct, count: number) {
  const statuses = yield* perform(site, act)
  assert.isTrue(
    statuses.every((status) => status === 204),
    act.act
  )
  let [state, entries] = yield* journalOf(paying)
  for (let passes = 0; entries < count && passes < 200; passes++) {
    yield* paymentPass
    yield* Effect.sleep("20 millis")
    ;[state, entries] = yield* journalOf(paying)
  }
  assert.deepStrictEqual([state, entries], ["PAID", count], act.act)
})

const forgedNotifications = Effect.fnUntraced(function* (site: Served, { commerceOrderId }: Paying) {
  const before = site.stripe.received.length
  assert.notInclude(yield* perform(site, { act: "decline", commerceOrderId }, "whsec_of_nobody_at_all"), 204)
  yield* paymentPass
  assert.strictEqual(site.stripe.received.length, before)
})

/** What the one-file verifier prints about the exported record and closure, each with its status, as saved files. */
const verifyExports = Effect.fnUntraced(function* ({ buyer, order, commerceOrderId }: Paying) {
  const folder = yield* temporaryDirectory
  const save = (name: string, { text }: { readonly text: string }) => writeFileSync(join(folder, name), text)
  save("record.json", yield* exportRecord(buyer, commerceOrderId))
  save("status.json", yield* requestStatus(buyer, commerceOrderId))
  save("transaction-records.json", yield* requestClosure(buyer, order.resultOrderId))
  save("transaction-status.json", yield* requestClosureStatus(buyer, order.resultOrderId))
  save("keys.json", yield* send("GET", "/.well-known/service-issuer-keys.json"))
  buildVerifier(join(folder, "verify-result.mjs"))
  const checkedAt = yield* now
  const reportOn = (artifact: string, status: string): Report => {
    const words = ["verify-result.mjs", artifact, "keys.json", checkedAt, `--status=${status}`]
    const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8", timeout: 20_000 })
    assert.strictEqual(stderr, "")
    return JSON.parse(stdout)
  }
  return {
    record: reportOn("record.json", "status.json"),
    closure: reportOn("transaction-records.json", "transaction-status.json")
  }
})

it.live(
  "With a test key of Stripe serve takes a payment from onboarding to payout, and its closure verifies offline.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const site = yield* served
        yield* Effect.provide(paymentAt(site), site.here)
        assert.include(site.server.output(), "  payments       STRIPE, TEST, in EUR\n")
        assert.notInclude(site.server.output(), testKey)
        assert.notInclude(site.server.output(), webhookSecret)
      })
    ),
  60_000
)

const paymentAt = Effect.fnUntraced(function* (site: Served) {
  const paying = yield* openedCheckout(site)
  const { buyer, order, accountId, commerceOrderId } = paying
  yield* forgedNotifications(site, paying)
  const after = (act: ProviderAct, count: number) => performAndCapture(site, paying, act, count)
  yield* after({ act: "pay", commerceOrderId }, 3)
  yield* after({ act: "refund", commerceOrderId, amountMinor: 25_000 }, 5)
  yield* after({ act: "dispute", commerceOrderId }, 7)
  // A payout leads to the attempt once it was read: by the poll, or as here by a readback for another reason.
  yield* after({ act: "payOut", accountId }, 7)
  yield* after({ act: "reverseTransfer", commerceOrderId, amountMinor: 25_000 }, 9)
  yield* after({ act: "failPayout", accountId }, 10)
  const page = yield* send("GET", `/workspace/orders/${order.resultOrderId}`, options(buyer, {}))
  assert.include(page.text, "Nothing is left to do: the order is paid.")
  const { record, closure } = yield* verifyExports(paying)
  for (const report of [record, closure]) {
    assert.deepStrictEqual(
      [report.verdict, report.historicalValidity, report.currentStatus.outcome],
      ["VERIFIED_WITH_LIMITATIONS", "VERIFIED", "PROVEN"]
    )
  }
  assert.strictEqual(record.commerce?.payment, "PROVIDER_VERIFIED_PAYMENT")
  assert.deepInclude(closure.closure?.version === 2 && closure.closure.assurance, {
    payment: "PROVIDER_VERIFIED_PAYMENT",
    refundedMinor: 25_000,
    reversedMinor: 25_000,
    disputed: true
  })
  const { components } = createdBody(yield* refresh(buyer, commerceOrderId))
  assert.isTrue(components.every(({ outcome }: { outcome: string }) => outcome === "READ"))
  const { binding, latest } = yield* statusOf(buyer, commerceOrderId)
  assert.deepStrictEqual([binding.provider, binding.environment, latest.count], ["STRIPE", "TEST", 10])
})
