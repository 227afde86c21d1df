/** How a person proves who they are. A person is `(issuer, subject)`, never an e-mail address. */
import { Context, type Effect } from "effect"
import type { Instant } from "../vocabulary/instant.ts"
import type { Refused } from "../vocabulary/refusals.ts"

/** When a person last proved who they are where the issuer does not say. */
export const longAgo = "1970-01-01T00:00:00.000Z" as Instant

/** Why a sign-in failed that had to be new: the detail of its SIGN_IN_FAILED. */
export const unprovenSignIn = "The provider did not say that you signed in anew."

export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** How the issuer names the person: untrusted text. */
  readonly name: string
  /** Where the issuer knows that the person gets their mail; null where it vouches for none. */
  readonly email: string | null
  /** When the person last proved it: `longAgo` where the issuer does not say, never in the future. */
  readonly authenticatedAt: Instant
}

/** What one sign-in is bound to: kept by the browser in a sealed cookie, never in an address. */
export interface SignInAttempt {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  /** True where the person must prove it anew, however recently they did. */
  readonly freshly: boolean
}

/** OpenID Connect: authorization code with PKCE. */
export interface OpenIdConnect {
  readonly kind: "OPENID_CONNECT"
  /** The address at the provider that the browser goes to. 503 where the provider cannot be reached. */
  begin(attempt: SignInAttempt): Effect.Effect<string, Refused>
  /** Opens the provider's answer, given as the query of the callback; SIGN_IN_FAILED where anything of it is not in order, with `unprovenSignIn` where that is its time alone. */
  complete(attempt: SignInAttempt, query: string): Effect.Effect<Identity, Refused>
}

/** The local directory of the embedded default. */
export interface Directory {
  readonly kind: "DIRECTORY"
  /** SIGN_IN_FAILED for an unknown name as for a wrong password, in the same time. */
  check(name: string, password: string): Effect.Effect<Identity, Refused>
}

/** Neither is configured: people cannot sign in. */
export interface NoSignIn {
  readonly kind: "NONE"
}

export class SignIn extends Context.Service<SignIn, OpenIdConnect | Directory | NoSignIn>()(
  "countersign/ports/SignIn"
) {}
