/** The code that a person typed, sealed in a cookie until they answer: they compare it once more before they approve. */
import { Effect, Option, Schema } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { readUserCode } from "../../access/connection.ts"
import { readCookie, setCookie } from "../../http/cookies.ts"
import { Secrets } from "../../ports/secrets.ts"
import { addMilliseconds, Instant, now as currentTime } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"

// Sealed for forms, so that it can never pass for the sealed text of a sign-in.
const purpose = "FORM"

const Sealed = Schema.fromJsonString(
  Schema.Struct({ typedCode: Schema.String, connectionId: Schema.String, keptAt: Instant })
)

export const keepTypedCode = (response: HttpServerResponse.HttpServerResponse, typed: string, connectionId: string) =>
  Effect.gen(function* () {
    const typedCode = readUserCode(typed)
    if (typedCode === undefined) return response
    const secrets = yield* Secrets
    const text = Schema.encodeSync(Sealed)({ typedCode, connectionId, keptAt: yield* currentTime })
    return setCookie("userCode", yield* secrets.seal(purpose, text))(response)
  })

/** The code that led this browser to the connection; undefined where another was typed since, or too long ago. */
export const typedCodeOf = Effect.fnUntraced(function* (connectionId: string) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const secrets = yield* Secrets
  const sealed = readCookie(request, "userCode")
  const text = sealed === undefined ? undefined : secrets.open(purpose, sealed)
  const found = text === undefined ? Option.none() : Schema.decodeUnknownOption(Sealed)(text)
  const now = yield* currentTime
  return Option.getOrUndefined(
    found.pipe(
      Option.filter(({ keptAt }) => now < addMilliseconds(keptAt, limits.sealedCookieLifetime)),
      Option.filter((kept) => kept.connectionId === connectionId),
      Option.map(({ typedCode }) => typedCode)
    )
  )
})
