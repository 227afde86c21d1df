/** Every command on a Result Order in every state, compared with a table written by hand, and the order of its refusals. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { attemptStates } from "../../src/commerce/attempt.ts"
import type { OrderFacts } from "../../src/commerce/conditions.ts"
import { decideOrder, type OrderCommand } from "../../src/commerce/decide.ts"
import { availableOrderActions, orderActions, orderPreconditions, sideGuard } from "../../src/commerce/guards.ts"
import { isLiveOrder, orderMoves, orderStates, type OrderState } from "../../src/commerce/moves.ts"
import { offerGuard, type OfferFacts, type OfferInput } from "../../src/commerce/offer.ts"
import type { ResultOrder } from "../../src/commerce/result-order.ts"
import { acceptedSourceDigest } from "../../src/commerce/source.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { errorBody } from "../../src/vocabulary/refusals.ts"
import { digestOfCharacter, uuidOf } from "../support/project-people.ts"
import {
  afterOrderCommand,
  attemptId,
  baseUrl,
  factsWith,
  openAttempts,
  orderIn,
  orderTime,
  pay,
  released
} from "../support/result-orders.ts"

type Row = { readonly [A in OrderCommand["action"]]: OrderState | "no" | "open" }

/** The state after each command, "no" for STATE_CONFLICT and "open" for PAYMENT_ATTEMPT_OPEN. */
const table: { readonly [S in OrderState]: Row } = {
  OFFERED: row("APPROVED", "DECLINED", "WITHDRAWN", "no"),
  APPROVED: row("no", "no", "WITHDRAWN", "PAYING"),
  PAYING: row("no", "no", "open", "open"),
  PAID: row("no", "no", "no", "no"),
  DECLINED: row("no", "no", "no", "no"),
  WITHDRAWN: row("no", "no", "no", "no")
}

function row(
  approve: Row["APPROVE_RESULT_ORDER"],
  decline: Row["DECLINE_RESULT_ORDER"],
  withdraw: Row["WITHDRAW_RESULT_ORDER"],
  pays: Row["PAY_RESULT_ORDER"]
): Row {
  return {
    APPROVE_RESULT_ORDER: approve,
    DECLINE_RESULT_ORDER: decline,
    WITHDRAW_RESULT_ORDER: withdraw,
    PAY_RESULT_ORDER: pays
  }
}

const commands: ReadonlyArray<OrderCommand> = [
  { action: "APPROVE_RESULT_ORDER" },
  { action: "DECLINE_RESULT_ORDER", reason: "Too much." },
  { action: "WITHDRAW_RESULT_ORDER", reason: "A mistake." },
  pay
]
const withdraw: OrderCommand = { action: "WITHDRAW_RESULT_ORDER", reason: "A mistake." }

const decideWith = (
  order: ResultOrder,
  command: OrderCommand,
  facts: Partial<OrderFacts> = {},
  named = orderPreconditions(order)
) =>
  decideOrder(order, command, {
    preconditions: named,
    facts: factsWith({ attempts: openAttempts(order, "OPEN"), ...facts }),
    now: orderTime,
    commerceOrderId: attemptId(order.attempts + 1),
    baseUrl
  })

/** The code of the refusal, or the state after the command. */
const outcomeOf = (...decision: Parameters<typeof decideWith>): string => {
  const decided = decideWith(...decision)
  return Result.isFailure(decided) ? decided.failure.code : orderMoves[decided.success.kind].to
}

const codes = { no: "STATE_CONFLICT", open: "PAYMENT_ATTEMPT_OPEN" } as const

