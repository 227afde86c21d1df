/** 25 kills of the server alone and 25 of it and its Postgres, each during writes. */
import { Console, Effect } from "effect"
import { crashAndRestart as rounds, type KilledProcesses } from "../processes/crash.ts"

const roundsEach = 25

export const crash = Effect.gen(function* () {
  const wrong: Array<string> = []
  for (const victims of ["the server", "the server and Postgres"] satisfies ReadonlyArray<KilledProcesses>) {
    const told = yield* Effect.scoped(rounds(victims, roundsEach))
    yield* Console.log(`kill -9 of ${victims}: ${roundsEach} rounds, ${told.length} wrong`)
    wrong.push(...told)
  }
  return wrong
})
