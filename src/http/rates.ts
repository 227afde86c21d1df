/** Rates per credential and per address: configuration, off unless an operator sets them. */
import { Context, Duration, Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import { RateLimiter } from "effect/persistence"
import { sha256Hex } from "../canonical/digest.ts"
import { readCookie } from "./cookies.ts"
import { networkOf } from "../vocabulary/address.ts"
import { refusal, type Refused } from "../vocabulary/refusals.ts"

export interface RateOptions {
  /** Requests a minute; no limit where absent. */
  readonly perCredential?: number
  readonly perAddress?: number
}

export interface RateRules {
  check(request: HttpServerRequest.HttpServerRequest, address: string | undefined): Effect.Effect<Refused | undefined>
}

export const Rates = Context.Reference<RateRules>("countersign/http/Rates", {
  defaultValue: () => ({ check: () => Effect.undefined })
})

const window = Duration.minutes(1)
const tooMany = {
  detail: "More requests in a minute than this installation allows; this one had no effect.",
  retryAfter: Duration.toSeconds(window)
}

/** Counts in this process; with several processes each has its own count. */
export const ratesLayer = (options: RateOptions) =>
  Layer.effect(
    Rates,
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
            return passes ? undefined : refusal("TEMPORARILY_UNAVAILABLE", tooMany)
          })
      }
    })
  ).pipe(Layer.provide(RateLimiter.layer), Layer.provide(RateLimiter.layerStoreMemory))
