/** The environment variables that an operator sets (docs/operating/running.md); without any, the embedded database is used. */
import {
  Config,
  ConfigProvider,
  Context,
  Data,
  Duration,
  Effect,
  Layer,
  Option,
  Redacted,
  Result,
  Schema,
  SchemaIssue
} from "effect"
import ipaddr from "ipaddr.js"
import { limits } from "../vocabulary/limits.ts"
import { mailAddressFrom } from "../vocabulary/mail-address.ts"
import { leaseMargin, leaseOutlivesAttempt, defaultWebhookTiming, type WebhookTiming } from "../ports/webhook-timing.ts"
import { parseDatabaseUrl } from "./database-address.ts"
import { isPaymentCurrency, paymentProblems } from "./payment-settings.ts"
import { keyForm, keyFrom } from "./secrets.ts"
import { smtpForm, smtpServerFrom } from "./smtp-url.ts"
import { misspellings, setVariables, usesOfFormerNames, type Variable, withFormerNames } from "./variables.ts"

/** A text of a form; `expected` completes the sentence of a problem. */
const textOfForm = (name: Variable, isOfForm: (text: string) => boolean, expected: string) =>
  Config.schema(Schema.String.check(Schema.makeFilter((text: string) => isOfForm(text), { expected })), name)

const whole = (name: Variable, maximum = Number.MAX_SAFE_INTEGER) =>
  textOfForm(
    name,
    (text) => Number.isSafeInteger(Number(text)) && 1 <= Number(text) && Number(text) <= maximum,
    maximum === Number.MAX_SAFE_INTEGER ? "a whole number from 1" : `a whole number from 1 to ${maximum}`
  ).pipe(Config.map(Number))

const trueOrFalse = (name: Variable) =>
  textOfForm(name, (text) => text === "true" || text === "false", "true or false").pipe(
    Config.map((text) => text === "true")
  )

const portMax = 65_535

const durationIn = Schema.decodeUnknownOption(Schema.DurationFromString)

/** A duration with its unit, in milliseconds; undefined outside the permitted range. */
const millisecondsIn = (text: string): number | undefined => {
  const given = Option.map(durationIn(text), Duration.toMillis)
  return Option.getOrUndefined(Option.filter(given, (length) => 1 <= length && length <= limits.webhookTimingMost))
}

const milliseconds = (name: Variable, specified: number) =>
  textOfForm(
    name,
    (text) => millisecondsIn(text) !== undefined,
    `a duration such as "15 seconds", of 1 millisecond to ${limits.webhookTimingMost / 60_000} minutes`
  ).pipe(
    Config.map((text) => millisecondsIn(text) ?? specified),
    Config.withDefault(specified)
  )

/** An origin: `https://example.org` without a path. */
const origin = (name: Variable) =>
  textOfForm(name, (text) => isOrigin(text.replace(/\/+$/, "")), "an origin such as https://example.org")

const isOrigin = (text: string): boolean => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text

/** The base address of a collector of telemetry; it may have a path. */
const collectorAddress = (name: Variable) =>
  textOfForm(
    name,
    (text) => /^https?:/.test(text) && URL.canParse(text),
    "an http or https address such as http://127.0.0.1:4318"
  )

/** Addresses and ranges, separated by commas. */
const proxies = (name: Variable) =>
  textOfForm(
    name,
    (text) => listed(text).every((one) => ipaddr.isValid(one) || ipaddr.isValidCIDR(one)),
    "addresses or ranges such as 10.0.0.0/8, separated by commas"
  ).pipe(Config.map(listed), Config.withDefault([]))

const listed = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")

/** OpenID Connect requires HTTPS; a provider on this machine may use HTTP. */
const isIssuer = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") return false
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))
}

/** True for a host name of this machine, as a URL writes it, with or without the brackets. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host)

const issuer = (name: Variable) =>
  textOfForm(name, isIssuer, "an https address without a query, or an http one on this machine")

/** Stripe itself, or a server of the same form; without TLS only on this machine. */
const providerOrigin = (name: Variable) =>
  textOfForm(
    name,
    (text) => isOrigin(text) && (text.startsWith("https:") || isLoopback(new URL(text).hostname)),
    "an https origin such as https://api.stripe.com, or an http one on this machine"
  )

