/** The fields of the form that offers a result. */
import { Schema } from "effect"
import { limits } from "../../vocabulary/limits.ts"
import { amountFrom, amountText, decimalsOf, isCurrency } from "../../vocabulary/money.ts"
import { select, textField, type FormState } from "../kit/fields.ts"
import { hiddenField } from "../kit/form-field.ts"
import { line } from "../kit/form-values.ts"
import type { Content } from "../kit/html.ts"

/** The price that a supplier enters; the digest and the record are those of the page. `currencies` are offered as choices. */
export const offerFields = (currencies: ReadonlyArray<string>) => ({
  offeredAgreementDigest: hiddenField(undefined),
  offeredRecordId: hiddenField(undefined),
  offeredCurrency: {
    schema: line("The currency", 3).check(Schema.makeFilter(isCurrency, { message: "Choose one: the currency." })),
    control: (state: FormState, name: string): Content =>
      select(state, { name, label: "Currency", choices: currencies.map((value) => ({ value, label: value })) })
  },
  offeredAmount: {
    schema: line("The amount", 20),
    control: (state: FormState, name: string): Content =>
      textField(state, {
        name,
        label: "Amount",
        hint: "The fixed total, taxes and fees included: digits, with a point before the decimals, such as 1250.00.",
        inputMode: "decimal",
        size: "short",
        maxLength: 20
      })
  }
})

/** The amount in the currency's minor unit, or the problem of the field. */
export const offeredAmount = (
  entered: string,
  currency: string
): { readonly amountMinor: number } | { readonly problem: string } => {
  const amountMinor = amountFrom(entered, currency)
  const isWithin =
    amountMinor !== undefined && amountMinor >= limits.amountMinorLeast && amountMinor <= limits.amountMinor
  if (isWithin) return { amountMinor }
  const [least, most] = [limits.amountMinorLeast, limits.amountMinor].map((minor) => amountText(minor, currency))
  const decimals = decimalsOf(currency)
  const form = decimals === 0 ? "digits without decimals" : `digits, with a point before at most ${decimals} decimals`
  return { problem: `The amount is from ${least} to ${most}: ${form}.` }
}
