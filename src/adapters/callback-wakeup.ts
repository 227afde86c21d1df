/**
 * Wakes whoever sends callbacks, in every process on one database: NOTIFY on a connection of its own, never inside a
 * business transaction. What is lost while Postgres is gone costs no more than the wait for the next look by the clock.
 */
import { Effect, Layer, Queue, Scope } from "effect"
import { CallbackWakeup } from "../ports/callback-wakeup.ts"
import { limits } from "../vocabulary/limits.ts"
import { DatabaseHosts } from "./database-hosts.ts"
import type { OpenConnection, SessionOptions } from "./postgres-connection.ts"
import type { ConnectionOptions } from "./postgres-storage/connections.ts"

export const layer = (connection: ConnectionOptions): Layer.Layer<CallbackWakeup> =>
  Layer.effect(CallbackWakeup, makeCallbackWakeup(connection))

/** Nothing is opened before somebody rings, and nothing listens before somebody waits. */
export const makeCallbackWakeup = Effect.fnUntraced(function* (
  connection: ConnectionOptions
): Effect.fn.Return<CallbackWakeup["Service"], never, Scope.Scope> {
  const scope = yield* Scope.Scope
  const hosts = yield* Effect.orDie(Effect.fromResult(DatabaseHosts.of(connection)))
  const heard = yield* Queue.sliding<void>(1)
  const teller = yield* makeTeller(hosts)
  const listener = listen(hosts, teller.isOwn, Effect.asVoid(Queue.offer(heard, undefined)))
  const listening = yield* Effect.cached(Effect.forkIn(listener, scope))
  return {
    // Who waits in this process need not wait for Postgres.
    ring: Effect.andThen(teller.ring, Effect.asVoid(Queue.offer(heard, undefined))),
    rung: Effect.andThen(listening, Queue.take(heard))
  }
})

const channel = "countersign_callbacks"

interface Teller {
  readonly ring: Effect.Effect<void>
  /** True for the server process of this teller: its notifications are ignored here. */
  readonly isOwn: (serverProcess: number) => boolean
}

/** Tells the other processes, all rings of a moment at once; what is still untold when the scope ends goes out then. */
const makeTeller = Effect.fnUntraced(function* (hosts: DatabaseHosts): Effect.fn.Return<Teller, never, Scope.Scope> {
  const rings = yield* Queue.sliding<void>(1)
  let isOwed = false
  let own = -1
  const tell = ({ connection, answered }: OpenConnection) =>
    Effect.suspend(() => {
      isOwed = false
      return answered(connection.query(`select pg_notify('${channel}', '')`, [], false))
    }).pipe(Effect.onError(() => Effect.sync(() => void (isOwed = true))))
  const openAndTell = Effect.gen(function* () {
    if (!isOwed) yield* Queue.take(rings)
    const opened = yield* hosts.open(session)
    own = opened.serverProcess
    for (;;) {
      yield* Effect.sleep(limits.callbackRings)
      yield* tell(opened)
      while (!isOwed) yield* Queue.take(rings)
    }
  }).pipe(Effect.scoped)
  // Before the loop begins, so that it runs after the loop has ended.
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => (isOwed ? Effect.scoped(Effect.flatMap(hosts.open(session), tell)) : Effect.void)).pipe(
      Effect.timeoutOption(limits.callbackWakeupPause),
      Effect.ignore
    )
  )
  yield* Effect.forkScoped(again(openAndTell))
  return {
    ring: Effect.suspend(() => {
      isOwed = true
      return Effect.asVoid(Queue.offer(rings, undefined))
    }),
    isOwn: (serverProcess) => serverProcess === own
  }
})

/** Holds one connection that listens; whoever waits looks once more when it is there, for what nobody heard before. */
const listen = (hosts: DatabaseHosts, isOwn: (serverProcess: number) => boolean, hear: Effect.Effect<void>) =>
  again(
    Effect.gen(function* () {
      const { connection, answered, drop } = yield* hosts.open(session)
      const notifications = yield* answered(connection.listen(channel))
      // Runs before the driver would wait for the answer to UNLISTEN.
      yield* Effect.addFinalizer(() => drop)
      yield* hear
      const next = Effect.flatMap(Queue.take(notifications), ({ processId }) => (isOwn(processId) ? Effect.void : hear))
      const lost = Effect.logWarning("callbacks are not woken by other processes for now: they look by the clock")
      return yield* Effect.tapError(Effect.forever(next), () => lost)
    }).pipe(Effect.scoped)
  )

/** After a pause where it failed, for as long as it takes. */
const again = <E>(effect: Effect.Effect<never, E>): Effect.Effect<never> =>
  Effect.forever(Effect.andThen(Effect.exit(effect), Effect.sleep(limits.callbackWakeupPause)))

/** The session is idle for long, on purpose. */
const session: SessionOptions = {
  applicationName: "countersign callbacks",
  settings: { idle_session_timeout: "0", statement_timeout: `${limits.databaseStatement / 1000}s`, TimeZone: "UTC" },
  multiplex: true
}
