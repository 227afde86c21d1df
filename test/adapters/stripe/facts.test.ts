/** What of Stripe's objects becomes facts, and what becomes none. The objects are those of a server of its form. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Result, Schema } from "effect"
import * as fc from "fast-check"
import {
  automaticPayouts,
  checkoutReadback,
  disputeReadback,
  isIncluded,
  paymentReadback,
  payoutReadback,
  refundReadback,
  transferReadback
} from "../../../src/adapters/stripe/facts.ts"
import * as objects from "../../../src/adapters/stripe/objects.ts"
import type { ComponentReadback, ReadEntity } from "../../../src/ports/payments.ts"
import type { ChargeFacts, Facts } from "../../../src/vocabulary/payment-facts.ts"
import { components, type Component } from "../../../src/vocabulary/payments.ts"
import { describeCorpus } from "../../canonical/corpora.ts"
import { corpusFile } from "../../corpora/external-files.ts"
import { openedAttempt, performAt } from "../../support/stripe/payments.ts"
import { commerceOrderId, request } from "../../support/stripe/requests.ts"
import type { StripeServer } from "../../support/stripe/server.ts"

/** The answers about one attempt that was paid, refunded in part, disputed, reversed in part and paid out. */
interface Answers {
  readonly checkoutId: string
  readonly checkout: any
  readonly refunds: ReadonlyArray<any>
  readonly disputes: ReadonlyArray<any>
  readonly transfer: any
  readonly reversals: ReadonlyArray<any>
  readonly payouts: ReadonlyArray<any>
  readonly balanceTransactions: ReadonlyArray<any>
}

const paidAnswers = Effect.scoped(
  Effect.gen(function* () {
    const { server, accountId, checkoutId } = yield* openedAttempt()
    performAt(server, { act: "pay", commerceOrderId })
    performAt(server, { act: "refund", commerceOrderId, amountMinor: 5 })
    performAt(server, { act: "reverseTransfer", commerceOrderId, amountMinor: 5 })
    performAt(server, { act: "dispute", commerceOrderId })
    performAt(server, { act: "payOut", accountId })
    const get = (path: string) => answerTo(server, path)
    const onAccount = (path: string) => answerTo(server, path, { "stripe-account": accountId })
    const checkout = yield* get(`/v1/checkout/sessions/${checkoutId}?expand[0]=payment_intent.latest_charge`)
    const payment = checkout.payment_intent.id
    const transfer = yield* get(`/v1/transfers/${checkout.payment_intent.latest_charge.transfer}`)
    const payouts = (yield* onAccount("/v1/payouts")).data
    return {
      checkoutId,
      checkout,
      refunds: (yield* get(`/v1/refunds?payment_intent=${payment}`)).data,
      disputes: (yield* get(`/v1/disputes?payment_intent=${payment}`)).data,
      transfer,
      reversals: (yield* get(`/v1/transfers/${transfer.id}/reversals`)).data,
      payouts,
      balanceTransactions: (yield* onAccount(`/v1/balance_transactions?payout=${payouts[0].id}`)).data
    }
  })
)

const answerTo = (server: StripeServer, path: string, headers: Record<string, string> = {}) =>
  Effect.map(
    Effect.promise(() => request(server, path, { headers })),
    ({ body }) => body
  )

const environment = "TEST"

/** The readback of each component of the paid attempt, from these answers. */
const readbackOf = (answers: Answers): { readonly [C in Component]: ComponentReadback<C> } => {
  const { checkout, refunds, disputes, transfer, reversals } = answers
  return {
    CHECKOUT: checkoutReadback(checkout, answers.checkoutId, environment),
    PAYMENT: paymentReadback(checkout, environment),
    REFUND: refundReadback(Result.succeed(refunds), paid.entity),
    DISPUTE: disputeReadback(Result.succeed(disputes), paid),
    TRANSFER: transferReadback([transfer, reversals], paid.facts.charge!, environment),
    PAYOUT: payoutReadback(
      Result.flatMap(automaticPayouts(answers.payouts, environment), (payouts) =>
        Result.map(isIncluded(answers.balanceTransactions, "py_sim_6"), (included) => (included ? payouts : []))
      ),
      { account: "acct_sim_1", payment: "py_sim_6", environment }
    )
  }
}

const answers = await Effect.runPromise(paidAnswers)
const [paid] = entitiesOf(paymentReadback(answers.checkout, environment)) as [ReadEntity<"PAYMENT">]

function entitiesOf<C extends Component>(read: ComponentReadback<C>): ReadonlyArray<ReadEntity<C>> {
  return read.outcome === "READ" ? read.entities : []
}

const outcomeOf = (read: ComponentReadback): string => (read.outcome === "READ" ? "READ" : read.reason)

