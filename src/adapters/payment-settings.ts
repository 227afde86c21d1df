/** Reads the settings of payments: STRIPE_* and PAYMENT_CURRENCIES. No message repeats a key or a secret. */
import { Option, Redacted } from "effect"
import { limits } from "../vocabulary/limits.ts"
import { isCurrency } from "../vocabulary/money.ts"
import type { PaymentEnvironment } from "../vocabulary/payments.ts"

/** Of a configured installation. */
export interface PaymentSettings {
  readonly secretKey: Redacted.Redacted
  /** That of the key. */
  readonly environment: PaymentEnvironment
  readonly apiOrigin: string
  readonly webhookSecrets: ReadonlyArray<Redacted.Redacted>
  readonly currencies: ReadonlyArray<string>
}

/** The variables as they are set. */
export interface PaymentVariables {
  readonly stripeSecretKey: Option.Option<Redacted.Redacted>
  readonly stripeWebhookSecrets: Option.Option<Redacted.Redacted>
  readonly stripeApiOrigin: Option.Option<string>
  readonly paymentCurrencies: ReadonlyArray<string>
}

const stripeOrigin = "https://api.stripe.com"

/** The settings, if a well-formed key is set. */
export const paymentSettingsOf = (variables: PaymentVariables): PaymentSettings | undefined => {
  const { stripeSecretKey: secretKey, stripeApiOrigin, paymentCurrencies } = variables
  const environment = environmentOf(secretKey)
  if (Option.isNone(secretKey) || environment === undefined) return undefined
  return {
    secretKey: secretKey.value,
    environment,
    apiOrigin: Option.getOrElse(stripeApiOrigin, () => stripeOrigin),
    webhookSecrets: secretsIn(variables).map((secret) => Redacted.make(secret)),
    currencies: paymentCurrencies
  }
}

// A restricted key has the prefix rk_. Stripe states the form of neither what follows nor its length.
const keyForm = /^[sr]k_(test|live)_[A-Za-z0-9_]{8,500}$/

const environmentOf = (secretKey: Option.Option<Redacted.Redacted>): PaymentEnvironment | undefined => {
  const [, word] = Option.isSome(secretKey) ? (keyForm.exec(Redacted.value(secretKey.value)) ?? []) : []
  return word === undefined ? undefined : word === "live" ? "LIVE" : "TEST"
}

const secretsIn = ({ stripeWebhookSecrets }: PaymentVariables): ReadonlyArray<string> =>
  Option.match(stripeWebhookSecrets, {
    onNone: () => [],
    onSome: (secrets) =>
      Redacted.value(secrets)
        .split(",")
        .map((one) => one.trim())
  })

/** One sentence for each problem. `siteUrl` is the origin to which people return. */
export const paymentProblems = (variables: PaymentVariables, siteUrl: string): ReadonlyArray<string> => {
  const { stripeSecretKey, stripeApiOrigin } = variables
  const isLive = environmentOf(stripeSecretKey) === "LIVE"
  const problems: Readonly<Record<string, boolean>> = {
    "STRIPE_SECRET_KEY: expected a secret or restricted key of Stripe: sk_test_…, rk_test_…, sk_live_… or rk_live_…":
      Option.isSome(stripeSecretKey) && environmentOf(stripeSecretKey) === undefined,
    [`STRIPE_WEBHOOK_SECRETS: expected 1 to ${limits.stripeWebhookSecrets} signing secrets whsec_…, separated by commas`]:
      !areSecrets(secretsIn(variables)),
    [`STRIPE_API_ORIGIN: a live key is sent to ${stripeOrigin} only; unset it, or use a test key`]:
      isLive && Option.getOrElse(stripeApiOrigin, () => stripeOrigin) !== stripeOrigin,
    "SITE_URL: with a live key of Stripe it has to be an https origin, since people return to it from a payment":
      isLive && !siteUrl.startsWith("https:")
  }
  return Object.entries(problems).flatMap(([problem, isPresent]) => (isPresent ? [problem] : []))
}

const areSecrets = (secrets: ReadonlyArray<string>): boolean =>
  secrets.length <= limits.stripeWebhookSecrets &&
  new Set(secrets).size === secrets.length &&
  secrets.every((one) => /^whsec_[A-Za-z0-9+/=_-]{8,200}$/.test(one))

/**
 * Amounts are counted in the minor unit of ISO 4217. Stripe counts these currencies otherwise: ISK and UGX with two digits, MGA
 * with none, and those with three digits in tens only.
 */
const otherMinorUnits = ["ISK", "UGX", "MGA", "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]

/** True for currencies in which Stripe takes any amount of this service. */
export const isPaymentCurrency = (code: string): boolean => isCurrency(code) && !otherMinorUnits.includes(code)
