import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { installationOn } from "../support/installation.ts"
import { serveBeside, serveHere } from "../support/server.ts"
import { freshService } from "../support/service.ts"
import { answeredMeansOver, endings } from "./answered-means-over.ts"

const clients = 16
const rounds = 6
const places = { "another process": serveBeside, "the server's own process": serveHere }

for (const ending of endings) {
  for (const [place, serve] of Object.entries(places)) {
    it.live(
      `with 16 clients writing, nothing commits after the answer to a ${ending} in ${place}`,
      () =>
        Effect.scoped(
          Effect.gen(function* () {
            const installation = yield* installationOn(yield* freshService)
            const { commands, refused, violations } = yield* answeredMeansOver(installation, ending, {
              clients,
              rounds
            }).pipe(Effect.provide(serve(installation.environment)))
            assert.deepStrictEqual(violations, [])
            assert.isAtLeast(commands, (rounds * clients) / 4)
            assert.isAtLeast(refused, rounds * clients)
          })
        ),
      180_000
    )
  }
}
