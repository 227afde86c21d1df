/** 20 rounds of faults and a SIGTERM in the middle of them. */
import { Console, Effect } from "effect"
import { faultyDatabase as rounds } from "../processes/faulty-database.ts"

const roundsInAll = 20

export const faultyDatabase = Effect.gen(function* () {
  const told = yield* Effect.orDie(rounds(1, roundsInAll))
  const sum = (of: (round: (typeof told)[number]) => number) => told.reduce((all, round) => all + of(round), 0)
  const took = told.map((round) => round.took).toSorted((one, other) => one - other)
  yield* Console.log(
    `${roundsInAll} rounds: ${sum((round) => round.acknowledged)} acknowledged, ${sum((round) => round.failed)} failed;` +
      ` ended after ${took[0]} to ${took.at(-1)} ms, in the median ${took[took.length >> 1]}`
  )
  return told.flatMap((round, index) => round.wrong.map((text) => `round ${index + 1}: ${text}`))
})
