/** The names of Countersign's environment variables, and misspellings of them. */
import { ConfigProvider, Effect } from "effect"
import { editDistance } from "../vocabulary/suggest.ts"

/** Every variable of the table in docs/operating/running.md. */
export const variables = [
  "DATABASE_URL",
  "DATABASE_CONNECTIONS",
  "ISSUER_KEYS_FILE",
  "SECRET_KEY",
  "SECRET_KEY_PREVIOUS",
  "OIDC_ISSUER",
  "OIDC_CLIENT_ID",
  "OIDC_CLIENT_SECRET",
  "SMTP_URL",
  "MAIL_FROM",
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
  "CALLBACK_BATCH",
  "CALLBACK_INTERVAL",
  "CALLBACK_LEASE",
  "CALLBACK_TIMEOUT",
  "CALLBACK_BACKOFF",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "METRICS_PORT"
] as const
export type Variable = (typeof variables)[number]

/** The names of all variables that have a value; an empty one counts as absent. */
export const setVariables: Effect.Effect<ReadonlyArray<string>, ConfigProvider.SourceError> = Effect.flatMap(
  ConfigProvider.ConfigProvider,
  (provider) => namesBelow(provider, [])
)

// A provider of configuration is a tree whose paths are the names, parted at each underscore.
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
 * One line for each name that is a misspelling of a variable that is not set itself. Beside a variable that is set, a
 * similar name belongs to another program (DATABASE_URI), as names that resemble none of ours do.
 */
export const misspellings = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known: ReadonlyArray<string> = variables
  return names
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = variables.find((variable) => !names.includes(variable) && isMisspelling(name, variable))
      return meant === undefined
        ? []
        : [`${name} is no variable of Countersign; did you mean ${meant}? Correct or unset it`]
    })
}

/**
 * One letter more, less or another, or two that changed places. Two such edits lead to names of other programs
 * (SSL_CERT_FILE), and one does in a name as short as HOST or PORT.
 */
const isMisspelling = (name: string, variable: string): boolean =>
  variable.length >= 8 && editDistance(name.toUpperCase(), variable) <= 1
