/**
 * The requirements of a start on its database: it takes writes, for which the start waits a while, and its sessions keep
 * their state between transactions, which a pooler in transaction mode does not guarantee.
 */
import { Clock, Console, Data, Effect, Result, type Scope } from "effect"
import { limits } from "../vocabulary/limits.ts"
import { DatabaseHosts, type NoHostAvailable } from "./database-hosts.ts"
import type { OpenConnection, SessionOptions } from "./postgres-connection.ts"
import type { ConnectionOptions } from "./postgres-storage/connections.ts"

/** One sentence for the operator, which names the variable. */
export class DatabaseNotUsable extends Data.TaggedError("DatabaseNotUsable")<{ readonly message: string }> {}

export const openAtStart = Effect.fnUntraced(function* (
  options: ConnectionOptions,
  session: SessionOptions,
  waitMilliseconds: number
): Effect.fn.Return<OpenConnection, DatabaseNotUsable, Scope.Scope> {
  const name = options.url === undefined ? "the database" : "DATABASE_URL"
  const hosts = DatabaseHosts.of(options)
  if (Result.isFailure(hosts)) return yield* new DatabaseNotUsable({ message: `${name}: ${hosts.failure}` })
  const open = yield* openWhenWritable(hosts.success, session, waitMilliseconds, name)
  const isPooled = open.serverProcess !== open.connection.processId
  if (isPooled && (yield* losesSessions(hosts.success, open, session))) return yield* poolingRefused(name)
  return open
})

const openWhenWritable = Effect.fnUntraced(function* (
  hosts: DatabaseHosts,
  session: SessionOptions,
  waitMilliseconds: number,
  name: string
): Effect.fn.Return<OpenConnection, DatabaseNotUsable, Scope.Scope> {
  const began = yield* Clock.currentTimeMillis
  const seconds = waitMilliseconds / 1000
  for (let isReported = false; ; isReported = true) {
    const opened = yield* Effect.result(hosts.open(session, "takes writes"))
    if (Result.isSuccess(opened)) return opened.success
    const { failures, message } = opened.failure
    if (failures.some(({ kind }) => kind === "settings lost")) return yield* poolingRefused(name)
    if (!isTransient(opened.failure)) return yield* new DatabaseNotUsable({ message: `${name}: ${message}` })
    if ((yield* Clock.currentTimeMillis) - began >= waitMilliseconds) {
      return yield* new DatabaseNotUsable({
        message: `${name}: no database took writes within ${seconds} seconds (${message}): name the primary`
      })
    }
    if (!isReported) {
      yield* Console.error(
        `countersign: ${name}: waiting up to ${seconds} seconds for a database that takes writes (${message})`
      )
    }
    yield* Effect.sleep(limits.databasePoll)
  }
})

/** True for transient states only: a server that is down or refuses the password fails the start at once. */
const isTransient = ({ failures }: NoHostAvailable): boolean =>
  failures.some(({ kind }) => kind === "may take writes later")

const roundsMax = 5

/**
 * Checks whether two open connections share one server session, or one connection uses several. While the second one is
 * inside a transaction it holds a session, so a pooler must give the first one another.
 */
const losesSessions = (
  hosts: DatabaseHosts,
  first: OpenConnection,
  session: SessionOptions
): Effect.Effect<boolean, DatabaseNotUsable> =>
  Effect.gen(function* () {
    const second = yield* hosts.open(session)
    for (let round = 0; round < roundsMax; round++) {
      yield* second.answered(second.connection.query("begin", [], false))
      const processes = yield* Effect.forEach([second, first], processOf)
      yield* second.answered(second.connection.query("rollback", [], false))
      if (processes[0] !== second.serverProcess || processes[1] !== first.serverProcess) return true
      if (processes[0] === processes[1]) return true
    }
    return false
  }).pipe(
    Effect.scoped,
    // A pooler that refuses a second connection or a transaction keeps no sessions either.
    Effect.catch(() => Effect.succeed(true))
  )

const processOf = ({ connection, answered }: OpenConnection) =>
  Effect.map(answered(connection.queryValues("select pg_backend_pid()", [], false)), ([row]) => Number(row?.[0]))

const poolingRefused = (name: string) =>
  new DatabaseNotUsable({
    message:
      `${name} leads to a pooler that does not keep a session for each connection, which locks, LISTEN and timeouts need:` +
      " use its session mode (in pgbouncer pool_mode = session) or the address of Postgres itself"
  })
