/** One sign-in on its way through the provider: sealed in a cookie of this browser, and dead after ten minutes. */
import { Effect, Option, Schema } from "effect"
import { Secrets } from "../../ports/secrets.ts"
import type { SignInAttempt } from "../../ports/sign-in.ts"
import { idSeed } from "../../vocabulary/ids.ts"
import { addMilliseconds, Instant, now as currentTime } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { home } from "../local-path.ts"

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

/** A new attempt, and the text that the cookie keeps of it. */
export const beginAttempt = Effect.fnUntraced(function* (returnTo: string, freshly: boolean) {
  const secrets = yield* Secrets
  const ids = (yield* idSeed)("plan")
  const attempt: SignInAttempt = { state: ids.secret(), nonce: ids.secret(), codeVerifier: ids.secret(), freshly }
  const startedAt = yield* currentTime
  const path = returnTo.length > pathCharacters ? home : returnTo
  const text = Schema.encodeSync(Sealed)({ ...attempt, returnTo: path, startedAt })
  return { attempt, sealed: yield* secrets.seal("SIGN_IN", text) }
})

/** What a cookie keeps, where it was sealed here and not too long ago. */
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

/** A cookie holds no more, once its text is sealed. */
const pathCharacters = 1000