/** The answers with one object changed. */
type Change = (answers: Answers) => Answers

const onCheckout =
  (members: object): Change =>
  (given) => ({ ...given, checkout: { ...given.checkout, ...members } })
const onPayment =
  (members: object): Change =>
  (given) =>
    onCheckout({ payment_intent: { ...given.checkout.payment_intent, ...members } })(given)
const onCharge =
  (members: object): Change =>
  (given) =>
    onPayment({ latest_charge: { ...given.checkout.payment_intent.latest_charge, ...members } })(given)
const onTransfer =
  (members: object): Change =>
  (given) => ({ ...given, transfer: { ...given.transfer, ...members } })
const onEach =
  (list: "refunds" | "disputes" | "reversals" | "payouts" | "balanceTransactions", members: object): Change =>
  (given) => ({ ...given, [list]: given[list].map((one: object) => ({ ...one, ...members })) })

const changes: ReadonlyArray<readonly [name: string, change: Change, component: Component, outcome: string]> = [
  ["a state that is unknown", onCheckout({ status: "resting" }), "CHECKOUT", "FACTS_UNKNOWN"],
  ["no state", onCheckout({ status: null }), "CHECKOUT", "FACTS_UNKNOWN"],
  ["a name of Object's as its state", onCheckout({ status: "constructor" }), "CHECKOUT", "FACTS_UNKNOWN"],
  ["a payment state that is unknown", onCheckout({ payment_status: "perhaps" }), "CHECKOUT", "FACTS_UNKNOWN"],
  ["a sum below zero", onCheckout({ amount_total: -1 }), "CHECKOUT", "FACTS_UNKNOWN"],
  ["a sum in parts", onCheckout({ amount_total: 1.5 }), "CHECKOUT", "FACTS_UNKNOWN"],
  ["a sum as text", onCheckout({ amount_total: "125000" }), "CHECKOUT", "FACTS_UNKNOWN"],
  ["a sum that no number holds exactly", onCheckout({ amount_total: 2 ** 53 }), "CHECKOUT", "FACTS_UNKNOWN"],
  ["a currency of four letters", onCheckout({ currency: "euro" }), "CHECKOUT", "FACTS_UNKNOWN"],
  ["a currency in capitals", onCheckout({ currency: "EUR" }), "CHECKOUT", "FACTS_UNKNOWN"],
  ["a time after the year 9999", onCheckout({ expires_at: 253_402_300_800 }), "CHECKOUT", "FACTS_UNKNOWN"],
  ["a time in parts of a second", onCheckout({ created: 1.5 }), "CHECKOUT", "FACTS_UNKNOWN"],
  ["an object of another kind", onCheckout({ object: "setup_intent" }), "CHECKOUT", "FACTS_UNKNOWN"],
  ["another checkout", onCheckout({ id: "cs_other" }), "CHECKOUT", "LIST_INCONSISTENT"],
  ["the other mode", onCheckout({ livemode: true }), "CHECKOUT", "LIST_INCONSISTENT"],
  ["two references", onCheckout({ client_reference_id: "commerce_other" }), "CHECKOUT", "LIST_INCONSISTENT"],
  ["a reference that is too long", onCheckout({ client_reference_id: "x".repeat(201) }), "CHECKOUT", "FACTS_UNKNOWN"],
  ["no reference but in its metadata", onCheckout({ client_reference_id: null }), "CHECKOUT", "READ"],
  ["no metadata", onCheckout({ metadata: {} }), "CHECKOUT", "READ"],
  ["a payment as its id alone", onCheckout({ payment_intent: "pi_sim_4" }), "CHECKOUT", "READ"],

  ["its id alone", onCheckout({ payment_intent: "pi_sim_4" }), "PAYMENT", "FACTS_UNKNOWN"],
  ["a checkout without the member", onCheckout({ payment_intent: undefined }), "PAYMENT", "FACTS_UNKNOWN"],
  ["a checkout that cannot be read otherwise", onCheckout({ status: "resting" }), "PAYMENT", "READ"],
  ["a state that is unknown", onPayment({ status: "requires_a_nap" }), "PAYMENT", "FACTS_UNKNOWN"],
  ["the other mode", onPayment({ livemode: true }), "PAYMENT", "LIST_INCONSISTENT"],
  ["a charge as its id alone", onPayment({ latest_charge: "ch_sim_5" }), "PAYMENT", "FACTS_UNKNOWN"],
  ["a charge of the other mode", onCharge({ livemode: true }), "PAYMENT", "LIST_INCONSISTENT"],
  ["a charge of another payment", onCharge({ payment_intent: "pi_other" }), "PAYMENT", "LIST_INCONSISTENT"],
  ["a charge of no payment", onCharge({ payment_intent: null }), "PAYMENT", "LIST_INCONSISTENT"],
  ["a charge in an unknown state", onCharge({ status: "hovering" }), "PAYMENT", "FACTS_UNKNOWN"],
  ["a flag that is none", onCharge({ disputed: null }), "PAYMENT", "FACTS_UNKNOWN"],
  ["another account", onPayment({ transfer_data: { destination: "acct_other" } }), "PAYMENT", "READ"],
  ["the account as an object", onPayment({ transfer_data: { destination: { id: "acct_1" } } }), "PAYMENT", "READ"],
  ["no account", onPayment({ transfer_data: null }), "PAYMENT", "READ"],

  ["a state that is unknown", onEach("refunds", { status: "returning" }), "REFUND", "FACTS_UNKNOWN"],
  ["no state", onEach("refunds", { status: null }), "REFUND", "FACTS_UNKNOWN"],
  ["another payment", onEach("refunds", { payment_intent: "pi_other" }), "REFUND", "LIST_INCONSISTENT"],
  ["no charge", onEach("refunds", { charge: null }), "REFUND", "READ"],

  ["a status that is unknown", onEach("disputes", { status: "shouting" }), "DISPUTE", "FACTS_UNKNOWN"],
  ["a reason that is unknown", onEach("disputes", { reason: "a new one" }), "DISPUTE", "READ"],
  ["another charge", onEach("disputes", { charge: "ch_other" }), "DISPUTE", "LIST_INCONSISTENT"],
  ["another payment", onEach("disputes", { payment_intent: "pi_other" }), "DISPUTE", "LIST_INCONSISTENT"],
  ["the other mode", onEach("disputes", { livemode: true }), "DISPUTE", "LIST_INCONSISTENT"],

  ["another transfer", onTransfer({ id: "tr_other" }), "TRANSFER", "LIST_INCONSISTENT"],
  ["another charge", onTransfer({ source_transaction: "ch_other" }), "TRANSFER", "LIST_INCONSISTENT"],
  ["no charge", onTransfer({ source_transaction: null }), "TRANSFER", "READ"],
  ["the other mode", onTransfer({ livemode: true }), "TRANSFER", "LIST_INCONSISTENT"],
  ["no destination", onTransfer({ destination: null }), "TRANSFER", "FACTS_UNKNOWN"],
  ["a reversal of another one", onEach("reversals", { transfer: "tr_other" }), "TRANSFER", "LIST_INCONSISTENT"],
  ["a reversal without a sum", onEach("reversals", { amount: null }), "TRANSFER", "FACTS_UNKNOWN"],

  ["a state that is unknown", onEach("payouts", { status: "lost" }), "PAYOUT", "FACTS_UNKNOWN"],
  ["the other mode", onEach("payouts", { livemode: true }), "PAYOUT", "LIST_INCONSISTENT"],
  [
    "a part that is no balance transaction",
    onEach("balanceTransactions", { object: "card" }),
    "PAYOUT",
    "FACTS_UNKNOWN"
  ]
]

