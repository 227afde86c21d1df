/**
 * The replica of `READ_DATABASE_URL`. It serves a view only while its answer is one that the primary could have given; any
 * failure sends the view to the primary. A replica that cannot serve gets no
 * reads; a fiber compares it with the primary each second.
 */
import { Effect, type Exit, type Scope } from "effect"
import type { Reader } from "../../ports/storage.ts"
import { limits } from "../../vocabulary/limits.ts"
import type { AttemptContext } from "./attempt.ts"
import { coalesced } from "./coalesced.ts"
import { makeConnections, type ConnectionOptions } from "./connections.ts"
import type { Installation } from "./epoch.ts"
import { countPrimaryRead, countReplicaRead, type PrimaryReason } from "./replica-metrics.ts"
import { positionQueryBy, viewOnReplica, type ReplicaProblem } from "./replica-view.ts"
import type { Counts } from "./session.ts"

export interface Replica {
  /** The exit of the body, or undefined where the primary has to run it. */
  view<A, E, R>(body: (reader: Reader) => Effect.Effect<A, E, R>): Effect.Effect<Exit.Exit<A, E> | undefined, never, R>
  /** Why it serves no reads now, a sentence; undefined while it serves them. */
  readonly problem: () => string | undefined
}

export interface ReplicaOptions {
  readonly primary: ConnectionOptions
  readonly replica: ConnectionOptions
  readonly maxConnections: number
  readonly installation: Installation | undefined
  readonly observe: (counts: Counts) => void
}

export const makeReplica = Effect.fnUntraced(function* ({
  primary,
  replica,
  maxConnections,
  installation,
  observe
}: ReplicaOptions): Effect.fn.Return<Replica, never, Scope.Scope> {
  const scope = yield* Effect.scope
  // A connection of its own: reads do not wait behind commands for the primary, and take no connection from them.
  const askPrimary = yield* coalesced(positionQueryBy(yield* makeConnections(primary, 1, installation)))
  const connections = yield* makeConnections(replica, maxConnections, installation, { role: "REPLICA" })
  const context: AttemptContext = { connections, racedKeys: new Set(), observe }
  let problem: ReplicaProblem | undefined = { reason: "UNREACHABLE", message: "was not reached yet" }
  let logged: string | undefined

  // A problem that ends with the pause is not logged: a busy replica can be behind for a moment again and again.
  const tryUntilServed = Effect.gen(function* () {
    for (;;) {
      const tried = yield* viewOnReplica(context, askPrimary, () => Effect.void)
      if ("exit" in tried) break
      problem = tried.problem
      if (problem.message !== logged) yield* logProblem(problem)
      logged = problem.message
      yield* Effect.sleep(limits.replicaPause)
    }
    problem = undefined
    if (logged !== undefined) yield* Effect.logInfo("the replica of READ_DATABASE_URL serves reads again")
    logged = undefined
  })
  yield* Effect.forkIn(tryUntilServed, scope)

  const pause = (found: ReplicaProblem) =>
    Effect.uninterruptible(
      Effect.gen(function* () {
        if (problem !== undefined) return
        problem = found
        yield* Effect.forkIn(Effect.interruptible(Effect.delay(tryUntilServed, limits.replicaPause)), scope)
      })
    )

  return {
    view: <A, E, R>(body: (reader: Reader) => Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        if (problem !== undefined) return yield* Effect.as(countPrimaryRead(problem.reason), undefined)
        const view = yield* viewOnReplica(context, askPrimary, body)
        if ("exit" in view) return yield* Effect.as(countReplicaRead, view.exit)
        yield* countPrimaryRead(view.problem.reason)
        if (!transientReasons.has(view.problem.reason)) yield* pause(view.problem)
        return undefined
      }),
    problem: () => problem && `the replica of READ_DATABASE_URL ${problem.message}: the primary serves its reads`
  }
})

/** Compares them once; the reason why the primary would serve a view now. */
export const compareReplica = Effect.fnUntraced(function* (primary: ConnectionOptions, replica: ConnectionOptions) {
  const askPrimary = positionQueryBy(yield* makeConnections(primary, 1))
  const connections = yield* makeConnections(replica, 1, undefined, { role: "REPLICA" })
  const context: AttemptContext = { connections, racedKeys: new Set(), observe: () => {} }
  const view = yield* viewOnReplica(context, askPrimary, () => Effect.void)
  return "exit" in view ? undefined : view.problem
})

/** Reasons that do not predict the next view. */
const transientReasons: ReadonlySet<PrimaryReason> = new Set(["FAILED", "NO_POSITION"])

const logProblem = ({ message, ...causes }: ReplicaProblem) =>
  Effect.logWarning(`the replica of READ_DATABASE_URL ${message}: the primary serves its reads`, causes)