const currencies = (name: Variable) =>
  textOfForm(
    name,
    (text) => listed(text).length > 0 && listed(text).every(isPaymentCurrency),
    "ISO 4217 codes such as EUR, separated by commas, of currencies whose minor unit Stripe counts alike"
  ).pipe(
    Config.map((text) => [...new Set(listed(text))]),
    Config.withDefault(["EUR"])
  )

/** One address, without a display name. */
const mailAddress = (name: Variable) =>
  textOfForm(name, (text) => mailAddressFrom(text) !== null, "an e-mail address such as countersign@example.org")

const settings = {
  dataDirectory: Config.String("DATA_DIR").pipe(Config.withDefault("./.countersign")),
  databaseUrl: Config.option(Config.Redacted("DATABASE_URL")),
  databaseConnections: whole("DATABASE_CONNECTIONS").pipe(Config.withDefault(10)),
  readDatabaseUrl: Config.option(Config.Redacted("READ_DATABASE_URL")),
  requireSyncStandby: trueOrFalse("REQUIRE_SYNC_STANDBY").pipe(Config.withDefault(false)),
  host: Config.String("HOST").pipe(Config.withDefault("127.0.0.1")),
  port: whole("PORT", portMax).pipe(Config.withDefault(8080)),
  siteUrl: Config.option(origin("SITE_URL")),
  tlsCertFile: Config.option(Config.String("TLS_CERT_FILE")),
  tlsKeyFile: Config.option(Config.String("TLS_KEY_FILE")),
  trustedProxies: proxies("TRUSTED_PROXIES"),
  requestsInFlight: whole("REQUESTS_IN_FLIGHT").pipe(Config.withDefault(limits.requestsInFlight)),
  ratePerCredential: Config.option(whole("RATE_PER_CREDENTIAL")),
  ratePerAddress: Config.option(whole("RATE_PER_ADDRESS")),
  issuerKeysFile: Config.option(Config.String("ISSUER_KEYS_FILE")),
  secretKey: Config.option(Config.Redacted("SECRET_KEY")),
  secretKeyFile: Config.option(Config.String("SECRET_KEY_FILE")),
  secretKeyPrevious: Config.option(Config.Redacted("SECRET_KEY_PREVIOUS")),
  secretKeyPreviousFile: Config.option(Config.String("SECRET_KEY_PREVIOUS_FILE")),
  oidcIssuer: Config.option(issuer("OIDC_ISSUER")),
  oidcClientId: Config.option(Config.String("OIDC_CLIENT_ID")),
  oidcClientSecret: Config.option(Config.Redacted("OIDC_CLIENT_SECRET")),
  smtpUrl: Config.option(Config.Redacted("SMTP_URL")),
  mailFrom: Config.option(mailAddress("MAIL_FROM")),
  stripeSecretKey: Config.option(Config.Redacted("STRIPE_SECRET_KEY")),
  stripeWebhookSecrets: Config.option(Config.Redacted("STRIPE_WEBHOOK_SECRETS")),
  stripeApiOrigin: Config.option(providerOrigin("STRIPE_API_ORIGIN")),
  paymentCurrencies: currencies("PAYMENT_CURRENCIES"),
  legalTextsDirectory: Config.option(Config.String("LEGAL_TEXTS_DIR")),
  telemetryUrl: Config.option(collectorAddress("OTEL_EXPORTER_OTLP_ENDPOINT")),
  metricsPort: Config.option(whole("METRICS_PORT", portMax))
}

const timing = {
  batch: whole("WEBHOOK_BATCH", limits.webhookBatchMost).pipe(Config.withDefault(defaultWebhookTiming.batch)),
  interval: milliseconds("WEBHOOK_INTERVAL", defaultWebhookTiming.interval),
  lease: milliseconds("WEBHOOK_LEASE", defaultWebhookTiming.lease),
  timeout: milliseconds("WEBHOOK_TIMEOUT", defaultWebhookTiming.timeout),
  backoff: milliseconds("WEBHOOK_BACKOFF", defaultWebhookTiming.backoff)
}

const all = Config.all({ ...settings, webhookTiming: Config.all(timing) })

export class Configuration extends Context.Service<Configuration, Effect.Success<typeof all>>()(
  "countersign/adapters/Configuration"
) {
  static readonly layer = Layer.effect(
    Configuration,
    Effect.flatMap(
      Effect.suspend(() => readSettings),
      (settings) => requireNoProblems(settings, settings.problems)
    )
  )
}