describe("Facts", () => {
  it("Every component of a paid attempt is read, with its words and units.", () => {
    const read = readbackOf(answers)
    assert.deepStrictEqual(
      components.map((component) => [component, outcomeOf(read[component]), entitiesOf(read[component]).length]),
      components.map((component) => [component, "READ", 1])
    )
    const { createdAt, expiresAt, ...checkout } = entitiesOf(read.CHECKOUT)[0]!.facts
    assert.match(`${createdAt} ${expiresAt}`, /:\d\d\.000Z .*\.000Z$/)
    assert.deepInclude(checkout, { state: "COMPLETE", paymentState: "PAID", amountMinor: 125_000, currency: "EUR" })
    assert.strictEqual(entitiesOf(read.DISPUTE)[0]!.facts.disputed, true)
    assert.strictEqual(entitiesOf(read.TRANSFER)[0]!.facts.reversals.length, 1)
  })

  it.each(changes.map(([name, change, component, outcome]) => [component, outcome, name, change] as const))(
    "%s is %s with %s.",
    (component, outcome, _name, change) => {
      assert.strictEqual(outcomeOf(readbackOf(change(answers))[component]), outcome)
    }
  )

  it.each<readonly [word: string, state: Facts<"PAYMENT">["state"]]>([
    ["requires_payment_method", "REQUIRES_ACTION"],
    ["requires_confirmation", "REQUIRES_ACTION"],
    ["requires_action", "REQUIRES_ACTION"],
    ["processing", "PROCESSING"],
    ["requires_capture", "REQUIRES_CAPTURE"],
    ["succeeded", "SUCCEEDED"],
    ["canceled", "CANCELED"]
  ])("A payment that is %s for Stripe is %s.", (word, state) => {
    const [payment] = entitiesOf(readbackOf(onPayment({ status: word })(answers)).PAYMENT)
    assert.strictEqual(payment?.facts.state, state)
  })

  it("A checkout without a payment has none.", () => {
    assert.deepStrictEqual(readbackOf(onCheckout({ payment_intent: null })(answers)).PAYMENT, {
      outcome: "READ",
      entities: []
    })
  })

  it("The reversals of a transfer have one order, whatever the order of the list.", () => {
    const reversals = [3, 1, 2].map((created) => ({ ...answers.reversals[0], id: `trr_${9 - created}`, created }))
    const ordersOf = (list: ReadonlyArray<unknown>) =>
      entitiesOf(transferReadback([answers.transfer, list], paid.facts.charge as ChargeFacts, environment)).map(
        ({ facts }) => facts.reversals.map(({ id }) => id)
      )
    assert.deepStrictEqual(ordersOf(reversals), [["trr_8", "trr_7", "trr_6"]])
    assert.deepStrictEqual(ordersOf(reversals.toReversed()), [["trr_8", "trr_7", "trr_6"]])
  })
})