describe("the commands on a Result Order", () => {
  for (const state of orderStates) {
    it.each(commands)(`$action in ${state} is decided as the table of moves says.`, (command) => {
      const expected = table[state][command.action]
      assert.strictEqual(outcomeOf(orderIn(state), command), expected in codes ? codes[expected as "no"] : expected)
    })
  }

  it("An action is available to the side of its move exactly if its command succeeds.", () => {
    for (const state of orderStates) {
      const order = orderIn(state)
      const facts = factsWith({ attempts: openAttempts(order, "OPEN") })
      for (const side of ["BUYER", "SUPPLIER"] as const) {
        const expected = commands
          .filter(({ action }) => sideGuard(orderActions[action], side) === undefined)
          .filter((command) => Result.isSuccess(decideWith(order, command, facts)))
        assert.sameMembers(
          [...availableOrderActions(order, side, facts)],
          expected.map(({ action }) => action)
        )
      }
    }
  })

  it("The buyer approves, declines and pays, and the supplier withdraws.", () => {
    const bySide = (side: "BUYER" | "SUPPLIER") =>
      commands.flatMap(({ action }) => (sideGuard(orderActions[action], side)?.code === "FORBIDDEN" ? [] : [action]))
    assert.deepStrictEqual(bySide("BUYER"), ["APPROVE_RESULT_ORDER", "DECLINE_RESULT_ORDER", "PAY_RESULT_ORDER"])
    assert.deepStrictEqual(bySide("SUPPLIER"), ["WITHDRAW_RESULT_ORDER"])
  })

  it("A refused command names the state of the order and REREAD_ORDER.", () => {
    const refused = decideWith(orderIn("PAID"), pay)
    const { detail, nextAction } = Result.isFailure(refused) ? refused.failure.facts : assert.fail()
    assert.strictEqual(detail, "A Result Order in PAID does not allow this; read the order again.")
    assert.strictEqual(nextAction, "REREAD_ORDER")
  })

  it("After an order was declined or withdrawn, another one for the same record can be offered.", () => {
    assert.deepStrictEqual(orderStates.filter(isLiveOrder), ["OFFERED", "APPROVED", "PAYING", "PAID"])
  })
})

describe("the preconditions of a command", () => {
  it.each(orderStates)("Terms are checked before the head, and both before the state %s.", (state) => {
    const order = orderIn(state)
    const current = orderPreconditions(order)
    const stale = { ...current, financialHead: digestOfCharacter("0") }
    for (const command of commands) {
      assert.strictEqual(
        outcomeOf(order, command, {}, { ...stale, termsDigest: digestOfCharacter("0") }),
        "TERMS_DIGEST_MISMATCH"
      )
      assert.strictEqual(outcomeOf(order, command, {}, stale), "STALE_FINANCIAL_HEAD")
    }
  })

  it("A stale head is refused with the current preconditions.", () => {
    const order = orderIn("APPROVED")
    const refused = decideWith(order, pay, {}, { ...orderPreconditions(order), financialHead: digestOfCharacter("0") })
    assert.deepStrictEqual(Result.isFailure(refused) ? refused.failure.facts : {}, {
      current: { termsDigest: order.termsDigest, financialHead: order.financialHead }
    })
  })
})

