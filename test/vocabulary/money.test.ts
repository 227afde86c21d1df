import { assert, describe, it } from "@effect/vitest"
import { amountFrom, amountText, isCurrency } from "../../src/vocabulary/money.ts"

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

  it.each([
    ["1250", "EUR", 125_000],
    ["1250.5", "EUR", 125_050],
    ["1250.50", "EUR", 125_050],
    ["0.29", "EUR", 29],
    ["1.005", "KWD", 1_005],
    ["0.001", "TND", 1],
    ["5000", "JPY", 5_000],
    ["007", "USD", 700],
    ["999999999999.999", "BHD", 999_999_999_999_999]
  ] as const)("The entered amount %s in %s is exactly %i in the minor unit.", (entered, currency, amountMinor) => {
    assert.strictEqual(amountFrom(entered, currency), amountMinor)
  })

  it.each([
    ["1.005", "EUR"],
    ["1.0", "JPY"],
    ["1.0001", "KWD"],
    ["1,5", "EUR"],
    ["1 000", "EUR"],
    [".5", "EUR"],
    ["5.", "EUR"],
    ["-1", "EUR"],
    ["1e3", "EUR"],
    ["١", "EUR"],
    ["", "EUR"],
    ["1000000000000", "EUR"]
  ] as const)("The entered text %j is no amount in %s.", (entered, currency) => {
    assert.isUndefined(amountFrom(entered, currency))
  })

  it("A code is a currency only in capitals, and if it can be paid with.", () => {
    assert.isTrue(["EUR", "USD", "MGA", "MRU", "ISK"].every(isCurrency))
    assert.isFalse(["eur", "XAU", "XTS", "CLF", "EURO", ""].some(isCurrency))
    assert.throws(() => amountFrom("1", "XAU"), "not a known currency")
  })

  it("An amount in a currency that is no longer known is shown in its minor unit.", () => {
    assert.strictEqual(amountText(125_000, "HRK"), "125000 in the minor unit of HRK")
  })
})
