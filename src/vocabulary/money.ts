/**
 * Currencies and amounts. An amount is an integer in the currency's minor unit, whose exponent is that of ISO 4217. Payment
 * currencies only: no funds, metals or test codes.
 */

const withExponent = (exponent: number, codes: string) =>
  codes.split(" ").map((code): readonly [code: string, exponent: number] => [code, exponent])

const exponents: ReadonlyMap<string, number> = new Map([
  ...withExponent(0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"),
  ...withExponent(
    2,
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK " +
      "DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW " +
      "KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN " +
      "PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD " +
      "TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG"
  ),
  ...withExponent(3, "BHD IQD JOD KWD LYD OMR TND")
])

/** True for the code of a currency whose exponent is known. */
export const isCurrency = (code: string): boolean => exponents.has(code)

/** The decimals of an amount in a known currency. */
export const decimalsOf = (currency: string): number => {
  const exponent = exponents.get(currency)
  if (exponent === undefined) throw new Error(`${currency} is not a known currency`)
  return exponent
}

/**
 * The amount that a person entered for a known currency, in its minor unit: digits, with a point before at most as many
 * decimals as the currency has. Undefined for any other text, and for more digits than a number holds exactly.
 */
export const amountFrom = (entered: string, currency: string): number | undefined => {
  const exponent = decimalsOf(currency)
  const [, units, decimals = ""] = /^(\d{1,12})(?:\.(\d{1,3}))?$/.exec(entered) ?? []
  return units === undefined || decimals.length > exponent ? undefined : Number(units + decimals.padEnd(exponent, "0"))
}

/** An amount for people: `1250.00 EUR`. Without known decimals, such as of a former currency, it is in the minor unit. */
export const amountText = (amountMinor: number, currency: string): string => {
  if (!isCurrency(currency)) return `${amountMinor} in the minor unit of ${currency}`
  const exponent = decimalsOf(currency)
  const digits = String(amountMinor).padStart(exponent + 1, "0")
  const units = digits.slice(0, digits.length - exponent)
  return exponent === 0 ? `${units} ${currency}` : `${units}.${digits.slice(-exponent)} ${currency}`
}
