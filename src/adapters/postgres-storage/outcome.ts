/** What Postgres says, over another connection, of a COMMIT whose answer was lost. */
import { PgTypes, type PgConnection } from "@effect/sql-pg"
import { type Cause, Effect, Exit } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { outcomeBy, type Testimony } from "../../ports/lost-commit.ts"
import type { Connections } from "./connections.ts"
import { failureOf } from "./failure.ts"
import type { Commit } from "./transaction.ts"

type InDoubt = Extract<Commit, { readonly _tag: "InDoubt" }>

export const outcomeOf = (connections: Connections, doubt: InDoubt) =>
  outcomeBy(
    Effect.map(
      connections.useAnother((connection) => ask(connection, doubt)),
      // There may be no other connection, either.
      (said) => (said !== undefined && "isProven" in said ? said : undefined)
    )
  )

/**
 * The number tells whether the transaction still runs, the proof whether it was committed. Two statements: one would
 * look for the proof as of before it asked, and take a commit in between for none.
 */
const ask = (
  connection: PgConnection.PgConnection,
  { transactionId, proof }: InDoubt
): Effect.Effect<Testimony | undefined> => {
  const { sql, parameters } = proof(1)
  const status = connection.queryValues("select pg_xact_status($1::text::xid8)", [PgTypes.text(transactionId)], false)
  const isProven = connection.queryValues(`select ${sql}`, parameters, false)
  return Effect.map(
    Effect.all([Effect.exit(status), Effect.exit(isProven)], { concurrency: "unbounded" }),
    ([told, found]) => {
      if (Exit.isFailure(found) || (Exit.isFailure(told) && !isInTheFuture(told.cause))) return undefined
      return {
        isProven: found.value[0]?.[0] === true,
        isRunning: Exit.isSuccess(told) && told.value[0]?.[0] === "in progress"
      }
    }
  )
}

/** The number is one that the server, restarted after a crash, has not given out yet. */
const isInTheFuture = (cause: Cause.Cause<SqlError>): boolean => failureOf(cause, "outcome").code === "22023"
