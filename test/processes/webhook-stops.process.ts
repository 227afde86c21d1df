import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { installationOn } from "../support/installation.ts"
import { freePort, serveInProcess } from "../support/server.ts"
import { freshService, siteUrl } from "../support/service.ts"
import { stops, stopWebhooks } from "./webhook-stops.ts"

it.live(
  "Once a pause, a revocation or a rotation is acknowledged, no attempt of the webhook begins as before.",
  () =>
    Effect.gen(function* () {
      const { connection, environment } = yield* installationOn(yield* freshService)
      const port = yield* freePort
      const origin = `http://127.0.0.1:${port}`
      const outcomes = yield* stopWebhooks({ connection, origin, rounds: 2 * stops.length, seed: 1 }).pipe(
        Effect.provide(serveInProcess({ ...environment, SITE_URL: siteUrl }, Effect.succeed(port)))
      )
      assert.deepStrictEqual(
        outcomes.flatMap(({ violations }) => violations),
        []
      )
      // Without sends in flight, a round proves nothing.
      for (const { inFlight } of outcomes) assert.isAbove(inFlight, 0)
    }).pipe(Effect.scoped),
  180_000
)