/** The configuration of a start without problems; every warning is logged. */
export const requireNoProblems = (
  { configuration, warnings }: Settings,
  problems: ReadonlyArray<string>
): Effect.Effect<Configuration["Service"], ConfigurationError> =>
  problems.length > 0
    ? Effect.fail(new ConfigurationError({ problems }))
    : Effect.as(
        Effect.forEach(warnings, (warning) => Effect.logWarning(warning)),
        configuration
      )

export interface Settings {
  /** A malformed variable is treated as absent. */
  readonly configuration: Configuration["Service"]
  /** The names of the variables that have a value, well formed or not. */
  readonly present: ReadonlySet<string>
  /** The names of the variables that are malformed. */
  readonly malformed: ReadonlySet<string>
  /** One line for each former name of a variable in use. */
  readonly warnings: ReadonlyArray<string>
  /** One line each. */
  readonly problems: ReadonlyArray<string>
}

/** Reads every setting and collects all problems. */
export const readSettings: Effect.Effect<Settings> = Effect.gen(function* () {
  const present = new Set(yield* setVariables)
  const formerly = usesOfFormerNames(present)
  const provider = withFormerNames(yield* ConfigProvider.ConfigProvider)
  const results: ReadonlyArray<Result.Result<unknown, Config.ConfigError>> = Object.values(
    yield* Effect.provideService(
      Effect.all({ ...settings, ...timing }, { mode: "result" }),
      ConfigProvider.ConfigProvider,
      provider
    )
  )
  const wrong = results.flatMap((result) => (Result.isFailure(result) ? issuesIn(result.failure) : []))
  const malformed = new Set(wrong.map(({ variable }) => variable))
  const wellFormed = ConfigProvider.make((path) =>
    malformed.has(path.join("_")) ? Effect.undefined : provider.load(path)
  )
  const configuration = yield* Effect.provideService(all, ConfigProvider.ConfigProvider, wellFormed)
  const isTimingRead = !malformed.has("WEBHOOK_LEASE") && !malformed.has("WEBHOOK_TIMEOUT")
  const problems = [
    ...misspellings([...present]),
    ...formerly.problems,
    ...wrong.map(({ variable, message }) => `${variable}: ${message}`),
    ...malformedSecrets(configuration),
    ...unusableReplica(present, configuration),
    ...pairs.flatMap((pair) => halfPair(present, pair)),
    ...alternatives.flatMap((pair) => bothOf(present, pair)),
    ...ofPayments.flatMap((variable) => withoutKey(present, variable)),
    ...paymentProblems(configuration, siteUrlOf(configuration)),
    ...(isTimingRead ? shortLease(configuration.webhookTiming) : [])
  ]
  return { configuration, present, malformed, warnings: formerly.warnings, problems }
}).pipe(Effect.orDie)

/** Malformed secrets; no message contains a value. */
const malformedSecrets = ({ secretKey, secretKeyPrevious, smtpUrl }: Configuration["Service"]) => [
  ...malformedSecret("SECRET_KEY", secretKey, keyFrom, keyForm),
  ...malformedSecret("SECRET_KEY_PREVIOUS", secretKeyPrevious, keyFrom, keyForm),
  ...malformedSecret("SMTP_URL", smtpUrl, smtpServerFrom, smtpForm)
]

const malformedSecret = (
  variable: Variable,
  given: Option.Option<Redacted.Redacted>,
  read: (text: string) => unknown,
  expected: string
): ReadonlyArray<string> =>
  Option.isSome(given) && read(Redacted.value(given.value)) === undefined ? [`${variable}: expected ${expected}`] : []

/** A replica is one of the Postgres of DATABASE_URL; no message contains the value. */
const unusableReplica = (
  present: ReadonlySet<string>,
  { readDatabaseUrl }: Configuration["Service"]
): ReadonlyArray<string> => {
  if (Option.isNone(readDatabaseUrl)) return []
  const hosts = parseDatabaseUrl(readDatabaseUrl.value, "REPLICA")
  return [
    ...(Result.isFailure(hosts) ? [`READ_DATABASE_URL: ${hosts.failure}`] : []),
    ...(present.has("DATABASE_URL")
      ? []
      : ["DATABASE_URL is missing: READ_DATABASE_URL names replicas of its Postgres, and the embedded one has none"])
  ]
}

/** Pairs of variables that are set together or not at all. */
const pairs: ReadonlyArray<readonly [Variable, Variable]> = [
  ["OIDC_ISSUER", "OIDC_CLIENT_ID"],
  ["SMTP_URL", "MAIL_FROM"],
  ["TLS_CERT_FILE", "TLS_KEY_FILE"]
]

