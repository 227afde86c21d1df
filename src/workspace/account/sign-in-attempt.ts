/** The state of one OpenID Connect sign-in, sealed in a cookie of the browser for ten minutes. */
import { Effect, Option, Schema } from "effect"
import { Secrets } from "../../ports/secrets.ts"
import type { SignInAttempt } from "../../ports/sign-in.ts"
import { idSeed } from "../../vocabulary/ids.ts"
import { addMilliseconds, Instant, now as currentTime } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { home } from "../kit/local-path.ts"

const Sealed = Schema.fromJsonString(
  Schema.Struct({
    state: Schema.String,
    nonce: Schema.String,
    codeVerifier: Schema.String,
    freshly: Schema.Boolean,
    returnTo: Schema.String,
    startedAt: Instant
  })
)

/** Creates an attempt, and its sealed cookie value. */
export const beginAttempt = Effect.fnUntraced(function* (returnTo: string, freshly: boolean) {
  const secrets = yield* Secrets
  const ids = (yield* idSeed)("plan")
  const attempt: SignInAttempt = { state: ids.secret(), nonce: ids.secret(), codeVerifier: ids.secret(), freshly }
  const startedAt = yield* currentTime
  const path = returnTo.length > pathCharacters ? home : returnTo
  const text = Schema.encodeSync(Sealed)({ ...attempt, returnTo: path, startedAt })
  return { attempt, sealed: yield* secrets.seal("SIGN_IN", text) }
})

/** The attempt of a cookie; undefined where it is not authentic or expired. */
export const openAttempt = Effect.fnUntraced(function* (sealed: string | undefined) {
  const secrets = yield* Secrets
  const text = sealed === undefined ? undefined : secrets.open("SIGN_IN", sealed)
  const found = text === undefined ? Option.none() : Schema.decodeUnknownOption(Sealed)(text)
  const now = yield* currentTime
  return Option.getOrUndefined(
    found.pipe(
      Option.filter(({ startedAt }) => now < addMilliseconds(startedAt, limits.sealedCookieLifetime)),
      Option.map(({ returnTo, state, nonce, codeVerifier, freshly }) => {
        const attempt: SignInAttempt = { state, nonce, codeVerifier, freshly }
        return { attempt, returnTo }
      })
    )
  )
})

/** The maximum that fits into a cookie once sealed. */
const pathCharacters = 1000
