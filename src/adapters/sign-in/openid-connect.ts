/** Sign-in at an OpenID Connect provider: authorization code with PKCE, state and nonce, through openid-client. */
import { Clock, Effect, Option, Redacted } from "effect"
import * as client from "openid-client"
import { longAgo, unprovenSignIn, type Identity, type OpenIdConnect, type SignInAttempt } from "../../ports/sign-in.ts"
import { addMilliseconds, fromMilliseconds, now } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { mailAddressFrom } from "../../vocabulary/mail-address.ts"
import { refusal, refuse, type Refused } from "../../vocabulary/refusals.ts"
import { isProvidersFault, reasonOf } from "./failure.ts"

export interface Provider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Option.Option<Redacted.Redacted>
  /** The origin of this installation. */
  readonly siteUrl: string
}

/** Nothing is asked of the provider before the first person signs in: it may start later than this process. */
export const openIdConnect = (provider: Provider): OpenIdConnect => {
  const redirectUri = new URL(`${provider.siteUrl}/workspace/sign-in/callback`)
  let known: client.Configuration | undefined
  const discovered = Effect.suspend(() =>
    known === undefined ? asked("discovery", async () => (known = await discover(provider))) : Effect.succeed(known)
  )
  return {
    kind: "OPENID_CONNECT",
    begin: Effect.fn("signIn.begin")(function* (attempt) {
      const configuration = yield* discovered
      return yield* asked("authorization", async () => {
        const challenge = await client.calculatePKCECodeChallenge(attempt.codeVerifier)
        return client.buildAuthorizationUrl(configuration, request(attempt, challenge, redirectUri.href)).href
      })
    }),
    complete: Effect.fn("signIn.complete")(function* (attempt, query) {
      const configuration = yield* discovered
      const answer = new URL(redirectUri)
      answer.search = query
      const tokens = yield* asked("callback", () =>
        client.authorizationCodeGrant(configuration, answer, {
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          pkceCodeVerifier: attempt.codeVerifier
        })
      )
      const identity = yield* identityFrom(tokens.claims())
      // Told apart from what the library refuses: to start again would end in the same place.
      const isProven = (yield* now) < addMilliseconds(identity.authenticatedAt, limits.recentSignIn)
      if (attempt.freshly && !isProven) return yield* refuse("SIGN_IN_FAILED", { detail: unprovenSignIn })
      return identity
    })
  }
}

const timeout = limits.signInProvider / 1000

/** Asks the provider for its metadata. */
export const discover = ({ issuer, clientId, clientSecret }: Provider): Promise<client.Configuration> => {
  const server = new URL(issuer)
  const authentication = Option.isSome(clientSecret)
    ? client.ClientSecretBasic(Redacted.value(clientSecret.value))
    : client.None()
  // The code flow may trust the connection instead of the signature; we check both.
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
  // Whoever is asked for an age must say when the person proved it.
  max_age: attempt.freshly ? "0" : String(limits.sessionLifetime / 1000),
  ...(attempt.freshly ? { prompt: "login" } : {})
})

/** What the library fails with holds codes and answers: only a word of it is logged, and nothing is passed on. */
const asked = <A>(step: string, ask: () => Promise<A>): Effect.Effect<A, Refused> =>
  Effect.tryPromise({ try: ask, catch: (cause) => ({ cause }) }).pipe(
    Effect.catch(({ cause }) => {
      if (step === "callback" && !isProvidersFault(cause)) return Effect.fail(refusal("SIGN_IN_FAILED"))
      return Effect.logWarning("sign-in provider failed").pipe(
        Effect.annotateLogs({ step, reason: reasonOf(cause) }),
        Effect.andThen(Effect.fail(refusal("TEMPORARILY_UNAVAILABLE")))
      )
    })
  )

const identityFrom = Effect.fnUntraced(function* (
  claims: client.IDToken | undefined
): Effect.fn.Return<Identity, Refused> {
  if (claims === undefined || !isSubject(claims.sub)) return yield* Effect.fail(refusal("SIGN_IN_FAILED"))
  const time = yield* Clock.currentTimeMillis
  const proven = claims.auth_time
  return {
    issuer: claims.iss,
    subject: claims.sub,
    name: nameFrom([claims["name"], claims["preferred_username"]]) ?? claims.sub,
    // A claim that nobody verified may be somebody else's address.
    email: claims["email_verified"] === true ? mailAddressFrom(claims["email"]) : null,
    // A session at the provider may be old, and consent needs a recent proof.
    authenticatedAt: proven === undefined ? longAgo : fromMilliseconds(Math.min(proven * 1000, time))
  }
})

/** OpenID Connect Core, section 2: at most 255 ASCII characters. */
const isSubject = (subject: string): boolean => /^[\x21-\x7e]{1,255}$/.test(subject)

/** The first claim that is a text with something in it, whole characters only. */
const nameFrom = (claims: ReadonlyArray<unknown>): string | undefined =>
  claims
    .filter((claim) => typeof claim === "string")
    .map((claim) => cut(claim.replaceAll("\0", "").toWellFormed().trim()))
    .find((name) => name !== "")

const cut = (text: string): string => {
  const start = text.slice(0, limits.titleCharacters)
  return start.isWellFormed() ? start : start.slice(0, -1)
}