/** Every place of a value, as its path. */
const placesIn = (value: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [[...path, name], ...placesIn(inner, [...path, name])])
    : []

/** The value with another one at a place; undefined removes it, as in JSON. */
const replaced = (value: any, [name, ...rest]: ReadonlyArray<string>, by: unknown): any =>
  name === undefined
    ? by
    : Array.isArray(value)
      ? value.map((one, index) => (String(index) === name ? replaced(one, rest, by) : one))
      : { ...value, [name]: replaced(value[name], rest, by) }

const anyJson = fc.jsonValue()

describe("Unexpected answers", () => {
  const whole = readbackOf(answers)
  /** Within the objects: the client has the lists, and knows the checkout that it asked for. */
  const places = placesIn(answers)
    .filter(([list, index]) => list === "checkout" || list === "transfer" || index !== undefined)
    .filter(([name]) => name !== "checkoutId")

  it("Any JSON at any place is read as facts or as none, without an exception.", () => {
    fc.assert(
      fc.property(fc.constantFrom(...places), anyJson, (place, by) => {
        const read = readbackOf(replaced(answers, place, by))
        return components.every((component) => ["READ", "FAILED"].includes(read[component].outcome))
      }),
      { numRuns: 3_000 }
    )
  })

  it("An answer that lacks a member that is read is no fact, unless the member may be absent.", () => {
    const mayBeAbsent = /\.metadata\.|\.transfer_data$|\.latest_charge\.transfer$|\.destination_payment$/
    const changed = places
      .filter((place) => !mayBeAbsent.test(`.${place.join(".")}`))
      .filter((place) => {
        const read = readbackOf(JSON.parse(JSON.stringify(replaced(answers, place, undefined))))
        return components.some(
          (component) =>
            read[component].outcome === "READ" &&
            JSON.stringify(read[component]) !== JSON.stringify(whole[component]) &&
            // A list with one entity less is a shorter list.
            !/^(refunds|disputes|reversals|payouts|balanceTransactions)\.\d+$/.test(place.join("."))
        )
      })
    assert.deepStrictEqual(
      changed.map((place) => place.join(".")),
      []
    )
  })

  it("Members that no version has yet change no fact.", () => {
    const objectPlaces = [["checkout"], ...places].filter((place) =>
      isObject(place.reduce((value: any, name) => value[name], answers))
    )
    for (const place of objectPlaces) {
      const read = readbackOf(replaced(answers, [...place, "a_new_member"], "new"))
      assert.deepStrictEqual(read, whole, place.join("."))
    }
  })
})

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value)

describeCorpus("stripe", "Stripe's published fixtures", () => {
  const forms: Readonly<Record<string, Schema.Codec<any>>> = {
    account: objects.Account,
    account_link: objects.AccountLink,
    balance_transaction: objects.BalanceTransaction,
    charge: objects.Charge,
    "checkout.session": objects.Checkout,
    dispute: objects.Dispute,
    payment_intent: objects.Payment,
    payout: objects.Payout,
    refund: objects.Refund,
    transfer: objects.Transfer,
    transfer_reversal: objects.Reversal
  }

  it("Every published fixture has the form that is read of its kind.", () => {
    const fixtures = JSON.parse(Buffer.from(corpusFile("stripe", "fixtures.json")).toString()) as Record<
      string,
      unknown
    >
    const read = Object.entries(forms).filter(([kind, form]) =>
      Option.isSome(Schema.decodeUnknownOption(form)(fixtures[kind]))
    )
    assert.deepStrictEqual(
      read.map(([kind]) => kind),
      Object.keys(forms)
    )
    // Notifications are read apart, from their bytes.
    assert.sameMembers(Object.keys(fixtures), [...Object.keys(forms), "event"])
  })
})