describe("the payment of a Result Order", () => {
  /** Each spoils one condition of the payment, in the order of the refusals. */
  const spoilers: ReadonlyArray<readonly [code: string, facts: Partial<OrderFacts>]> = [
    ["STATE_CONFLICT", { projectState: "CONFIRMATION_CONTESTED" }],
    ["PAYMENT_ATTEMPT_OPEN", { attempts: [{ commerceOrderId: attemptId(9), state: "PAID" }] }],
    ["ATTEMPT_LIMIT", {}],
    ["RECIPIENT_NOT_PAYABLE", { isRecipientPayable: false }],
    ["PAYMENTS_NOT_CONFIGURED", { payments: { kind: "PROVIDER", provider: "STRIPE", environment: "TEST" } }]
  ]

  it("The refusals of a payment come in the documented order.", () => {
    let exhausted = orderIn("APPROVED")
    for (let attempt = 0; attempt < 20; attempt++) exhausted = released(afterOrderCommand(exhausted, pay))
    for (const [index, [code]] of spoilers.entries()) {
      const rest = spoilers.slice(index)
      const order = rest.some(([one]) => one === "ATTEMPT_LIMIT") ? exhausted : orderIn("APPROVED")
      const facts = Object.assign({}, ...rest.map(([, changes]) => changes)) as Partial<OrderFacts>
      assert.strictEqual(outcomeOf(order, pay, facts), code)
    }
  })

  it("The twentieth attempt opens, and the twenty-first is refused with ATTEMPT_LIMIT.", () => {
    let order = orderIn("APPROVED")
    for (let attempt = 1; attempt < 20; attempt++) order = released(afterOrderCommand(order, pay))
    assert.strictEqual(outcomeOf(order, pay), "PAYING")
    assert.strictEqual(outcomeOf(released(afterOrderCommand(order, pay)), pay), "ATTEMPT_LIMIT")
  })

  it.each(attemptStates)("Beside an attempt that is %s another one opens only if the first is RELEASED.", (state) => {
    const order = released(orderIn("PAYING"))
    const expected = state === "RELEASED" ? "PAYING" : "PAYMENT_ATTEMPT_OPEN"
    assert.strictEqual(outcomeOf(order, pay, { attempts: [{ commerceOrderId: attemptId(1), state }] }), expected)
  })

  it.each(attemptStates)(
    "The supplier withdraws an order being paid only if its attempt is UNVERIFIED: %s.",
    (state) => {
      const order = orderIn("PAYING")
      const expected = state === "UNVERIFIED" ? "WITHDRAWN" : "PAYMENT_ATTEMPT_OPEN"
      assert.strictEqual(outcomeOf(order, withdraw, { attempts: openAttempts(order, state) }), expected)
    }
  )

  it("A payment needs the provider and environment that the terms name.", () => {
    const order = orderIn("APPROVED")
    const isPaidBy = (payments: OrderFacts["payments"]) => outcomeOf(order, pay, { payments })
    assert.strictEqual(isPaidBy({ kind: "PROVIDER", provider: "SIMULATED", environment: "TEST" }), "PAYING")
    assert.strictEqual(
      isPaidBy({ kind: "PROVIDER", provider: "SIMULATED", environment: "LIVE" }),
      "PAYMENTS_NOT_CONFIGURED"
    )
    assert.strictEqual(
      outcomeOf(order, pay, { payments: { kind: "NONE" }, isRecipientPayable: false }),
      "PAYMENTS_NOT_CONFIGURED"
    )
  })

  it("An attempt's source is the digest over the head before it, and it expires after 60 minutes.", () => {
    const order = released(orderIn("PAYING"))
    const decided = Result.getOrThrow(decideWith(order, pay))
    assert.deepStrictEqual(decided, {
      kind: "ATTEMPT_OPENED",
      payload: {
        commerceOrderId: attemptId(2),
        number: 2,
        acceptedSourceDigest: acceptedSourceDigest(order, baseUrl),
        expiresAt: addMilliseconds(orderTime, 3_600_000)
      }
    })
    assert.notStrictEqual(acceptedSourceDigest(order, baseUrl), acceptedSourceDigest(orderIn("PAYING"), baseUrl))
  })
})

