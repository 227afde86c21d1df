/** Sign-in at an OpenID Connect provider: authorization code with PKCE, state and nonce, through openid-client. */
import { Clock, Effect, Option, Redacted } from "effect"
import * as client from "openid-client"
import {
  unknownSignInTime,
  unconfirmedSignIn,
  type Identity,
  type OpenIdConnect,
  type SignInAttempt
} from "../../ports/sign-in.ts"
import { addMilliseconds, fromMilliseconds, now } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { mailAddressFrom } from "../../vocabulary/mail-address.ts"
import { refusal, refuse, type Refusal } from "../../vocabulary/refusals.ts"
import { isProviderFailure, reasonOf } from "./failure.ts"
import { traced } from "../../vocabulary/traced.ts"

export interface ProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Option.Option<Redacted.Redacted>
  /** The origin of this installation. */
  readonly siteUrl: string
}

/** The provider is contacted at the first sign-in: it may start later than this process. */
export const openIdConnect = (provider: ProviderSettings): OpenIdConnect => {
  const redirectUri = new URL(`${provider.siteUrl}/workspace/sign-in/callback`)
  let cached: client.Configuration | undefined
  const discovered = Effect.suspend(() =>
    cached === undefined
      ? contact("discovery", async () => (cached = await discover(provider)))
      : Effect.succeed(cached)
  )
  return {
    kind: "OPENID_CONNECT",
    begin: traced("signIn.begin")(function* (attempt) {
      const configuration = yield* discovered
      return yield* contact("authorization", async () => {
        const challenge = await client.calculatePKCECodeChallenge(attempt.codeVerifier)
        return client.buildAuthorizationUrl(configuration, request(attempt, challenge, redirectUri.href)).href
      })
    }),
    complete: traced("signIn.complete")(function* (attempt, query) {
      const configuration = yield* discovered
      const answer = new URL(redirectUri)
      answer.search = query
      const tokens = yield* contact("callback", () =>
        client.authorizationCodeGrant(configuration, answer, {
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          pkceCodeVerifier: attempt.codeVerifier
        })
      )
      const identity = yield* identityFrom(tokens.claims())
      // Distinguished from the library's errors: a new attempt would fail the same way.
      const isRecent = (yield* now) < addMilliseconds(identity.authenticatedAt, limits.recentSignIn)
      if (attempt.freshly && !isRecent) return yield* refuse("SIGN_IN_FAILED", { detail: unconfirmedSignIn })
      return identity
    })
  }
}

const timeout = limits.signInProvider / 1000

/** Reads the metadata of the provider. */
export const discover = ({ issuer, clientId, clientSecret }: ProviderSettings): Promise<client.Configuration> => {
  const server = new URL(issuer)
  const authentication = Option.isSome(clientSecret)
    ? client.ClientSecretBasic(Redacted.value(clientSecret.value))
    : client.None()
  // The code flow may rely on the connection instead of the signature; both are checked.
  const execute = [client.enableNonRepudiationChecks]
  if (server.protocol === "http:") execute.push(client.allowInsecureRequests)
  return client.discovery(server, clientId, {}, authentication, { timeout, execute })
}

const request = (attempt: SignInAttempt, challenge: string, redirectUri: string): Record<string, string> => ({
  redirect_uri: redirectUri,
  scope: "openid profile email",
  state: attempt.state,
  nonce: attempt.nonce,
  code_challenge: challenge,
  code_challenge_method: "S256",
  // A provider that receives a max_age must state the time of authentication.
  max_age: attempt.freshly ? "0" : String(limits.sessionLifetime / 1000),
  ...(attempt.freshly ? { prompt: "login" } : {})
})

/** The library's errors contain codes and responses: only one word is logged, and nothing is passed on. */
const contact = <A>(step: string, ask: () => Promise<A>): Effect.Effect<A, Refusal> =>
  Effect.tryPromise({ try: ask, catch: (cause) => ({ cause }) }).pipe(
    Effect.catch(({ cause }): Effect.Effect<never, Refusal> => {
      if (step === "callback" && !isProviderFailure(cause)) return Effect.fail(refusal("SIGN_IN_FAILED"))
      return Effect.logWarning("sign-in provider failed").pipe(
        Effect.annotateLogs({ step, reason: reasonOf(cause) }),
        Effect.andThen(Effect.fail(refusal("TEMPORARILY_UNAVAILABLE")))
      )
    })
  )

const identityFrom = Effect.fnUntraced(function* (
  claims: client.IDToken | undefined
): Effect.fn.Return<Identity, Refusal> {
  if (claims === undefined || !isSubject(claims.sub)) return yield* Effect.fail(refusal("SIGN_IN_FAILED"))
  const time = yield* Clock.currentTimeMillis
  const authenticationTime = claims.auth_time
  return {
    issuer: claims.iss,
    subject: claims.sub,
    name: nameFrom([claims["name"], claims["preferred_username"]]) ?? claims.sub,
    // An unverified address may belong to another person.
    email: claims["email_verified"] === true ? mailAddressFrom(claims["email"]) : null,
    // A session at the provider may be old, and a consent needs a recent sign-in.
    authenticatedAt:
      authenticationTime === undefined ? unknownSignInTime : fromMilliseconds(Math.min(authenticationTime * 1000, time))
  }
})

/** OpenID Connect Core, section 2: at most 255 ASCII characters. */
const isSubject = (subject: string): boolean => /^[\x21-\x7e]{1,255}$/.test(subject)

/** The first claim that is a non-empty text, whole characters only. */
const nameFrom = (claims: ReadonlyArray<unknown>): string | undefined =>
  claims
    .filter((claim) => typeof claim === "string")
    .map((claim) => cut(claim.replaceAll("\0", "").toWellFormed().trim()))
    .find((name) => name !== "")

const cut = (text: string): string => {
  const start = text.slice(0, limits.titleCharacters)
  return start.isWellFormed() ? start : start.slice(0, -1)
}
