/**
 * Opens connections to Postgres: with TCP keep-alive, with settings made by statements, which every pooler passes on, and
 * with a client-side deadline for answers, since a server that disappears resets no connection.
 */
import * as net from "node:net"
import type { Duplex } from "node:stream"
import { PgConnection } from "@effect/sql-pg"
import { Effect, type Redacted, type Scope } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { limits } from "../vocabulary/limits.ts"
import type { DatabaseHost } from "./database-address.ts"
import { sqlMessage } from "./sql-message.ts"

export interface SessionOptions {
  readonly applicationName: string
  /** Names and values as `SHOW` reports them. */
  readonly settings: Readonly<Record<string, string>>
  /** Settings that only some roles may make; for other roles the server's values stay. */
  readonly privilegedSettings?: Readonly<Record<string, string>>
  /** A COMMIT is answered, and visible, once it is flushed, also where the role or the database says otherwise. */
  readonly durableCommits?: boolean
  /** Statements sent together share a round trip; an interrupted one is then not cancelled on the server. */
  readonly multiplex: boolean
}

export interface Credentials {
  readonly username?: string
  readonly password?: Redacted.Redacted
  readonly database?: string
  /** Replaces the socket to the host. */
  readonly stream?: () => Duplex
}

/** A host, with the URL for the driver, if any. */
export type Host = Omit<DatabaseHost, "url"> & { readonly url?: Redacted.Redacted }

export interface OpenConnection {
  readonly connection: PgConnection.PgConnection
  readonly host: Host
  /** The process id of the server session. A pooler reports a different one to its clients. */
  readonly serverProcess: number
  /** Why the server refuses writes; undefined where it takes them. */
  readonly refusesWrites: "standby" | "read-only" | undefined
  readonly isClosed: () => boolean
  /** The listener is called once, when either side has closed the connection. */
  readonly onClose: (listener: () => void) => void
  /** Runs an effect that waits for answers; after `limits.databaseAnswer` without one the connection is dropped. */
  answered<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
  /** Closes the socket without a message to the server; pending statements fail. */
  readonly drop: Effect.Effect<void>
}

export interface HostFailure {
  readonly host: Host
  /** A server that starts up, or a standby, may take writes later. */
  readonly kind: "may take writes later" | "settings lost" | "failed"
  /** A predicate that follows the host's name in a sentence. */
  readonly message: string
}

export const openAt = (
  host: Host,
  credentials: Credentials,
  session: SessionOptions
): Effect.Effect<OpenConnection, HostFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const deadline = new AnswerDeadline()
    // The socket of the session: the driver asks for another one whenever it cancels a statement.
    let socket: Duplex | undefined
    const stream = () => {
      const created = credentials.stream?.() ?? connectSocket(host, deadline)
      socket ??= created
      return created
    }
    // Runs after the driver's terminate message, which an unresponsive server may never answer.
    yield* Effect.addFinalizer(() => Effect.sync(() => deadline.begin()))
    const { url, at } = host
    const connection = yield* PgConnection.make({
      ...(url === undefined ? ("host" in at ? { host: at.host } : {}) : { url }),
      ...credentials,
      applicationName: session.applicationName,
      connectTimeout: limits.databaseConnect,
      multiplex: session.multiplex,
      preparedStatementCacheSize: 500,
      stream
    })
    const drop = Effect.sync(() => void socket?.destroy(new Error("the connection was dropped")))
    const answered = <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.suspend(() => {
        deadline.begin()
        return Effect.onExit(work, () => Effect.sync(() => deadline.end()))
      })
    const state = yield* answered(setUp(connection, session))
    if (state === undefined) {
      return yield* Effect.fail({ host, kind: "settings lost", message: "loses the settings of a session" } as const)
    }
    const onClose = (listener: () => void) => void socket?.once("close", listener)
    return { connection, host, ...state, isClosed: () => socket?.destroyed === true, onClose, answered, drop }
  }).pipe(Effect.mapError((error) => (isSqlError(error) ? failureAt(host, error) : error)))

/** Runs while a statement waits for its answer: only then does silence drop the connection. */
class AnswerDeadline {
  #waiting = 0

  begin(): void {
    this.#waiting += 1
  }

  end(): void {
    this.#waiting -= 1
  }

  get isRunning(): boolean {
    return this.#waiting > 0
  }
}

/** The timeout restarts with each byte in either direction, hence with each statement. */
const connectSocket = ({ at }: Host, deadline: AnswerDeadline): net.Socket => {
  const keepAlive = { noDelay: true, keepAlive: true, keepAliveInitialDelay: limits.databaseKeepAlive }
  const socket = net.connect({ ...at, ...("host" in at ? keepAlive : {}), timeout: limits.databaseAnswer })
  socket.on("timeout", () => {
    if (deadline.isRunning) socket.destroy(new Error(`no answer for ${limits.databaseAnswer / 1000} seconds`))
  })
  // Under TLS the driver listens to the stream above it.
  return socket.on("error", () => {})
}

/** Makes the settings and reads them back in a separate statement; undefined where a value differs. */
const setUp = Effect.fnUntraced(function* (connection: PgConnection.PgConnection, session: SessionOptions) {
  const settings = Object.entries(session.settings)
  const privileged = Object.entries(session.privilegedSettings ?? {})
  const set = [
    ...settings.map(([name, value]) => `set_config('${name}', '${value}', false)`),
    ...privileged.map(
      ([name, value]) =>
        `case when has_parameter_privilege('${name}', 'SET') then set_config('${name}', '${value}', false) end`
    ),
    ...(session.durableCommits === true
      ? [
          "case current_setting('synchronous_commit') when 'off' then set_config('synchronous_commit', 'local', false) end"
        ]
      : [])
  ]
  const read = [
    "pg_backend_pid()",
    "pg_is_in_recovery()",
    "current_setting('transaction_read_only')",
    ...settings.map(([name]) => `current_setting('${name}')`)
  ]
  const [, rows] = yield* Effect.all(
    [
      connection.queryValues(`select ${set.join(", ")}`, [], false),
      connection.queryValues(`select ${read.join(", ")}`, [], false)
    ],
    { concurrency: "unbounded" }
  )
  const [serverProcess, isStandby, isReadOnly, ...values] = rows[0]!
  if (settings.some(([, value], index) => values[index] !== value)) return undefined
  const refusesWrites: OpenConnection["refusesWrites"] =
    isStandby === true ? "standby" : isReadOnly === "on" ? "read-only" : undefined
  return { serverProcess: Number(serverProcess), refusesWrites }
})

const failureAt = (host: Host, error: SqlError): HostFailure => {
  const cause = error.reason.cause
  const message = sqlMessage(error)
  const isStarting = cause instanceof Error && "code" in cause && cause.code === cannotConnectNow
  return isStarting
    ? { host, kind: "may take writes later", message: `does not serve yet (${message})` }
    : { host, kind: "failed", message: `cannot be used (${message})` }
}

/** SQLSTATE of a server that starts up, shuts down or recovers. */
const cannotConnectNow = "57P03"
