/**
 * Two servers and one Postgres, 100 rounds: in each a server is killed with -9 while a checkout is opened and payments are
 * captured. An argument replaces the number of rounds.
 */
import { Console, Effect } from "effect"
import { killDuringPayments } from "../processes/payment-kills.ts"
import { installationOn } from "../support/installation.ts"
import { temporaryDatabase } from "./database.ts"

export const payments = Effect.gen(function* () {
  const rounds = process.argv.map(Number).find((given) => given > 0) ?? 100
  const installation = yield* installationOn(yield* temporaryDatabase)
  const told = yield* killDuringPayments({ installation, rounds, random: Math.random })
  yield* Console.log(
    `${rounds} kills: ${told.lostOpenings} with a checkout that no server had stored, ${told.lostCaptures} with a journal ` +
      `behind the provider, ${told.unanswered} requests without an answer`
  )
  return told.wrong
}).pipe(Effect.orDie)
