/** What operators watch in the database: the queues of the workers, and the standbys of the primary. */
import { PgTypes, type PgConnection } from "@effect/sql-pg"
import { Clock, Context, Effect } from "effect"
import { StorageUnavailable } from "../../ports/storage.ts"
import type { AnyTable } from "../../ports/table.ts"
import { limits } from "../../vocabulary/limits.ts"
import { columnName, quoted } from "./columns.ts"
import type { Connections } from "./connections.ts"
import { makeStandbyRecord, recordQueue, recordRequirement } from "./monitor-metrics.ts"
import { partialCondition } from "./statements.ts"

export class DatabaseMonitor extends Context.Service<
  DatabaseMonitor,
  {
    /** Reads queues and standbys in one statement each, and records their metrics. Dies where the store is unavailable. */
    readonly pass: Effect.Effect<void>
  }
>()("countersign/adapters/DatabaseMonitor") {}

export const makeMonitor = (
  connections: Connections,
  tables: ReadonlyArray<AnyTable>,
  requireStandby: boolean
): DatabaseMonitor["Service"] => {
  const queues = queuesOf(tables)
  const recordStandbys = makeStandbyRecord()
  return {
    pass: Effect.gen(function* () {
      yield* recordRequirement(requireStandby)
      const read = yield* connections.use((connection) =>
        Effect.all([Effect.exit(readQueues(connection, queues)), readStandbys(connection)])
      )
      if ("_tag" in read) {
        return yield* Effect.die(new StorageUnavailable({ reason: read.failure.reason, mayBeCommitted: false }))
      }
      const [found, standbys] = read
      yield* recordStandbys(standbys)
      yield* Effect.forEach(yield* Effect.orDie(found), recordQueue, { discard: true })
    })
  }
}

/** A table whose rows workers claim, with the statement's part that counts its due rows up to a limit. */
interface Queue {
  readonly name: string
  readonly select: string
}

/** A due row counts whether or not it is leased: one that is claimed again and again must not hide its age. */
const queuesOf = (tables: ReadonlyArray<AnyTable>): ReadonlyArray<Queue> =>
  tables.flatMap((table) => {
    if (table.lease === undefined) return []
    const { dueAt } = table.lease
    const partial = partialCondition(Object.values(table.partial).find((column) => column === dueAt))
    const due =
      `select ${quoted(dueAt)} as due_at from ${quoted(table.name)} where ${quoted(dueAt)} <= $1` +
      `${partial && ` and ${partial}`} order by ${quoted(dueAt)} limit ${limits.queueCounted}`
    const name = columnName(table.name)
    return [{ name, select: `select '${name}', count(*)::int, min(due_at) from (${due}) as due` }]
  })

export interface QueueState {
  readonly name: string
  /** Counted up to `limits.queueCounted`. */
  readonly due: number
  /** How long the oldest has been due, in milliseconds; 0 where none is. */
  readonly age: number
}

const readQueues = Effect.fnUntraced(function* (connection: PgConnection.PgConnection, queues: ReadonlyArray<Queue>) {
  const now = yield* Clock.currentTimeMillis
  const sql = queues.map(({ select }) => select).join(" union all ")
  const rows = yield* connection.queryValues(sql, [PgTypes.timestamptz(now)])
  return rows.map(([name, due, oldest]): QueueState => ({
    name: String(name),
    due: Number(due),
    age: oldest instanceof Date ? Math.max(0, now - oldest.getTime()) : 0
  }))
})

export interface StandbyState {
  /** Its `application_name`. */
  readonly name: string
  readonly isSynchronous: boolean
  readonly lagBytes: number
  readonly lagSeconds: number
}

/** A role that may not read the statistics of other sessions sees the rows without their values. */
const standbysStatement =
  "select application_name, bool_or(sync_state in ('sync', 'quorum'))," +
  " max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::double precision," +
  " max(coalesce(extract(epoch from replay_lag), 0))::double precision" +
  " from pg_stat_replication where not pg_is_in_recovery() and (state is null or state in ('streaming', 'catchup'))" +
  ` group by application_name order by application_name limit ${limits.standbysShown}`

/** Undefined where this server or role does not tell. */
const readStandbys = (connection: PgConnection.PgConnection): Effect.Effect<ReadonlyArray<StandbyState> | undefined> =>
  connection.queryValues(standbysStatement, []).pipe(
    Effect.map((rows) =>
      rows.some(([, isSynchronous]) => isSynchronous === null)
        ? undefined
        : rows.map(([name, isSynchronous, lagBytes, lagSeconds]): StandbyState => ({
            name: String(name),
            isSynchronous: isSynchronous === true,
            lagBytes: Number(lagBytes),
            lagSeconds: Number(lagSeconds)
          }))
    ),
    Effect.catch(() => Effect.undefined)
  )
