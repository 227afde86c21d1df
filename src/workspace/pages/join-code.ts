/** The code of an invitation while its person signs in and reads the terms: sealed in a cookie, never in an address. */
import { Effect, Option, Schema } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { readCookie, setCookie } from "../../http/cookies.ts"
import { Secrets } from "../../ports/secrets.ts"
import { addMilliseconds, Instant, now as currentTime } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { isToken } from "../../vocabulary/token.ts"

// Sealed for forms, so that it can never pass for the sealed text of a sign-in.
const purpose = "FORM"

const Sealed = Schema.fromJsonString(Schema.Struct({ invitationCode: Schema.String, keptAt: Instant }))

export const keepCode = (response: HttpServerResponse.HttpServerResponse, invitationCode: string) =>
  Effect.gen(function* () {
    const secrets = yield* Secrets
    const text = Schema.encodeSync(Sealed)({ invitationCode, keptAt: yield* currentTime })
    return setCookie("invitation", yield* secrets.seal(purpose, text))(response)
  })

/** The code that this browser keeps; undefined where there is none, or it is too old or not ours. */
export const keptCode = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const secrets = yield* Secrets
  const sealed = readCookie(request, "invitation")
  const text = sealed === undefined ? undefined : secrets.open(purpose, sealed)
  const found = text === undefined ? Option.none() : Schema.decodeUnknownOption(Sealed)(text)
  const now = yield* currentTime
  return Option.getOrUndefined(
    found.pipe(
      Option.filter(({ keptAt }) => now < addMilliseconds(keptAt, limits.sealedCookieLifetime)),
      Option.map(({ invitationCode }) => invitationCode),
      Option.filter(isInvitationCode)
    )
  )
})

export const isInvitationCode = (text: string): boolean => isToken("invitation", text)
