/** 200 rounds of each revocation with 16 and with 32 clients, and the latency of its acknowledgement. */
import { Console, Effect } from "effect"
import { checkAcknowledgedRevocation as rounds, revocations } from "../processes/acknowledged-revocation.ts"
import { installationOn } from "../support/installation.ts"
import { serveWithOperator, serveInProcess } from "../support/server.ts"
import { temporaryDatabase } from "./database.ts"

const roundsEach = Number(process.env["ROUNDS"] ?? 200)
const places = { "another process": serveWithOperator, "the server's own process": serveInProcess }

export const acknowledgedRevocation = Effect.gen(function* () {
  const installation = yield* installationOn(yield* temporaryDatabase)
  const wrong: Array<string> = []
  yield* Console.log("aim: 250 ms at p99 on an idle machine")
  for (const clients of [16, 32]) {
    for (const ending of revocations) {
      for (const [place, serve] of Object.entries(places)) {
        const options = { clients, rounds: roundsEach }
        const outcome = yield* rounds(installation, ending, options).pipe(
          Effect.provide(serve(installation.environment))
        )
        const { milliseconds, commands, refused, violations } = outcome
        const [p50, p99] = [0.5, 0.99].map((share) => percentile(milliseconds, share).toFixed(0).padStart(4))
        yield* Console.log(
          `${ending.padEnd(10)} from ${place.padEnd(24)} ${clients} clients, ${roundsEach} rounds: p50 ${p50} ms, p99 ${p99} ms` +
            ` (${commands} commands, ${refused} refused as ended, ${violations.length} violations)`
        )
        wrong.push(...violations.map((violation) => `${ending} with ${clients} clients, ${violation}`))
      }
    }
  }
  return wrong
})

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN
