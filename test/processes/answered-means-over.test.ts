import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { installationOn, type TestInstallation } from "../support/installation.ts"
import { serveBeside, serveHere } from "../support/server.ts"
import { freshService } from "../support/service.ts"
import { answeredMeansOver, endings } from "./answered-means-over.ts"

const clients = 16
// Different pauses before the ending; `npm run soak` has hundreds.
const rounds = 3
const places = { "another process": serveBeside, "the server's own process": serveHere }

class Installed extends Context.Service<Installed, TestInstallation>()("test/Installed") {}

for (const [place, serve] of Object.entries(places)) {
  // One server for all endings: each round works with parties and projects of its own.
  const served = Layer.unwrap(
    Effect.map(Effect.flatMap(freshService, installationOn), (installation) =>
      Layer.merge(serve(installation.environment), Layer.succeed(Installed, installation))
    )
  )
  layer(served, { excludeTestServices: true })(`from ${place}, with 16 clients writing`, (it) => {
    for (const ending of endings) {
      it.effect(
        `nothing commits after the answer to a ${ending}`,
        () =>
          Effect.gen(function* () {
            const installation = yield* Installed
            const outcome = yield* answeredMeansOver(installation, ending, { clients, rounds })
            assert.deepStrictEqual(outcome.violations, [])
            assert.isAtLeast(outcome.commands, (rounds * clients) / 4)
            assert.isAtLeast(outcome.refused, rounds * clients)
          }),
        180_000
      )
    }
  })
}
