/** Liveness and readiness of this process. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { certificateWarnings, keyWarnings } from "../ports/key-expiry.ts"
import { missingPurposes, Signer } from "../ports/signer.ts"
import { TlsCertificate } from "../ports/tls-certificate.ts"
import { ShutdownRequest } from "../ports/shutdown-request.ts"
import { Storage } from "../ports/storage.ts"
import { now } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { Load } from "./load.ts"

const healthz = HttpRouter.add("GET", "/healthz", HttpServerResponse.jsonUnsafe({ status: "alive" }))

/**
 * Ready: no stop requested, a schema that this program works with, a writable database, a synchronous standby if one is
 * required, the keys that commits need, clocks within a second, and capacity. A key that ends soon is a warning, and so is
 * a replica that serves no reads.
 */
const readyz = HttpRouter.add(
  "GET",
  "/readyz",
  Effect.gen(function* () {
    const { isStopping } = yield* ShutdownRequest
    if (isStopping()) return HttpServerResponse.jsonUnsafe({ status: "stopping" }, { status: 503 })
    const storage = yield* Storage
    const { keys } = yield* Signer
    const load = yield* Load
    const instant = yield* now
    const health = yield* Effect.catchCause(storage.health, () => Effect.undefined)
    const warnings = [
      ...keyWarnings(keys, instant),
      ...certificateWarnings((yield* TlsCertificate).endsAt(), instant),
      ...(health?.replicaProblem === undefined ? [] : [health.replicaProblem])
    ]
    const checks = {
      database: health?.writable === true,
      schema: health?.schemaFits === true,
      replication: health?.replicated === true,
      clock: health !== undefined && Math.abs(health.clockOffset) <= limits.clockOffset,
      keys: missingPurposes(keys, instant).length === 0,
      capacity: !load.isOverloaded()
    }
    const isReady = Object.values(checks).every(Boolean)
    return HttpServerResponse.jsonUnsafe(
      { status: isReady ? "ready" : "not ready", checks, warnings },
      { status: isReady ? 200 : 503 }
    )
  })
)

export const health = Layer.mergeAll(healthz, readyz)
