/** Whether this process lives, and whether it can serve. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Signer, type IssuerKeys } from "../ports/signer.ts"
import { Storage } from "../ports/storage.ts"
import { now, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"

const healthz = HttpRouter.add("GET", "/healthz", HttpServerResponse.jsonUnsafe({ status: "alive" }))

/** Ready: the wanted schema, a writable database, a key for events, and clocks within a second. */
const readyz = HttpRouter.add(
  "GET",
  "/readyz",
  Effect.gen(function* () {
    const storage = yield* Storage
    const { keys } = yield* Signer
    const instant = yield* now
    const health = yield* Effect.catchCause(storage.health, () => Effect.undefined)
    const checks = {
      database: health?.writable === true,
      schema: health !== undefined && health.schema.found === health.schema.wanted,
      clock: health !== undefined && Math.abs(health.clockOffset) <= limits.clockOffset,
      keys: keys.keys.some((key) => key.purposes.includes("EVENT") && isInForce(key, instant))
    }
    const isReady = Object.values(checks).every(Boolean)
    return HttpServerResponse.jsonUnsafe(
      { status: isReady ? "ready" : "not ready", checks },
      { status: isReady ? 200 : 503 }
    )
  })
)

const isInForce = ({ validFrom, validUntil, revokedAt }: IssuerKeys["keys"][number], instant: Instant): boolean =>
  validFrom <= instant && instant < validUntil && (revokedAt === null || instant < revokedAt)

export const health = Layer.mergeAll(healthz, readyz)
