/**
 * One view on a replica. Before the body reads, its snapshot is compared with the primary: it has every commit that the primary
 * showed after the view was asked for, and only commits that the primary shows. So nothing that is cached from it can be lost.
 */
import { Clock, Effect, Exit } from "effect"
import { AfterCommitActions } from "../../ports/storage/after-commit.ts"
import { connectionLost, noConnection, type StoreFailure } from "../../ports/storage/transaction-retry.ts"
import type { Reader } from "../../ports/storage.ts"
import { limits } from "../../vocabulary/limits.ts"
import { attempt, type AttemptContext } from "./attempt.ts"
import { tooBusyReason, type Connections } from "./connections.ts"
import { makeReader } from "./reader.ts"
import type { PrimaryReason } from "./replica-metrics.ts"
import {
  anyCommitted,
  hasReplayed,
  primaryPosition,
  primaryPositionOf,
  replicaPosition,
  replicaSnapshotOf,
  snapshotOfView,
  unfitness,
  type PrimaryPosition
} from "./replica-position.ts"
import type { Session } from "./session.ts"
import { run } from "./single-statements.ts"
import { endView } from "./transaction.ts"

/** Why the primary has to serve a view. */
export interface ReplicaProblem {
  readonly reason: PrimaryReason
  /** A predicate of the replica, which `/readyz` shows. */
  readonly message: string
  /** For the log and the operator: it can name hosts and statements. */
  readonly detail?: string
}

export type ReplicaView<A, E> = { readonly exit: Exit.Exit<A, E> } | { readonly problem: ReplicaProblem }

/** The position of the primary; undefined where it tells none. */
export type PositionQuery = Effect.Effect<PrimaryPosition | undefined>

export const positionQueryBy = (connections: Connections): PositionQuery =>
  Effect.map(
    connections.use((connection) =>
      Effect.tap(run(connection, primaryPosition), ({ _tag }) =>
        // A demoted server keeps its connections, and another host may take writes by now.
        _tag === "Failed" ? connections.discard(connection) : Effect.void
      )
    ),
    (answer) => (answer._tag === "Failed" ? undefined : primaryPositionOf(answer.rows[0]!))
  )

export const viewOnReplica = Effect.fnUntraced(function* <A, E, R>(
  context: AttemptContext,
  askPrimary: PositionQuery,
  body: (reader: Reader) => Effect.Effect<A, E, R>
): Effect.fn.Return<ReplicaView<A, E>, never, R> {
  let problem: ReplicaProblem | undefined
  const ended = yield* attempt(context, (session) => {
    const view = Effect.gen(function* () {
      problem = yield* openSnapshot(session, askPrimary)
      if (problem === undefined) return yield* body(makeReader((read) => session.read(read)))
      // Perhaps a connection to another server than the next one.
      if (problem.reason === "UNFIT") yield* context.connections.discard(session.connection)
      return undefined
    })
    return { body: view, commit: endView(session), actions: new AfterCommitActions() }
  })
  if (problem !== undefined) return { problem }
  if (ended._tag === "Failed") return { problem: problemOf(ended.failure) }
  return { exit: ended.exit as Exit.Exit<A, E> }
})

const problemOf = ({ code, reason }: StoreFailure): ReplicaProblem => {
  if (reason === tooBusyReason) return { reason: "FAILED", message: "is busy", detail: reason }
  if (code === noConnection || code === connectionLost) {
    return { reason: "UNREACHABLE", message: "cannot be reached", detail: reason }
  }
  // A conflict with replay, or a timeout.
  return /^(?:40001|40P01|55P03|57014|25P03|25P04)$/.test(code)
    ? { reason: "FAILED", message: "ended a read", detail: reason }
    : { reason: "UNFIT", message: "cannot be read", detail: reason }
}

const noPosition: ReplicaProblem = { reason: "NO_POSITION", message: "cannot be compared with the primary" }
const behind: ReplicaProblem = { reason: "BEHIND", message: "has not replayed what the primary shows" }
const ahead: ReplicaProblem = { reason: "AHEAD", message: "shows commits that the primary does not show yet" }

/** Takes a snapshot that the primary could have given; the reason where there is none within `limits.replicaWait`. */
const openSnapshot = Effect.fnUntraced(function* (session: Session, askPrimary: PositionQuery) {
  const [primary, first] = yield* Effect.all([askPrimary, takeSnapshot(session)], { concurrency: "unbounded" })
  if (primary === undefined) return noPosition
  const begun = yield* Clock.currentTimeMillis
  const isLate = Effect.map(Clock.currentTimeMillis, (now) => now - begun >= limits.replicaWait)
  let taken = first
  for (;;) {
    const unfit = unfitness(primary, taken)
    if (unfit !== undefined) return { reason: "UNFIT", message: unfit } satisfies ReplicaProblem
    if (hasReplayed(primary, taken)) break
    if (yield* isLate) return behind
    session.submitControl("rollback")
    yield* Effect.sleep(limits.replicaPoll)
    taken = yield* takeSnapshot(session)
  }
  if (yield* showsAll(session, primary, taken.end)) return undefined
  for (;;) {
    const later = yield* askPrimary
    // Transactions of different timelines have nothing to do with each other.
    if (later?.timeline !== primary.timeline) return noPosition
    if (yield* showsAll(session, later, taken.end)) return undefined
    if (yield* isLate) return ahead
    yield* Effect.sleep(limits.replicaPoll)
  }
})

/** Begins the view. The position is read before its snapshot is taken, by the statement that follows BEGIN. */
const takeSnapshot = Effect.fnUntraced(function* (session: Session) {
  const position = session.submit(replicaPosition)
  session.submitControl("begin isolation level repeatable read read only")
  const snapshot = session.submit(snapshotOfView)
  const [positionRow] = yield* session.rows(position)
  const [snapshotRow] = yield* session.rows(snapshot)
  return replicaSnapshotOf(positionRow!, snapshotRow!)
})

/** Whether the primary shows every commit of a snapshot that has no transaction from `end` on. */
const showsAll = Effect.fnUntraced(function* (session: Session, primary: PrimaryPosition, end: bigint) {
  if (primary.unendedFrom < end) return false
  const unended = primary.unended.filter((id) => id < end)
  if (unended.length === 0) return true
  const [row] = yield* session.rows(session.submit(anyCommitted(unended)))
  return row?.[0] !== true
})
