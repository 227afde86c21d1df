/** What an operator sets by environment variables (docs/operating/running.md); absent means the embedded default. */
import { Config, Context, Data, Duration, Effect, Layer, Option, Schema, SchemaIssue } from "effect"
import { limits } from "../vocabulary/limits.ts"
import { mailAddressFrom } from "../vocabulary/mail-address.ts"
import { marginOf, outlivesSends, specifiedPace, type Pace } from "../ports/callback-pace.ts"

const whole = (name: string, maximum = Number.MAX_SAFE_INTEGER) =>
  Config.schema(Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum })), name)

const portMax = 65_535

const durationIn = Schema.decodeUnknownOption(Schema.DurationFromString)

/** A duration with its unit, in milliseconds; undefined where it is none that something can be paced by. */
const millisecondsIn = (text: string): number | undefined => {
  const given = Option.map(durationIn(text), Duration.toMillis)
  return Option.getOrUndefined(Option.filter(given, (length) => 1 <= length && length <= limits.callbackPaceMost))
}

const milliseconds = (name: string, specified: number) =>
  Config.schema(
    Schema.String.check(
      Schema.makeFilter((text) => millisecondsIn(text) !== undefined, {
        expected: `a duration such as "15 seconds", of 1 millisecond to ${limits.callbackPaceMost / 60_000} minutes`
      })
    ),
    name
  ).pipe(
    Config.map((text) => millisecondsIn(text) ?? specified),
    Config.withDefault(specified)
  )

/** An origin: `https://example.org`, nothing after it. */
const origin = (name: string) =>
  Config.schema(
    Schema.String.check(
      Schema.makeFilter((text) => isOrigin(text.replace(/\/+$/, "")), {
        expected: "an origin such as https://example.org"
      })
    ),
    name
  )

const isOrigin = (text: string): boolean => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text

const listOf = (name: string) =>
  Config.String(name).pipe(
    Config.map((text) =>
      text
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== "")
    ),
    Config.withDefault([])
  )

/** OpenID Connect speaks HTTPS; only a provider on this machine is tried without. */
const isIssuer = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") return false
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))
}

/** True for a host name of this machine, as a URL writes it, with or without the brackets. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host)

const issuer = (name: string) =>
  Config.schema(
    Schema.String.check(
      Schema.makeFilter((text: string) => isIssuer(text), {
        expected: "an https address without a query, or an http one on this machine"
      })
    ),
    name
  )

/** One address, without a name. */
const mailAddress = (name: string) =>
  Config.schema(
    Schema.String.check(
      Schema.makeFilter((text: string) => mailAddressFrom(text) !== null, {
        expected: "an e-mail address such as countersign@example.org"
      })
    ),
    name
  )

const settings = Config.all({
  dataDirectory: Config.String("DATA_DIR").pipe(Config.withDefault("./.countersign")),
  databaseUrl: Config.option(Config.Redacted("DATABASE_URL")),
  databaseConnections: whole("DATABASE_CONNECTIONS").pipe(Config.withDefault(10)),
  host: Config.String("HOST").pipe(Config.withDefault("127.0.0.1")),
  port: whole("PORT", portMax).pipe(Config.withDefault(8080)),
  siteUrl: Config.option(origin("SITE_URL")),
  tlsCertFile: Config.option(Config.String("TLS_CERT_FILE")),
  tlsKeyFile: Config.option(Config.String("TLS_KEY_FILE")),
  trustedProxies: listOf("TRUSTED_PROXIES"),
  requestsInFlight: whole("REQUESTS_IN_FLIGHT").pipe(Config.withDefault(limits.requestsInFlight)),
  ratePerCredential: Config.option(whole("RATE_PER_CREDENTIAL")),
  ratePerAddress: Config.option(whole("RATE_PER_ADDRESS")),
  issuerKeysFile: Config.option(Config.String("ISSUER_KEYS_FILE")),
  secretKey: Config.option(Config.Redacted("SECRET_KEY")),
  secretKeyPrevious: Config.option(Config.Redacted("SECRET_KEY_PREVIOUS")),
  oidcIssuer: Config.option(issuer("OIDC_ISSUER")),
  oidcClientId: Config.option(Config.String("OIDC_CLIENT_ID")),
  oidcClientSecret: Config.option(Config.Redacted("OIDC_CLIENT_SECRET")),
  smtpUrl: Config.option(Config.Redacted("SMTP_URL")),
  mailFrom: Config.option(mailAddress("MAIL_FROM")),
  legalTextsDirectory: Config.option(Config.String("LEGAL_TEXTS_DIR")),
  callbackPace: Config.all({
    batch: whole("CALLBACK_BATCH", limits.callbackBatchMost).pipe(Config.withDefault(specifiedPace.batch)),
    interval: milliseconds("CALLBACK_INTERVAL", specifiedPace.interval),
    lease: milliseconds("CALLBACK_LEASE", specifiedPace.lease),
    timeout: milliseconds("CALLBACK_TIMEOUT", specifiedPace.timeout),
    backoff: milliseconds("CALLBACK_BACKOFF", specifiedPace.backoff)
  }),
  telemetryUrl: Config.option(Config.String("OTEL_EXPORTER_OTLP_ENDPOINT")),
  metricsPort: Config.option(whole("METRICS_PORT", portMax))
})

