/** One attempt of a transaction or a view on one connection: the exit of the body, or the failure of the store. */
import { Duration, Effect, Exit, Fiber } from "effect"
import type { Attempt } from "../../ports/storage/transaction-retry.ts"
import { InsideTransaction } from "../../ports/storage/lock-discipline.ts"
import { attemptFor } from "../../ports/storage/indeterminate-commit.ts"
import { runAfterCommit, type AfterCommitActions } from "../../ports/storage/after-commit.ts"
import { discardReadOnly, type Connections } from "./connections.ts"
import { resolveOutcome } from "./commit-outcome.ts"
import { Session, type Counts } from "./session.ts"
import type { CommitResult } from "./transaction.ts"

/** A body to run on a session, and how to commit it when it has succeeded. */
export interface UnitOfWork<A, E, R> {
  readonly body: Effect.Effect<A, E, R>
  readonly commit: Effect.Effect<CommitResult>
  /** Run once the commit is certain. */
  readonly actions: AfterCommitActions
}

export interface AttemptContext {
  readonly connections: Connections
  readonly racedKeys: ReadonlySet<string>
  readonly observe: (counts: Counts) => void
}

/** Only waiting for a connection and the body can be interrupted; everything after the body determines the outcome. */
export const attempt = <A, E, R>(
  context: AttemptContext,
  open: (session: Session) => UnitOfWork<A, E, R>,
  isUrgent = false
): Effect.Effect<Attempt<A, E>, never, R> =>
  Effect.uninterruptibleMask((restore) =>
    restore(
      context.connections.use((connection) => {
        const session = new Session(connection, context.racedKeys)
        const { body, commit, actions } = open(session)
        const { connections } = context
        const exited = Effect.exit(restore(Effect.provideService(body, InsideTransaction, true))).pipe(
          Effect.flatMap((exit) => end(connections, session, exit, commit)),
          Effect.tap(discardReadOnly(connections, connection))
        )
        return Effect.map(runAfterCommit(exited, actions), (attempt) => {
          context.observe(session.counts)
          return attempt
        })
      }, isUrgent)
    )
  )

const end = Effect.fnUntraced(function* <A, E>(
  connections: Connections,
  session: Session,
  exit: Exit.Exit<A, E>,
  commit: Effect.Effect<CommitResult>
): Effect.fn.Return<Attempt<A, E>> {
  if (session.failure !== undefined || Exit.isFailure(exit)) {
    yield* rollBack(connections, session)
    return session.failure === undefined ? { _tag: "Ended", exit } : { _tag: "Failed", failure: session.failure }
  }
  const exited = yield* Effect.exit(commit)
  if (Exit.isFailure(exited)) {
    yield* rollBack(connections, session)
    if (session.failure !== undefined) return { _tag: "Failed", failure: session.failure }
    return { _tag: "Ended", exit: Exit.failCause(exited.cause) }
  }
  switch (exited.value._tag) {
    case "Committed":
      return { _tag: "Ended", exit }
    case "Failed":
      return { _tag: "Failed", failure: exited.value.failure }
    case "Indeterminate": {
      yield* connections.discard(session.connection)
      return attemptFor(yield* resolveOutcome(connections, exited.value), exit)
    }
  }
})

const rollBackMax = Duration.seconds(5)

/** An abandoned statement may still wait for a lock: the connection is not reused before it has ended. */
const rollBack = (connections: Connections, session: Session): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (session.isQuiet) return Effect.sync(() => session.submitLast("rollback"))
    const rolledBack = Fiber.await(session.submitControl("rollback"))
    return Effect.flatMap(Effect.timeoutOption(rolledBack, rollBackMax), (exited) =>
      exited._tag === "None" ? connections.discard(session.connection) : Effect.void
    )
  })
