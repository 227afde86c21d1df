/** The names of Countersign's environment variables, and misspellings of them. */
import { ConfigProvider, Effect } from "effect"
import { editDistance } from "../vocabulary/suggest.ts"

/** Every variable of the table in docs/operating/running.md. */
export const variables = [
  "DATABASE_URL",
  "DATABASE_CONNECTIONS",
  "READ_DATABASE_URL",
  "REQUIRE_SYNC_STANDBY",
  "ISSUER_KEYS_FILE",
  "SECRET_KEY",
  "SECRET_KEY_FILE",
  "SECRET_KEY_PREVIOUS",
  "SECRET_KEY_PREVIOUS_FILE",
  "OIDC_ISSUER",
  "OIDC_CLIENT_ID",
  "OIDC_CLIENT_SECRET",
  "SMTP_URL",
  "MAIL_FROM",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRETS",
  "STRIPE_API_ORIGIN",
  "PAYMENT_CURRENCIES",
  "DATA_DIR",
  "HOST",
  "PORT",
  "SITE_URL",
  "TLS_CERT_FILE",
  "TLS_KEY_FILE",
  "TRUSTED_PROXIES",
  "LEGAL_TEXTS_DIR",
  "REQUESTS_IN_FLIGHT",
  "RATE_PER_CREDENTIAL",
  "RATE_PER_ADDRESS",
  "WEBHOOK_BATCH",
  "WEBHOOK_INTERVAL",
  "WEBHOOK_LEASE",
  "WEBHOOK_TIMEOUT",
  "WEBHOOK_BACKOFF",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "METRICS_PORT"
] as const
export type Variable = (typeof variables)[number]

/** Former names, which this version still reads where the variable itself is not set. */
export const formerNames: { readonly [name in Variable]?: string } = {
  WEBHOOK_BATCH: "CALLBACK_BATCH",
  WEBHOOK_INTERVAL: "CALLBACK_INTERVAL",
  WEBHOOK_LEASE: "CALLBACK_LEASE",
  WEBHOOK_TIMEOUT: "CALLBACK_TIMEOUT",
  WEBHOOK_BACKOFF: "CALLBACK_BACKOFF"
}

const renamedVariables = Object.entries(formerNames) as ReadonlyArray<readonly [Variable, string]>

/** A provider that reads a variable under its former name, where only that is set. */
export const withFormerNames = (provider: ConfigProvider.ConfigProvider): ConfigProvider.ConfigProvider =>
  ConfigProvider.make((path) =>
    Effect.flatMap(provider.load(path), (node) => {
      const former = renamedVariables.find(([variable]) => variable === path.join("_"))?.[1]
      return node?.value === undefined && former !== undefined ? provider.load([former]) : Effect.succeed(node)
    })
  )

/** One warning for each former name in use, and one problem for each that is set beside its variable. */
export const usesOfFormerNames = (present: ReadonlySet<string>) => {
  const used = renamedVariables.filter(([, former]) => present.has(former))
  return {
    warnings: used
      .filter(([variable]) => !present.has(variable))
      .map(([variable, former]) => `${former} is now called ${variable}; a later version ignores the former name`),
    problems: used
      .filter(([variable]) => present.has(variable))
      .map(([variable, former]) => `${former} and ${variable} are two names of one variable; unset ${former}`)
  }
}

/** The names of all variables that have a value; an empty one counts as absent. */
export const setVariables: Effect.Effect<ReadonlyArray<string>, ConfigProvider.SourceError> = Effect.flatMap(
  ConfigProvider.ConfigProvider,
  (provider) => namesBelow(provider, [])
)

// A ConfigProvider is a tree whose paths are the names, split at each underscore.
const namesBelow = (
  provider: ConfigProvider.ConfigProvider,
  path: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>, ConfigProvider.SourceError> =>
  Effect.gen(function* () {
    const node = yield* provider.load([...path])
    if (node === undefined) return []
    const own = node.value === undefined ? [] : [path.join("_")]
    if (node._tag !== "Record") return own
    const below = yield* Effect.forEach(node.keys, (key) => namesBelow(provider, [...path, key]))
    return [...own, ...below.flat()]
  })

/**
 * One line for each name that is a misspelling of an unset variable. Beside a variable that is set, a similar name belongs
 * to another program (DATABASE_URI), as do names that resemble no variable.
 */
export const misspellings = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known: ReadonlyArray<string> = [...variables, ...Object.values(formerNames)]
  return names
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const intended = variables.find((variable) => !names.includes(variable) && isMisspelling(name, variable))
      return intended === undefined
        ? []
        : [`${name} is no variable of Countersign; did you mean ${intended}? Correct or unset it`]
    })
}

/**
 * One letter inserted, deleted or replaced, or two adjacent ones swapped. Two such edits match names of other programs
 * (SSL_CERT_FILE), and one does for a name as short as HOST or PORT.
 */
const isMisspelling = (name: string, variable: string): boolean =>
  variable.length >= 8 && editDistance(name.toUpperCase(), variable) <= 1
