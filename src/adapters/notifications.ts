/**
 * Messages between the processes on one database by LISTEN and NOTIFY, never inside a business transaction: a process has
 * at most one connection that listens and one that notifies. A message that is sent while a process does not listen does
 * not reach it.
 */
import * as os from "node:os"
import { type PgConnection, PgTypes } from "@effect/sql-pg"
import { Context, Effect, FiberSet, Layer, Queue, Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { limits } from "../vocabulary/limits.ts"
import { DatabaseHosts, type NoHostAvailable } from "./database-hosts.ts"
import type { OpenConnection, SessionOptions } from "./postgres-connection.ts"
import type { ConnectionOptions } from "./postgres-storage/connections.ts"

/** A channel, and what its messages do in this process. */
export interface Subscription {
  readonly channel: string
  /** Runs each time that this process begins to listen: messages before were missed. */
  readonly onListening: Effect.Effect<void>
  /** `isOwn` is true for a message of this process. */
  readonly onMessage: (message: { readonly payload: string; readonly isOwn: boolean }) => Effect.Effect<void>
}

export class Notifications extends Context.Service<
  Notifications,
  {
    /** Sends a message soon, once even if it is given several times in a moment; never waits and never fails. */
    readonly notify: (channel: string, payload?: string) => Effect.Effect<void>
    /** Listens until the process ends. */
    readonly subscribe: (subscription: Subscription) => Effect.Effect<void>
    /** The name of this process, as other processes find it. */
    readonly processName: string
    /** The servers and workers that listen now, by their names. */
    readonly listeningProcesses: Effect.Effect<ReadonlyArray<string>, NoHostAvailable | SqlError>
  }
>()("countersign/adapters/Notifications") {}

/** What this process is to others: a server, a worker, or a command beside them. */
export const ProcessRole = Context.Reference<"serve" | "worker" | "command">("countersign/adapters/ProcessRole", {
  defaultValue: () => "command"
})

export const layer = (connection: ConnectionOptions): Layer.Layer<Notifications> =>
  Layer.effect(Notifications, makeNotifications(connection))

/** Nothing is opened before the first message, and nothing listens before the first subscription. */
export const makeNotifications = Effect.fnUntraced(function* (
  connection: ConnectionOptions
): Effect.fn.Return<Notifications["Service"], never, Scope.Scope> {
  const scope = yield* Scope.Scope
  const role = yield* ProcessRole
  const hosts = yield* Effect.orDie(Effect.fromResult(DatabaseHosts.of(connection)))
  const notifier = yield* makeNotifier(hosts)
  const subscriptions: Array<Subscription> = []
  const added = yield* Queue.sliding<void>(1)
  const processName = nameOf(role)
  const session = sessionOf(`countersign ${processName}`)
  const listening = yield* Effect.cached(
    Effect.forkIn(listen(hosts, session, { subscriptions, added, isOwn: notifier.isOwn }), scope)
  )
  return {
    notify: notifier.notify,
    subscribe: (subscription) =>
      Effect.suspend(() => {
        subscriptions.push(subscription)
        return Effect.andThen(Queue.offer(added, undefined), Effect.asVoid(listening))
      }),
    processName,
    listeningProcesses: listeningProcesses(hosts)
  }
})

/** Postgres keeps 63 bytes of the name of an application; replicas differ at the end of their host's name. */
const nameOf = (role: string): string => {
  const start = `${role} ${process.pid}@`
  return start + os.hostname().slice(-(63 - "countersign ".length - start.length))
}

const listeningProcesses = (hosts: DatabaseHosts) =>
  Effect.gen(function* () {
    const { connection, answered } = yield* hosts.open(sessionOf("countersign notifications"))
    const rows = yield* answered(
      connection.queryValues(
        "select distinct substr(application_name, 13) from pg_stat_activity" +
          " where datname = current_database() and application_name ~ '^countersign (serve|worker) ' order by 1",
        [],
        false
      )
    )
    return rows.map(([name]) => String(name))
  }).pipe(Effect.scoped)

interface Notifier {
  readonly notify: Notifications["Service"]["notify"]
  /** True for the server process of this notifier's connection. */
  readonly isOwn: (serverProcess: number) => boolean
}

interface Pending {
  readonly channel: string
  readonly payload: string
}

/** Notifies the other processes, with the messages of a moment combined; pending ones are sent when the scope closes. */
const makeNotifier = Effect.fnUntraced(function* (
  hosts: DatabaseHosts
): Effect.fn.Return<Notifier, never, Scope.Scope> {
  const rings = yield* Queue.sliding<void>(1)
  const pending = new Map<string, Pending>()
  const session = sessionOf("countersign notifications")
  let ownProcess = -1
  const send = ({ connection, answered }: OpenConnection) =>
    Effect.suspend(() => {
      const sent = [...pending]
      pending.clear()
      const restore = Effect.sync(() => {
        for (const [key, message] of sent) pending.set(key, message)
      })
      return Effect.onError(answered(sendAll(connection, sent)), () => restore)
    })
  const openAndSend = Effect.gen(function* () {
    if (pending.size === 0) yield* Queue.take(rings)
    const opened = yield* hosts.open(session)
    ownProcess = opened.serverProcess
    for (;;) {
      yield* Effect.sleep(limits.notificationCoalescing)
      yield* send(opened)
      while (pending.size === 0) yield* Queue.take(rings)
    }
  }).pipe(Effect.scoped)
  // Before the loop begins, so that it runs after the loop has ended.
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() =>
      pending.size === 0 ? Effect.void : Effect.scoped(Effect.flatMap(hosts.open(session), send))
    ).pipe(Effect.timeoutOption(limits.notificationPause), Effect.ignore)
  )
  yield* Effect.forkScoped(repeatForever(openAndSend))
  return {
    notify: (channel, payload = "") =>
      Effect.suspend(() => {
        pending.set(`${channel} ${payload}`, { channel, payload })
        return Effect.asVoid(Queue.offer(rings, undefined))
      }),
    isOwn: (serverProcess) => serverProcess === ownProcess
  }
})

