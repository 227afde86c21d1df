/** Encrypted cookies: values that a page keeps in the browser for a limited time, never in a URL. */
import { Effect, Option, Schema } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { readCookie, setCookie, type CookieName } from "../../http/cookies.ts"
import { Secrets, type SecretPurpose } from "../../ports/secrets.ts"
import { addMilliseconds, Instant, now as currentTime } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"

interface SealedCookieOptions {
  readonly lifetime?: number
  /** Values of one purpose are never accepted for another. */
  readonly purpose?: SecretPurpose
}

/** A cookie with one value of this schema; values of different schemas are never accepted for each other. */
export const sealedCookie = <A>(
  name: CookieName,
  form: Schema.Codec<A, Schema.Json>,
  { lifetime = limits.sealedCookieLifetime, purpose = "FORM" }: SealedCookieOptions = {}
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
    /** Undefined where the cookie is absent, expired or not authentic. */
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