export class Configuration extends Context.Service<Configuration, Effect.Success<typeof settings>>()(
  "countersign/adapters/Configuration"
) {
  static readonly layer = Layer.effect(
    Configuration,
    Effect.gen(function* () {
      const given = yield* Effect.mapError(settings, (error) => new ConfigurationError({ message: told(error) }))
      yield* requirePair(["OIDC_ISSUER", given.oidcIssuer], ["OIDC_CLIENT_ID", given.oidcClientId])
      yield* requirePair(["SMTP_URL", given.smtpUrl], ["MAIL_FROM", given.mailFrom])
      yield* requireLongLease(given.callbackPace)
      return given
    })
  )
}

type Variable = readonly [name: string, value: Option.Option<unknown>]

/** One of two variables without the other means nothing: names the one that is missing. */
const requirePair = (...[one, other]: readonly [Variable, Variable]) => {
  if (Option.isSome(one[1]) === Option.isSome(other[1])) return Effect.void
  const missing = Option.isSome(one[1]) ? other[0] : one[0]
  const message = `${missing} is missing: ${one[0]} and ${other[0]} belong together`
  return Effect.fail(new ConfigurationError({ message }))
}

/** A send that outlived its lease would be made twice while nobody had failed. */
const requireLongLease = (pace: Pace) => {
  if (outlivesSends(pace)) return Effect.void
  const message =
    `CALLBACK_LEASE: ${pace.lease} ms has to be more than CALLBACK_TIMEOUT (${pace.timeout} ms)` +
    ` and a sixth of the lease, at most 5 seconds (${Math.ceil(marginOf(pace.lease))} ms), together`
  return Effect.fail(new ConfigurationError({ message }))
}

/** Names the variable and what it should be, on one line. */
export class ConfigurationError extends Data.TaggedError("ConfigurationError")<{ readonly message: string }> {}

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

const told = ({ cause, message }: Config.ConfigError): string =>
  cause._tag === "SchemaError"
    ? issuesOf(cause.issue)
        .issues.map((issue) => `${(issue.path ?? []).map(String).join(".")}: ${issue.message}`)
        .join("; ")
    : message

/** With DATABASE_URL the keys are never made here: names at once all of these that are missing. */
export const requireKeys = (...variables: ReadonlyArray<"ISSUER_KEYS_FILE" | "SECRET_KEY">) =>
  Effect.flatMap(Configuration, ({ databaseUrl, issuerKeysFile, secretKey }) => {
    const isGiven = { ISSUER_KEYS_FILE: Option.isSome(issuerKeysFile), SECRET_KEY: Option.isSome(secretKey) }
    const missing = variables.filter((variable) => !isGiven[variable])
    if (missing.length === 0 || Option.isNone(databaseUrl)) return Effect.void
    const are = missing.length === 1 ? "is" : "are"
    const message = `${missing.join(" and ")} ${are} missing: with DATABASE_URL the keys come from the environment`
    return Effect.fail(new ConfigurationError({ message }))
  })

/** The origin that links are made of. */
export const siteUrlOf = ({ siteUrl, tlsCertFile, host, port }: Configuration["Service"]): string => {
  const scheme = Option.isSome(tlsCertFile) ? "https" : "http"
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host
  return Option.getOrElse(siteUrl, () => `${scheme}://${name}:${port}`).replace(/\/+$/, "")
}
