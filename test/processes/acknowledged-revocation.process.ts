import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { installationOn, type TestInstallation } from "../support/installation.ts"
import { serveWithOperator, serveInProcess } from "../support/server.ts"
import { freshService } from "../support/service.ts"
import { checkAcknowledgedRevocation, revocations } from "./acknowledged-revocation.ts"

const clients = 16
// Different pauses before the revocation; `npm run soak` has hundreds.
const rounds = 3
const places = { "another process": serveWithOperator, "the server's own process": serveInProcess }

class Installed extends Context.Service<Installed, TestInstallation>()("test/Installed") {}

for (const [place, serve] of Object.entries(places)) {
  // One server for all cases: each round has its own parties and projects.
  const served = Layer.unwrap(
    Effect.map(Effect.flatMap(freshService, installationOn), (installation) =>
      Layer.merge(serve(installation.environment), Layer.succeed(Installed, installation))
    )
  )
  layer(served, { excludeTestServices: true })(
    `linearizable revocation from ${place}, with 16 concurrent clients`,
    (it) => {
      for (const ending of revocations) {
        it.effect(
          `No command commits after a ${ending} from ${place} is acknowledged.`,
          () =>
            Effect.gen(function* () {
              const installation = yield* Installed
              const outcome = yield* checkAcknowledgedRevocation(installation, ending, { clients, rounds })
              assert.deepStrictEqual(outcome.violations, [])
              assert.isAtLeast(outcome.commands, (rounds * clients) / 4)
              assert.isAtLeast(outcome.refused, rounds * clients)
            }),
          180_000
        )
      }
    }
  )
}
