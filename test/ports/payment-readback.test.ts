/** A provider's values become facts only if they have exactly the members and words of their component. */
import { assert, describe, it } from "@effect/vitest"
import { componentReadback } from "../../src/ports/payment-readback.ts"
import type { Component } from "../../src/vocabulary/payments.ts"
import { checkout, dispute, payment, payout, refund, reversal, transfer } from "../support/payment-facts.ts"

const facts: { readonly [C in Component]: object } = {
  CHECKOUT: checkout(),
  PAYMENT: payment(),
  REFUND: refund(),
  DISPUTE: dispute(),
  TRANSFER: transfer({ reversals: [reversal] }),
  PAYOUT: payout()
}
const cases = Object.entries(facts) as ReadonlyArray<[Component, object]>

const outcomeOf = (component: Component, values: unknown, entity = "x") => {
  const readback = componentReadback(component, [{ entity, facts: values }])
  return readback.outcome === "READ" ? "READ" : readback.reason
}

describe("the facts of a component", () => {
  it.each(cases)("The facts of a %s are read as they are.", (component, values) => {
    const readback = componentReadback(component, [{ entity: "x", facts: values }])
    assert.deepStrictEqual<unknown>(readback, {
      outcome: "READ",
      entities: [{ entity: "x", createdAt: checkout().createdAt, facts: values }]
    })
  })

  it.each(cases)(
    "A %s with an unknown member, or without any one of its members, is not read.",
    (component, values) => {
      assert.strictEqual(outcomeOf(component, { ...values, card: "4242" }), "FACTS_UNKNOWN")
      for (const member of Object.keys(values)) {
        const { [member]: _, ...rest } = values as { readonly [member: string]: unknown }
        assert.strictEqual(outcomeOf(component, rest), "FACTS_UNKNOWN", member)
      }
    }
  )

  it.each<[Component, object]>([
    ["CHECKOUT", { state: "PAUSED" }],
    ["CHECKOUT", { amountMinor: 2 ** 53 }],
    ["CHECKOUT", { currency: "eur" }],
    ["PAYMENT", { state: "succeeded" }],
    ["PAYMENT", { amountMinor: -1 }],
    ["PAYMENT", { amountMinor: 1.5 }],
    ["PAYMENT", { amountMinor: "125000" }],
    ["PAYMENT", { environment: "SANDBOX" }],
    ["PAYMENT", { createdAt: "2026-01-02T09:00:00Z" }],
    ["REFUND", { chargeId: "" }],
    ["DISPUTE", { reason: "x".repeat(201) }],
    ["DISPUTE", { reason: "\ud800" }],
    ["DISPUTE", { reason: "a\u0000" }],
    ["DISPUTE", { chargeId: "\u0000" }],
    ["REFUND", { amountMinor: 2 ** 60 }],
    ["TRANSFER", { reversals: Array.from({ length: 201 }, () => reversal) }],
    ["PAYOUT", { state: "UNKNOWN" }]
  ])("A %s with %o is not read.", (component, changes) => {
    assert.strictEqual(outcomeOf(component, { ...facts[component], ...changes }), "FACTS_UNKNOWN")
  })

  it("A text of the provider has up to 200 characters of any script, and an id at least one.", () => {
    assert.strictEqual(outcomeOf("DISPUTE", dispute({ reason: "\u{1F4B6}".repeat(200), status: "" })), "READ")
    for (const entity of ["", "dp\u0000", "\udfff"]) {
      assert.strictEqual(outcomeOf("DISPUTE", dispute(), entity), "FACTS_UNKNOWN")
    }
  })

  it("A component of 200 entities is read, and one of 201 is not.", () => {
    const many = (count: number) =>
      componentReadback(
        "REFUND",
        Array.from({ length: count }, (_, n) => ({ entity: `re_${n}`, facts: refund() }))
      )
    assert.strictEqual(many(200).outcome, "READ")
    assert.deepStrictEqual(many(201), { outcome: "FAILED", reason: "TOO_MANY_ENTITIES" })
  })
})
