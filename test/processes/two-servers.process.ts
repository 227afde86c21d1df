import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { installationOn, operator } from "../support/installation.ts"
import { overSockets, startServer } from "../support/server.ts"
import { freshService } from "../support/service.ts"
import { raceTwoServers } from "./two-servers.ts"

it.live(
  "When 16 clients race on two servers, each request has one effect, one request wins each event head, and every chain is intact.",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const installation = yield* installationOn(yield* freshService)
        const { environment } = installation
        const servers = yield* Effect.all([startServer(environment), startServer(environment)], { concurrency: 2 })
        const origins = servers.map(({ origin }) => origin)
        const wrong = yield* raceTwoServers(installation, { clients: 16, heads: 10, creations: 2 }).pipe(
          Effect.provide(Layer.merge(overSockets(...origins), operator(environment)))
        )
        assert.deepStrictEqual(wrong, [])
      })
    ),
  180_000
)