describe("the offer of a Result Order", () => {
  const recordId = `record_${uuidOf(1)}`
  const agreementDigest = digestOfCharacter("a")
  const confirmed = { agreementDigest, recordId, state: "BUYER_CONFIRMED" } as const
  const input: OfferInput = { agreementDigest, recordId, currency: "EUR", amountMinor: 1 }
  const provider = { kind: "PROVIDER", currencies: ["EUR", "USD"] } as const
  const manyOrders = Array.from({ length: limits.resultOrders }, () => ({ state: "DECLINED" }) as const)
  const facts: OfferFacts = { payments: provider, recipientAccount: "acct_sim_1", orders: [] }

  it.each<[string, Partial<Parameters<typeof offerGuard>[0]>, Partial<OfferInput>, Partial<OfferFacts>]>([
    ["INVALID_REQUEST", {}, { currency: "JPY" }, {}],
    ["AGREEMENT_DIGEST_MISMATCH", {}, { agreementDigest: digestOfCharacter("b") }, {}],
    ["RESULT_NOT_ISSUED", { recordId: null }, {}, {}],
    ["RESULT_NOT_ISSUED", {}, { recordId: `record_${uuidOf(2)}` }, {}],
    ["STATE_CONFLICT", { state: "CONFIRMATION_CONTESTED" }, {}, {}],
    ["ALREADY_EXISTS", {}, {}, { orders: [{ state: "OFFERED" }] }],
    ["PAYMENTS_NOT_CONFIGURED", {}, {}, { payments: { kind: "NONE" } }],
    ["RECIPIENT_NOT_PAYABLE", {}, {}, { recipientAccount: null }],
    ["RESULT_ORDER_LIMIT", {}, {}, { orders: manyOrders }]
  ])("An offer is refused with %s for %o, %o, %o.", (code, project, changes, other) => {
    assert.strictEqual(
      offerGuard({ ...confirmed, ...project }, { ...input, ...changes }, { ...facts, ...other })?.code,
      code
    )
    assert.isUndefined(offerGuard(confirmed, input, facts))
  })

  it("The refusals of an offer come in order: request, agreement, record, state, order, provider or account.", () => {
    const spoiled = { agreementDigest, recordId: null, state: "CONFIRMATION_CONTESTED" } as const
    const none: OfferFacts = {
      payments: { kind: "NONE" },
      recipientAccount: null,
      orders: [...manyOrders, { state: "OFFERED" }]
    }
    const wrong = { ...input, agreementDigest: digestOfCharacter("b"), currency: "JPY" }
    const found = [
      offerGuard(spoiled, wrong, { ...none, payments: provider }),
      offerGuard(spoiled, wrong, none),
      offerGuard(spoiled, input, none),
      offerGuard({ ...spoiled, recordId }, input, none),
      offerGuard(confirmed, input, none),
      offerGuard(confirmed, input, { ...none, orders: manyOrders }),
      offerGuard(confirmed, input, { ...none, orders: manyOrders, payments: provider }),
      offerGuard(confirmed, input, { ...facts, orders: manyOrders })
    ]
    assert.deepStrictEqual(
      found.map((refused) => refused?.code),
      [
        "INVALID_REQUEST",
        "AGREEMENT_DIGEST_MISMATCH",
        "RESULT_NOT_ISSUED",
        "STATE_CONFLICT",
        "ALREADY_EXISTS",
        "PAYMENTS_NOT_CONFIGURED",
        "RECIPIENT_NOT_PAYABLE",
        "RESULT_ORDER_LIMIT"
      ]
    )
  })

  it.each([
    ["OFFERED", "withdraw it before a new offer"],
    ["APPROVED", "withdraw it before a new offer"],
    ["PAYING", "is being paid; wait until the provider reports the end"],
    ["PAID", "The record is paid"]
  ] as const)("A record whose order is %s is not offered again, and the refusal says: %s.", (state, text) => {
    const refused = offerGuard(confirmed, input, { ...facts, orders: [{ state: "DECLINED" }, { state }] })
    assert.strictEqual(refused?.code, "ALREADY_EXISTS")
    assert.include(refused?.facts.detail, text)
  })

  it("A supplier without an account, or with too many orders, is told the next step.", () => {
    const accountless = errorBody(offerGuard(confirmed, input, { ...facts, recipientAccount: null })!)
    assert.strictEqual(accountless.nextAction, "OPEN_RECIPIENT_ACCOUNT")
    assert.include(accountless.detail, "Your organization has no recipient account")
    const full = errorBody(offerGuard(confirmed, input, { ...facts, orders: manyOrders })!)
    assert.strictEqual(full.nextAction, "AGREE_OUTSIDE")
  })

  it("An unknown currency is refused with the configured ones.", () => {
    const refused = offerGuard(confirmed, { ...input, currency: "JPY" }, facts)
    assert.deepStrictEqual(refused?.facts.issues, [
      { path: "currency", message: "The currency must be one of EUR, USD." }
    ])
  })
})
