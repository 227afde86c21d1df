/** One try of a transaction or a view on one connection: it ends with the body's own result, or tells why not. */
import { Duration, Effect, Exit, Fiber } from "effect"
import type { Attempt } from "../../ports/attempts.ts"
import { InsideTransaction } from "../../ports/held-roots.ts"
import { attemptAfter } from "../../ports/lost-commit.ts"
import { thenWake, type Wakes } from "../../ports/wakes.ts"
import { discardReadOnly, type Connections } from "./connections.ts"
import { outcomeOf } from "./outcome.ts"
import { Session, type Counts } from "./session.ts"
import type { Commit } from "./transaction.ts"

/** What opens on a session: a body to run, and how to end when it succeeded. */
export interface Opened<A, E, R> {
  readonly body: Effect.Effect<A, E, R>
  readonly commit: Effect.Effect<Commit>
  /** Run once it is committed for certain. */
  readonly wakes: Wakes
}

export interface Surroundings {
  readonly connections: Connections
  readonly racedKeys: ReadonlySet<string>
  readonly observe: (counts: Counts) => void
}

/** Only waiting for a connection and the body can be interrupted; what follows the body settles its outcome. */
export const attempt = <A, E, R>(
  surroundings: Surroundings,
  open: (session: Session) => Opened<A, E, R>,
  isUrgent = false
): Effect.Effect<Attempt<A, E>, never, R> =>
  Effect.uninterruptibleMask((restore) =>
    restore(
      surroundings.connections.use((connection) => {
        const session = new Session(connection, surroundings.racedKeys)
        const { body, commit, wakes } = open(session)
        const { connections } = surroundings
        const ended = Effect.exit(restore(Effect.provideService(body, InsideTransaction, true))).pipe(
          Effect.flatMap((exit) => end(connections, session, exit, commit)),
          Effect.tap(discardReadOnly(connections, connection))
        )
        return Effect.map(thenWake(ended, wakes), (attempt) => {
          surroundings.observe(session.counts)
          return attempt
        })
      }, isUrgent)
    )
  )

const end = Effect.fnUntraced(function* <A, E>(
  connections: Connections,
  session: Session,
  exit: Exit.Exit<A, E>,
  commit: Effect.Effect<Commit>
): Effect.fn.Return<Attempt<A, E>> {
  if (session.failure !== undefined || Exit.isFailure(exit)) {
    yield* rollBack(connections, session)
    return session.failure === undefined ? { _tag: "Ended", exit } : { _tag: "Failed", failure: session.failure }
  }
  const ended = yield* Effect.exit(commit)
  if (Exit.isFailure(ended)) {
    yield* rollBack(connections, session)
    if (session.failure !== undefined) return { _tag: "Failed", failure: session.failure }
    return { _tag: "Ended", exit: Exit.failCause(ended.cause) }
  }
  switch (ended.value._tag) {
    case "Committed":
      return { _tag: "Ended", exit }
    case "Failed":
      return { _tag: "Failed", failure: ended.value.failure }
    case "InDoubt": {
      yield* connections.discard(session.connection)
      return attemptAfter(yield* outcomeOf(connections, ended.value), exit)
    }
  }
})

const rollBackMax = Duration.seconds(5)

/** A statement that a body has abandoned may wait for a lock: nobody else gets the connection before it has ended. */
const rollBack = (connections: Connections, session: Session): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (session.isQuiet) return Effect.sync(() => session.submitLast("rollback"))
    const rolledBack = Fiber.await(session.submitControl("rollback"))
    return Effect.flatMap(Effect.timeoutOption(rolledBack, rollBackMax), (ended) =>
      ended._tag === "None" ? connections.discard(session.connection) : Effect.void
    )
  })