const halfPair = (present: ReadonlySet<string>, [one, other]: readonly [Variable, Variable]): ReadonlyArray<string> => {
  if (present.has(one) === present.has(other)) return []
  return [`${present.has(one) ? other : one} is missing: ${one} and ${other} belong together`]
}

/** Two places of one key. */
const alternatives: ReadonlyArray<readonly [Variable, Variable]> = [
  ["SECRET_KEY", "SECRET_KEY_FILE"],
  ["SECRET_KEY_PREVIOUS", "SECRET_KEY_PREVIOUS_FILE"]
]

const bothOf = (present: ReadonlySet<string>, [one, other]: readonly [Variable, Variable]): ReadonlyArray<string> =>
  present.has(one) && present.has(other) ? [`${other}: ${one} gives the same key; unset one of them`] : []

/** Variables that mean nothing without STRIPE_SECRET_KEY: payments would be off without a word. */
const ofPayments = [
  "STRIPE_WEBHOOK_SECRETS",
  "STRIPE_API_ORIGIN",
  "PAYMENT_CURRENCIES"
] as const satisfies ReadonlyArray<Variable>

const withoutKey = (present: ReadonlySet<string>, variable: Variable): ReadonlyArray<string> =>
  present.has(variable) && !present.has("STRIPE_SECRET_KEY")
    ? [`STRIPE_SECRET_KEY is missing: without it ${variable} has no effect`]
    : []

/** An attempt that outlived its lease would be sent twice without a failure. */
const shortLease = (timing: WebhookTiming): ReadonlyArray<string> =>
  leaseOutlivesAttempt(timing)
    ? []
    : [
        `WEBHOOK_LEASE: ${timing.lease} ms has to be more than WEBHOOK_TIMEOUT (${timing.timeout} ms)` +
          ` and a sixth of the lease, at most 5 seconds (${Math.ceil(leaseMargin(timing.lease))} ms), together`
      ]

/** Every problem of the settings, one line each with the variable and its expected form. */
export class ConfigurationError extends Data.TaggedError("ConfigurationError")<{
  readonly problems: ReadonlyArray<string>
}> {
  override get message(): string {
    return this.problems.join("\n")
  }
}

interface Issue {
  readonly variable: string
  readonly message: string
}

const issuesIn = ({ cause }: Config.ConfigError): ReadonlyArray<Issue> =>
  cause._tag === "SchemaError"
    ? formatIssues(cause.issue).issues.map((issue) => ({
        variable: (issue.path ?? []).map(String).join("_"),
        message: issue.message
      }))
    : []

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

type KeyVariable = "ISSUER_KEYS_FILE" | "SECRET_KEY"

/** With DATABASE_URL keys are never generated: one line for each of these that is missing. */
export const missingKeys = (
  isPresent: (variable: KeyVariable | "SECRET_KEY_FILE" | "DATABASE_URL") => boolean,
  ...needed: ReadonlyArray<KeyVariable>
): ReadonlyArray<string> =>
  needed
    .filter((variable) => isPresent("DATABASE_URL") && !isPresent(variable))
    .filter((variable) => variable !== "SECRET_KEY" || !isPresent("SECRET_KEY_FILE"))
    .map((variable) => `${variable} is missing: with DATABASE_URL the keys come from the environment`)

/** Fails where one of these keys must come from the environment and is missing. */
export const requireKeys = (...needed: ReadonlyArray<KeyVariable>) =>
  Effect.flatMap(Configuration, ({ databaseUrl, issuerKeysFile, secretKey, secretKeyFile }) => {
    const values = {
      DATABASE_URL: databaseUrl,
      ISSUER_KEYS_FILE: issuerKeysFile,
      SECRET_KEY: secretKey,
      SECRET_KEY_FILE: secretKeyFile
    }
    const problems = missingKeys((variable) => Option.isSome<unknown>(values[variable]), ...needed)
    return problems.length === 0 ? Effect.void : Effect.fail(new ConfigurationError({ problems }))
  })

/** The origin of this installation's links. */
export const siteUrlOf = ({ siteUrl, tlsCertFile, host, port }: Configuration["Service"]): string => {
  const scheme = Option.isSome(tlsCertFile) ? "https" : "http"
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host
  return Option.getOrElse(siteUrl, () => `${scheme}://${name}:${port}`).replace(/\/+$/, "")
}
