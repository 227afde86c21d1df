/**
 * Wakes the webhook workers of every process on one database by NOTIFY on a separate connection, never inside a
 * business transaction. A notification lost while Postgres is unreachable costs at most one polling interval.
 */
import { Effect, Layer, Queue, Scope } from "effect"
import { WebhookWakeup } from "../ports/webhook-wakeup.ts"
import { limits } from "../vocabulary/limits.ts"
import { DatabaseHosts } from "./database-hosts.ts"
import type { OpenConnection, SessionOptions } from "./postgres-connection.ts"
import type { ConnectionOptions } from "./postgres-storage/connections.ts"

export const layer = (connection: ConnectionOptions): Layer.Layer<WebhookWakeup> =>
  Layer.effect(WebhookWakeup, makeWebhookWakeup(connection))

/** Nothing is opened before the first notification, and nothing listens before the first wait. */
export const makeWebhookWakeup = Effect.fnUntraced(function* (
  connection: ConnectionOptions
): Effect.fn.Return<WebhookWakeup["Service"], never, Scope.Scope> {
  const scope = yield* Scope.Scope
  const hosts = yield* Effect.orDie(Effect.fromResult(DatabaseHosts.of(connection)))
  const wakeups = yield* Queue.sliding<void>(1)
  const notifier = yield* makeNotifier(hosts)
  const listener = listen(hosts, notifier.isOwn, Effect.asVoid(Queue.offer(wakeups, undefined)))
  const listening = yield* Effect.cached(Effect.forkIn(listener, scope))
  return {
    // A worker in this process is woken without Postgres.
    notify: Effect.andThen(notifier.ring, Effect.asVoid(Queue.offer(wakeups, undefined))),
    awaitNotification: Effect.andThen(listening, Queue.take(wakeups))
  }
})

const channel = "countersign_callbacks"

interface Notifier {
  readonly ring: Effect.Effect<void>
  /** True for the server process of this notifier's connection: its notifications are ignored in this process. */
  readonly isOwn: (serverProcess: number) => boolean
}

/** Notifies the other processes, with the calls of a moment combined; pending notifications are sent when the scope closes. */
const makeNotifier = Effect.fnUntraced(function* (
  hosts: DatabaseHosts
): Effect.fn.Return<Notifier, never, Scope.Scope> {
  const rings = yield* Queue.sliding<void>(1)
  let isPending = false
  let ownProcess = -1
  const notify = ({ connection, answered }: OpenConnection) =>
    Effect.suspend(() => {
      isPending = false
      return answered(connection.query(`select pg_notify('${channel}', '')`, [], false))
    }).pipe(Effect.onError(() => Effect.sync(() => void (isPending = true))))
  const openAndNotify = Effect.gen(function* () {
    if (!isPending) yield* Queue.take(rings)
    const opened = yield* hosts.open(session)
    ownProcess = opened.serverProcess
    for (;;) {
      yield* Effect.sleep(limits.webhookWakeupCoalescing)
      yield* notify(opened)
      while (!isPending) yield* Queue.take(rings)
    }
  }).pipe(Effect.scoped)
  // Before the loop begins, so that it runs after the loop has ended.
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => (isPending ? Effect.scoped(Effect.flatMap(hosts.open(session), notify)) : Effect.void)).pipe(
      Effect.timeoutOption(limits.webhookWakeupPause),
      Effect.ignore
    )
  )
  yield* Effect.forkScoped(repeatForever(openAndNotify))
  return {
    ring: Effect.suspend(() => {
      isPending = true
      return Effect.asVoid(Queue.offer(rings, undefined))
    }),
    isOwn: (serverProcess) => serverProcess === ownProcess
  }
})

/** Holds one listening connection; wakes once when it opens, for notifications missed before. */
const listen = (hosts: DatabaseHosts, isOwn: (serverProcess: number) => boolean, wake: Effect.Effect<void>) =>
  repeatForever(
    Effect.gen(function* () {
      const { connection, answered, drop } = yield* hosts.open(session)
      const notifications = yield* answered(connection.listen(channel))
      // Runs before the driver would wait for the answer to UNLISTEN.
      yield* Effect.addFinalizer(() => drop)
      yield* wake
      const next = Effect.flatMap(Queue.take(notifications), ({ processId }) => (isOwn(processId) ? Effect.void : wake))
      const lost = Effect.logWarning("webhooks are not woken by other processes for now; polling continues")
      return yield* Effect.tapError(Effect.forever(next), () => lost)
    }).pipe(Effect.scoped)
  )

/** Repeats forever, with a pause after each end or failure. */
const repeatForever = <E>(effect: Effect.Effect<never, E>): Effect.Effect<never> =>
  Effect.forever(Effect.andThen(Effect.exit(effect), Effect.sleep(limits.webhookWakeupPause)))

/** The session is idle for long, on purpose. */
const session: SessionOptions = {
  applicationName: "countersign webhooks",
  settings: { idle_session_timeout: "0", statement_timeout: `${limits.databaseStatement / 1000}s`, TimeZone: "UTC" },
  multiplex: true
}
