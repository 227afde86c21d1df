/**
 * 1,000 rounds of stops of webhooks against a hundred sends in flight, half of them through a server in another process.
 * Two arguments replace the number of rounds and the seed.
 */
import { Console, Effect, Layer } from "effect"
import { percentile, sum } from "../bench/measure.ts"
import { startServerWithoutWorkers } from "../processes/webhook-processes.ts"
import { stops, stopWebhooks, type StopOutcome } from "../processes/webhook-stops.ts"
import { installationOn, operator, type Environment } from "../support/installation.ts"
import { freePort, overSockets, serveInProcess } from "../support/server.ts"
import { siteUrl } from "../support/service.ts"
import { temporaryDatabase } from "./database.ts"

/** A server at an origin, and the ports of a worker in this process. */
const places = {
  "another process": (environment: Environment) =>
    Effect.map(startServerWithoutWorkers(environment), ({ origin }) => ({
      origin,
      served: Layer.merge(overSockets(origin), operator(environment))
    })),
  "the worker's own process": (environment: Environment) =>
    Effect.map(freePort, (port) => ({
      origin: `http://127.0.0.1:${port}`,
      served: serveInProcess(environment, Effect.succeed(port))
    }))
}

export const webhookStops = Effect.gen(function* () {
  const [rounds = 1_000, seed = 1] = process.argv.slice(3).map(Number)
  const wrong: Array<string> = []
  for (const [place, serve] of Object.entries(places)) {
    const { connection, environment } = yield* installationOn(yield* temporaryDatabase)
    const { origin, served } = yield* serve({ ...environment, SITE_URL: siteUrl })
    const outcomes = yield* stopWebhooks({ connection, origin, rounds: Math.ceil(rounds / 2), seed }).pipe(
      Effect.scoped,
      Effect.provide(served)
    )
    yield* Console.log(`${outcomes.length} rounds, stopped through a server in ${place}; seed ${seed}`)
    for (const stop of stops) {
      const ofStop = outcomes.filter((outcome) => outcome.stop === stop)
      yield* Console.log(`  ${ofStop.length} ${stop}: ${textOf(ofStop)}`)
    }
    const found = outcomes.flatMap(({ violations }, number) => violations.map((one) => `round ${number + 1}, ${one}`))
    wrong.push(...found.map((violation) => `through ${place}, ${violation}`))
  }
  return wrong
})

const textOf = (outcomes: ReadonlyArray<StopOutcome>): string => {
  const valuesOf = (value: (outcome: StopOutcome) => number) => outcomes.map(value)
  const inFlight = percentile(
    valuesOf((outcome) => outcome.inFlight),
    0.5
  )
  const before = sum(valuesOf((outcome) => outcome.before))
  const closest = Math.min(...valuesOf((outcome) => outcome.closest))
  const [p50, p99] = [0.5, 0.99].map((part) =>
    percentile(
      valuesOf(({ milliseconds }) => milliseconds),
      part
    ).toFixed(1)
  )
  return (
    `${inFlight} sends in flight (median); of the stopped ones ${before} first bytes before the acknowledgement,` +
    ` the last one ${closest.toFixed(1)} ms before it; acknowledged after ${p50} ms (median), ${p99} ms (p99)`
  )
}
