/** Authentication of people. A person is `(issuer, subject)`, never an e-mail address. */
import { Context, type Effect } from "effect"
import type { Instant } from "../vocabulary/instant.ts"
import type { Refusal } from "../vocabulary/refusals.ts"

/** The time of a sign-in whose issuer does not report it. */
export const unknownSignInTime = "1970-01-01T00:00:00.000Z" as Instant

/** The detail of SIGN_IN_FAILED where a fresh sign-in was required and not proven. */
export const unconfirmedSignIn = "The provider did not confirm a new sign-in; sign in again with your credentials."

export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** The issuer's name for the person: untrusted text. */
  readonly name: string
  /** The e-mail address that the issuer has verified; null where there is none. */
  readonly email: string | null
  /** When the person last authenticated: `longAgo` where the issuer does not report it, never in the future. */
  readonly authenticatedAt: Instant
}

/** The values that bind one sign-in to its browser: kept in a sealed cookie, never in an address. */
export interface SignInAttempt {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  /** True where a new authentication is required, however recent the last one is. */
  readonly freshly: boolean
}

/** OpenID Connect: authorization code with PKCE. */
export interface OpenIdConnect {
  readonly kind: "OPENID_CONNECT"
  /** The address at the provider to redirect the browser to. 503 where the provider cannot be reached. */
  begin(attempt: SignInAttempt): Effect.Effect<string, Refusal>
  /** Verifies the provider's answer, given as the query of the callback. SIGN_IN_FAILED where it is invalid, with its own detail where only its time is. */
  complete(attempt: SignInAttempt, query: string): Effect.Effect<Identity, Refusal>
}

/** The local directory of the embedded default. */
export interface Directory {
  readonly kind: "DIRECTORY"
  /** SIGN_IN_FAILED for an unknown name as for a wrong password, in the same time. */
  check(name: string, password: string): Effect.Effect<Identity, Refusal>
}

/** No provider is configured: people cannot sign in. */
export interface NoSignIn {
  readonly kind: "NONE"
}

export class SignIn extends Context.Service<SignIn, OpenIdConnect | Directory | NoSignIn>()(
  "countersign/ports/SignIn"
) {}
