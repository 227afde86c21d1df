import { assert, describe, it } from "@effect/vitest"
import { amountText, isCurrency } from "../../src/vocabulary/money.ts"

describe("amounts", () => {
  it.each([
    [125_000, "EUR", "1250.00 EUR"],
    [1, "EUR", "0.01 EUR"],
    [10, "USD", "0.10 USD"],
    [99_999_999, "CHF", "999999.99 CHF"],
    [5_000, "JPY", "5000 JPY"],
    [1, "KWD", "0.001 KWD"],
    [12_345, "TND", "12.345 TND"]
  ] as const)("An amount of %i in minor units of %s is shown as %s.", (amountMinor, currency, text) => {
    assert.strictEqual(amountText(amountMinor, currency), text)
  })

  it("A code is a currency only in capitals, and if it can be paid with.", () => {
    assert.isTrue(["EUR", "USD", "MGA", "MRU", "ISK"].every(isCurrency))
    assert.isFalse(["eur", "XAU", "XTS", "CLF", "EURO", ""].some(isCurrency))
    assert.throws(() => amountText(1, "XAU"), "not a known currency")
  })
})