const sendAll = (connection: PgConnection.PgConnection, messages: ReadonlyArray<readonly [string, Pending]>) =>
  Effect.forEach(
    messages,
    ([, { channel, payload }]) =>
      connection.query("select pg_notify($1, $2)", [PgTypes.text(channel), PgTypes.text(payload)], false),
    { discard: true }
  )

interface Listening {
  /** Grows; `added` signals that it has. */
  readonly subscriptions: ReadonlyArray<Subscription>
  readonly added: Queue.Queue<void>
  readonly isOwn: (serverProcess: number) => boolean
}

/** Holds one listening connection for every subscription. */
const listen = (hosts: DatabaseHosts, session: SessionOptions, { subscriptions, added, isOwn }: Listening) =>
  repeatForever(
    Effect.gen(function* () {
      const { connection, answered, drop } = yield* hosts.open(session)
      // Pinned once: each listener alone would reserve the session.
      const pinned = yield* connection.pin
      const forwarding = yield* FiberSet.make<never, SqlError>()
      const forward = (
        { onMessage }: Subscription,
        messages: Effect.Success<ReturnType<PgConnection.PgConnection["listen"]>>
      ) =>
        Effect.forever(
          Effect.flatMap(Queue.take(messages), ({ processId, payload }) =>
            onMessage({ payload, isOwn: isOwn(processId) })
          )
        )
      const listenToAll = Effect.gen(function* () {
        for (let count = 0; ;) {
          for (; count < subscriptions.length; count++) {
            const subscription = subscriptions[count]!
            const messages = yield* answered(pinned.listen(subscription.channel))
            yield* subscription.onListening
            yield* FiberSet.run(forwarding, forward(subscription, messages))
          }
          yield* Effect.raceFirst(Queue.take(added), FiberSet.join(forwarding))
        }
      })
      const lost = Effect.logWarning(
        "this process gets no notifications of others for now: webhooks are polled, and `admin reload-keys` does not reach it"
      )
      return yield* listenToAll.pipe(
        Effect.tapError(() => lost),
        // Before the driver would wait for the answer to UNLISTEN.
        Effect.onExit(() => drop)
      )
    }).pipe(Effect.scoped)
  )

/** Repeats forever, with a pause after each end or failure. */
const repeatForever = <E>(effect: Effect.Effect<never, E>): Effect.Effect<never> =>
  Effect.forever(Effect.andThen(Effect.exit(effect), Effect.sleep(limits.notificationPause)))

/** The session is idle for long, on purpose. */
const sessionOf = (applicationName: string): SessionOptions => ({
  applicationName,
  settings: { idle_session_timeout: "0", statement_timeout: `${limits.databaseStatement / 1000}s`, TimeZone: "UTC" },
  multiplex: true
})
