/** Asks Postgres, over another connection, for the outcome of an indeterminate COMMIT. */
import { PgTypes, type PgConnection } from "@effect/sql-pg"
import { type Cause, Effect, Exit } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import {
  resolveCommitOutcome,
  type CommitEvidence,
  type CommitOutcome
} from "../../ports/storage/indeterminate-commit.ts"
import type { Connections } from "./connections.ts"
import { failureOf } from "./failure.ts"
import { countIndeterminateCommit } from "./metrics.ts"
import type { CommitResult } from "./transaction.ts"

type IndeterminateCommit = Extract<CommitResult, { readonly _tag: "Indeterminate" }>

export const resolveOutcome = Effect.fnUntraced(function* (
  connections: Connections,
  indeterminate: IndeterminateCommit
): Effect.fn.Return<CommitOutcome> {
  const outcome = yield* resolveCommitOutcome(
    Effect.map(
      connections.useAnother((connection) => queryEvidence(connection, indeterminate)),
      // Another connection may be unavailable, too.
      (answer) => (answer !== undefined && "isProven" in answer ? answer : undefined)
    )
  )
  // A commit can be visible on a server that recovered from a crash, and on no standby: its replay waits for one.
  const mayBeLost = outcome === "committed" && indeterminate.needsStandby
  yield* countIndeterminateCommit({ outcome: mayBeLost ? "NOT_REPLICATED" : outcomeLabels[outcome] })
  return mayBeLost ? "unknown" : outcome
})

const outcomeLabels = { committed: "COMMITTED", aborted: "NOT_COMMITTED", unknown: "UNKNOWN" } as const

/**
 * The status shows whether the transaction still runs, the proof whether it was committed. Two statements: a single one
 * would look for the proof in a snapshot taken before the status, and miss a commit in between.
 */
const queryEvidence = (
  connection: PgConnection.PgConnection,
  { transactionId, proof }: IndeterminateCommit
): Effect.Effect<CommitEvidence | undefined> => {
  const { sql, parameters } = proof(1)
  const status = connection.queryValues("select pg_xact_status($1::text::xid8)", [PgTypes.text(transactionId)], false)
  const isProven = connection.queryValues(`select ${sql}`, parameters, false)
  return Effect.map(
    Effect.all([Effect.exit(status), Effect.exit(isProven)], { concurrency: "unbounded" }),
    ([reported, found]) => {
      if (Exit.isFailure(found) || (Exit.isFailure(reported) && !isUnassigned(reported.cause))) return undefined
      return {
        isProven: found.value[0]?.[0] === true,
        isRunning: Exit.isSuccess(reported) && reported.value[0]?.[0] === "in progress"
      }
    }
  )
}

/** The transaction id is one that the server, restarted after a crash, has not assigned yet. */
const isUnassigned = (cause: Cause.Cause<SqlError>): boolean => failureOf(cause, "outcome").code === "22023"
