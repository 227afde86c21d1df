/** Checks the sign-in provider, the mail server and the payment provider, which `serve` contacts only when it needs them. */
import { Data, Effect, Option, Redacted } from "effect"
import { siteUrlOf, type Settings } from "../configuration.ts"
import { smtpReason, transportTo } from "../mail.ts"
import { paymentSettingsOf } from "../payment-settings.ts"
import { reasonOf } from "../sign-in/failure.ts"
import { discover } from "../sign-in/openid-connect.ts"
import { smtpServerFrom } from "../smtp-url.ts"
import { findingOf, skipped, type Finding } from "./finding.ts"

class ExternalServerError extends Data.TaggedError("ExternalServerError")<{ readonly message: string }> {}

export const externalServerFindings = (settings: Settings): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.all([providerFinding(settings), mailFinding(settings), paymentsFinding(settings)], {
    concurrency: "unbounded"
  })

const providerFinding = ({ configuration }: Settings): Effect.Effect<Finding> => {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = configuration
  if (Option.isNone(issuer) || Option.isNone(clientId)) {
    return Effect.succeed(skipped("OIDC_ISSUER: no provider of sign-ins to ask"))
  }
  const provider = { issuer: issuer.value, clientId: clientId.value, clientSecret, siteUrl: siteUrlOf(configuration) }
  const contact = Effect.tryPromise({
    try: () => discover(provider),
    catch: (cause) =>
      new ExternalServerError({ message: `its metadata cannot be read (${reasonOf(cause)}): people could not sign in` })
  })
  return findingOf(contact, { variable: "OIDC_ISSUER", onSuccess: () => `${issuer.value} answers with its metadata` })
}

const mailFinding = ({ configuration: { smtpUrl } }: Settings): Effect.Effect<Finding> => {
  const server = Option.isSome(smtpUrl) ? smtpServerFrom(Redacted.value(smtpUrl.value)) : undefined
  if (server === undefined) return Effect.succeed(skipped("SMTP_URL: no mail server to ask"))
  const transport = transportTo(server)
  const contact = Effect.tryPromise({
    try: () => transport.verify(),
    catch: (cause) =>
      new ExternalServerError({
        message: `the server cannot be used (${smtpReason(cause)}): no notification would go out`
      })
  }).pipe(Effect.ensuring(Effect.sync(() => transport.close())))
  return findingOf(contact, {
    variable: "SMTP_URL",
    onSuccess: () => "the server takes the connection and the credentials"
  })
}

const paymentsFinding = ({ configuration }: Settings): Effect.Effect<Finding> => {
  const settings = paymentSettingsOf(configuration)
  if (settings === undefined) return Effect.succeed(skipped("STRIPE_SECRET_KEY: no payment provider to ask"))
  const contact = Effect.promise(() => import("../stripe/layer.ts")).pipe(
    Effect.flatMap(({ checkKey }) => checkKey(settings)),
    Effect.mapError(({ _tag, reason }) => {
      const problem = _tag === "ProviderRefused" ? "Stripe refuses the key" : "Stripe does not answer"
      return new ExternalServerError({ message: `${problem} (${reason}): no result could be paid` })
    })
  )
  return findingOf(contact, {
    variable: "STRIPE_SECRET_KEY",
    onSuccess: () => `Stripe takes the key, which is one of its ${settings.environment} mode`
  })
}
