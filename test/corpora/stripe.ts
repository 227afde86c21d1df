/**
 * Stripe's published fixtures: every object that the server of Stripe's form answers, in every state that its machine reaches
 * here, has the members of the fixture of its kind, and each member its type.
 */
import { Result } from "effect"
import { performAct, type ProviderAct } from "../../simulator/payments/acts.ts"
import { SimulatedProvider } from "../../simulator/payments/layer.ts"
import { addMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import { decodeForm } from "../support/stripe/form-encoding.ts"
import { eventsAfter } from "../support/stripe/notifications.ts"
import { accountForm, checkoutForm, commerceOrderId } from "../support/stripe/requests.ts"
import { routes } from "../support/stripe/routes.ts"
import type { StripeServer } from "../support/stripe/server.ts"
import { missingCorpusReason, type Corpus } from "./corpus.ts"
import { corpusFile } from "./external-files.ts"

export const stripe: Corpus = {
  name: "stripe",
  unavailableReason: () => missingCorpusReason("stripe"),
  run: () => {
    const fixtures: Members = JSON.parse(Buffer.from(corpusFile("stripe", "fixtures.json")).toString())
    const objects = answersOfOnePurchase().flatMap(objectsIn)
    const kinds = new Set(objects.map(({ object }) => object))
    const absent = Object.keys(fixtures).filter((kind) => !kinds.has(kind))
    const surprises = objects.flatMap((object) => differences(object, fixtures[object.object], object.object))
    return {
      cases: objects.length,
      verdicts: `${kinds.size} kinds of objects have the members of their fixtures`,
      unexpected: [...new Set(surprises), ...absent.map((kind) => `${kind}: no answer has such an object`)]
    }
  }
}

/** Members of version 2026-10-28, which the fixtures of August lack, and optional ones that a fixture leaves out. */
const unpublished: ReadonlyArray<string> = [
  "account.business_profile.specified_commercial_transactions_act_url",
  "account.controller.fees",
  "account.controller.is_controller",
  "account.controller.losses",
  "account.controller.requirement_collection",
  "account.controller.stripe_dashboard",
  "charge.outcome.risk_level",
  "charge.payment_method_details.card.electronic_commerce_indicator",
  "charge.transfer",
  "checkout.session.allowed_payment_method_types",
  "dispute.evidence_details.submission_method",
  "dispute.intended_submission_method",
  "event.account",
  "payment_intent.allowed_payment_method_types",
  "payment_intent.last_payment_error.charge",
  "payment_intent.last_payment_error.code",
  "payment_intent.last_payment_error.decline_code",
  "payment_intent.last_payment_error.message",
  "payment_intent.payment_record",
  "refund.destination_details.card.reference_status",
  "refund.destination_details.card.reference_type",
  "refund.failure_balance_transaction",
  "refund.failure_reason"
]

/** Members with names of others, or an object of any kind. */
const open: ReadonlyArray<string> = ["account.capabilities", "event.data.object"]

interface Members {
  readonly [name: string]: unknown
}
interface StripeObject extends Members {
  readonly object: string
}

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const isObjectOfStripe = (value: unknown): value is StripeObject =>
  isMembers(value) && typeof value["object"] === "string"

/** The objects in an answer that have a fixture: lists have none. */
const objectsIn = (value: unknown): ReadonlyArray<StripeObject> => [
  ...(isObjectOfStripe(value) && value.object !== "list" ? [value] : []),
  ...(typeof value === "object" && value !== null ? Object.values(value).flatMap(objectsIn) : [])
]

/** How a value differs in form from the published one, by the place of each difference. */
const differences = (value: unknown, published: unknown, place: string): ReadonlyArray<string> => {
  if (value === null || published === null || open.includes(place) || place.endsWith(".metadata")) return []
  // An id in place of an object, or the object itself.
  if (typeof value === "string" && isObjectOfStripe(published)) return []
  if (isObjectOfStripe(value) && typeof published === "string" && place !== value.object) return []
  if (Array.isArray(value) && Array.isArray(published)) {
    return value.length > 0 && published.length > 0 ? differences(value[0], published[0], `${place}[]`) : []
  }
  if (!isMembers(value) || !isMembers(published)) {
    return typeof value === typeof published ? [] : [`${place}: ${typeof value} instead of ${typeof published}`]
  }
  const isDetail = Object.keys(published).length === 0
  return [
    ...Object.keys(published).flatMap((name) => (Object.hasOwn(value, name) ? [] : [`${place}.${name} is missing`])),
    ...Object.entries(value).flatMap(([name, member]) => {
      const inner = `${place}.${name}`
      if (Object.hasOwn(published, name)) return differences(member, published[name], inner)
      return isDetail || unpublished.includes(inner) ? [] : [`${inner} is not published`]
    })
  ]
}

const start = "2026-01-02T09:00:00.000Z" as Instant

/** The answers of every endpoint after each act of one purchase, and the events of the acts. */
const answersOfOnePurchase = (): ReadonlyArray<unknown> => {
  const provider = new SimulatedProvider()
  let minutes = 0
  const server: StripeServer = {
    origin: "http://127.0.0.1",
    provider,
    records: { accounts: new Map(), checkouts: new Map() },
    now: () => addMilliseconds(start, minutes * 60_000),
    received: [],
    fault: () => undefined
  }
  const call = (
    method: string,
    path: string,
    parameters: Record<string, string>,
    account: string | null = null
  ): any => {
    const route = routes.find((one) => one.method === method && one.path.test(path))!
    const effectuate = route.prepare(decodeForm(new URLSearchParams(parameters).toString()))
    const [, id = ""] = route.path.exec(path) ?? []
    return effectuate({ ...server, at: server.now(), id, account, key: path })
  }
  const account = call("POST", "/v1/accounts", accountForm)
  const link = call("POST", "/v1/account_links", {
    account: account.id,
    type: "account_onboarding",
    refresh_url: "https://example.org",
    return_url: "https://example.org"
  })
  const answers: Array<unknown> = [account, link]
  const perform = (act: ProviderAct): void => {
    minutes++
    provider.change(Result.getOrThrow(performAct(provider.state, act, server.now())))
    answers.push(...eventsAfter(server, act, server.now()))
  }
  perform({ act: "onboard", accountId: account.id })
  const opened = call("POST", "/v1/checkout/sessions", checkoutForm(server, account.id))
  answers.push(call("GET", `/v1/accounts/${account.id}`, {}), opened)
  for (const act of actsOnPurchase(account.id)) {
    perform(act)
    answers.push(...readings(call, opened.id, account.id))
  }
  return answers
}

const actsOnPurchase = (accountId: string): ReadonlyArray<ProviderAct> => [
  { act: "decline", commerceOrderId },
  { act: "pay", commerceOrderId },
  { act: "refund", commerceOrderId, amountMinor: 10_000 },
  { act: "failRefund", commerceOrderId },
  { act: "refund", commerceOrderId },
  { act: "dispute", commerceOrderId },
  { act: "closeDispute", commerceOrderId, status: "lost" },
  { act: "reverseTransfer", commerceOrderId, amountMinor: 10_000 },
  { act: "payOut", accountId },
  { act: "failPayout", accountId }
]

type Ask = (method: string, path: string, parameters: Record<string, string>, account?: string) => any

/** What the payment adapter reads. */
const readings = (ask: Ask, checkoutId: string, accountId: string): ReadonlyArray<unknown> => {
  const path = `/v1/checkout/sessions/${checkoutId}`
  const session = ask("GET", path, { "expand[]": "payment_intent.latest_charge" })
  const payment = { payment_intent: session.payment_intent.id }
  const transfer = session.payment_intent.latest_charge.transfer
  const payouts = ask("GET", "/v1/payouts", {}, accountId)
  return [
    ask("GET", path, {}),
    session,
    ask("GET", "/v1/refunds", payment),
    ask("GET", "/v1/disputes", payment),
    payouts,
    ...payouts.data.map(({ id }: StripeObject) =>
      ask("GET", "/v1/balance_transactions", { payout: String(id) }, accountId)
    ),
    ...(transfer === undefined
      ? []
      : [ask("GET", `/v1/transfers/${transfer}`, {}), ask("GET", `/v1/transfers/${transfer}/reversals`, {})])
  ]
}
