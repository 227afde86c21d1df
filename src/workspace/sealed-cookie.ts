/** What a browser keeps for a page, sealed in a cookie and never in an address; dead after its lifetime. */
import { Effect, Option, Schema } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { readCookie, setCookie, type CookieName } from "../http/cookies.ts"
import { Secrets } from "../ports/secrets.ts"
import { addMilliseconds, Instant, now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"

// Sealed for forms, so that it can never pass for the sealed text of a sign-in.
const purpose = "FORM"

/** A cookie that holds one value of this form; two cookies of different forms never pass for each other. */
export const sealedCookie = <A>(
  name: CookieName,
  form: Schema.Codec<A, Schema.Json>,
  lifetime: number = limits.sealedCookieLifetime
) => {
  const Sealed = Schema.fromJsonString(Schema.Struct({ kept: form, keptAt: Instant }))
  const decode = Schema.decodeUnknownOption(Sealed)
  const encode = Schema.encodeSync(Sealed)
  return {
    keep: Effect.fnUntraced(function* (response: HttpServerResponse.HttpServerResponse, kept: A) {
      const secrets = yield* Secrets
      const text = encode({ kept, keptAt: yield* currentTime })
      return setCookie(name, yield* secrets.seal(purpose, text), lifetime)(response)
    }),
    /** Undefined where there is none, or it is too old or not ours. */
    read: Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const secrets = yield* Secrets
      const sealed = readCookie(request, name)
      const text = sealed === undefined ? undefined : secrets.open(purpose, sealed)
      const found = text === undefined ? Option.none() : decode(text)
      const now = yield* currentTime
      return Option.getOrUndefined(
        found.pipe(
          Option.filter(({ keptAt }) => now < addMilliseconds(keptAt, lifetime)),
          Option.map(({ kept }) => kept)
        )
      )
    })
  }
}
