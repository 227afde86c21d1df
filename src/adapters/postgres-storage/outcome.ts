/**
 * What came of a COMMIT whose answer was lost. The transaction's own connection is in doubt and never asked; another
 * one is, until Postgres knows.
 */
import { PgTypes, type PgConnection } from "@effect/sql-pg"
import { type Cause, Duration, Effect, Exit } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Connections } from "./connections.ts"
import { failureOf } from "./failure.ts"
import type { Commit } from "./transaction.ts"

type InDoubt = Extract<Commit, { readonly _tag: "InDoubt" }>
type Answer = "committed" | "aborted" | "ask again"

const asksMax = 25
const firstPause = Duration.millis(10)
const longestPause = Duration.millis(500)

/** Asks for ten seconds at most: a session whose client has gone is ended by Postgres after five. */
export const outcomeOf = Effect.fnUntraced(function* (
  connections: Connections,
  doubt: InDoubt
): Effect.fn.Return<"committed" | "aborted" | "unknown"> {
  for (let asked = 0; asked < asksMax; asked++) {
    const answer = yield* connections.useAnother((connection) => ask(connection, doubt))
    if (answer === "committed" || answer === "aborted") return answer
    yield* Effect.sleep(Duration.min(Duration.times(firstPause, 2 ** asked), longestPause))
  }
  return "unknown"
})

/**
 * The number tells whether the transaction still runs, the proof whether it was committed. Two statements: one would
 * look for the proof as of before it asked, and take a commit in between for none.
 */
const ask = (connection: PgConnection.PgConnection, { transactionId, proof }: InDoubt): Effect.Effect<Answer> => {
  const { sql, parameters } = proof(1)
  const status = connection.queryValues("select pg_xact_status($1::text::xid8)", [PgTypes.text(transactionId)], false)
  const isProven = connection.queryValues(`select ${sql}`, parameters, false)
  return Effect.map(
    Effect.all([Effect.exit(status), Effect.exit(isProven)], { concurrency: "unbounded" }),
    ([told, found]): Answer => {
      if (Exit.isFailure(found) || (Exit.isFailure(told) && !isInTheFuture(told.cause))) return "ask again"
      if (found.value[0]?.[0] === true) return "committed"
      return Exit.isSuccess(told) && told.value[0]?.[0] === "in progress" ? "ask again" : "aborted"
    }
  )
}

/** The number is one that the server, restarted after a crash, has not given out yet. */
const isInTheFuture = (cause: Cause.Cause<SqlError>): boolean => failureOf(cause, "outcome").code === "22023"
