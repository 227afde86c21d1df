/** The state of one OpenID Connect sign-in, sealed in a cookie of the browser for ten minutes. */
import { Effect, Schema } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { SignInAttempt } from "../../ports/sign-in.ts"
import { idSeed } from "../../vocabulary/ids.ts"
import { home } from "../kit/local-path.ts"
import { sealedCookie } from "../kit/sealed-cookie.ts"

const Attempt = Schema.Struct({
  state: Schema.String,
  nonce: Schema.String,
  codeVerifier: Schema.String,
  freshly: Schema.Boolean,
  returnTo: Schema.String
})

const cookie = sealedCookie("signIn", Attempt, { purpose: "SIGN_IN" })

export const newAttempt = (freshly: boolean) =>
  Effect.map(idSeed, (seed): SignInAttempt => {
    const ids = seed("plan")
    return { state: ids.secret(), nonce: ids.secret(), codeVerifier: ids.secret(), freshly }
  })

export const keepAttempt = (
  response: HttpServerResponse.HttpServerResponse,
  attempt: SignInAttempt,
  returnTo: string
) => cookie.keep(response, { ...attempt, returnTo: returnTo.length > pathCharacters ? home : returnTo })

/** The attempt of this browser; undefined where the cookie is absent, expired or not authentic. */
export const storedAttempt = cookie.read

/** The maximum that fits into a cookie once sealed. */
const pathCharacters = 1000
