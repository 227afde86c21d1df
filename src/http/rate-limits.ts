/** Rate limits per credential and per address: off unless configured. */
import { Context, Duration, Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import { RateLimiter } from "effect/persistence"
import { sha256Hex } from "../canonical/digest.ts"
import { readCookie } from "./cookies.ts"
import { networkOf } from "../vocabulary/address.ts"
import { refusal, type Refusal } from "../vocabulary/refusals.ts"

export interface RateLimitOptions {
  /** Requests per minute; unlimited where absent. */
  readonly perCredential?: number
  readonly perAddress?: number
}

export interface RateLimitRules {
  check(request: HttpServerRequest.HttpServerRequest, address: string | undefined): Effect.Effect<Refusal | undefined>
}

export const RateLimits = Context.Reference<RateLimitRules>("countersign/http/RateLimits", {
  defaultValue: () => ({ check: () => Effect.undefined })
})

const window = Duration.minutes(1)
const rateLimitReached = {
  detail: "The rate limit of this installation is reached and this request had no effect; wait a minute.",
  retryAfter: Duration.toSeconds(window)
}

/** Counts in this process; several processes count separately. */
export const rateLimitsLayer = (options: RateLimitOptions) =>
  Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const limiter = yield* RateLimiter.RateLimiter
      const isWithin = (kind: string, name: string | undefined, limit: number | undefined) =>
        name === undefined || limit === undefined
          ? Effect.succeed(true)
          : limiter
              .consume({ algorithm: "fixed-window", onExceeded: "fail", window, limit, key: `${kind}:${name}` })
              .pipe(
                Effect.as(true),
                Effect.orElseSucceed(() => false)
              )
      return {
        check: (request, address) =>
          Effect.gen(function* () {
            const secret = request.headers["authorization"] ?? readCookie(request, "session")
            const credential = secret === undefined ? undefined : sha256Hex(secret)
            const passes =
              (yield* isWithin(
                "address",
                address === undefined ? undefined : networkOf(address),
                options.perAddress
              )) && (yield* isWithin("credential", credential, options.perCredential))
            return passes ? undefined : refusal("TEMPORARILY_UNAVAILABLE", rateLimitReached)
          })
      }
    })
  ).pipe(Layer.provide(RateLimiter.layer), Layer.provide(RateLimiter.layerStoreMemory))
