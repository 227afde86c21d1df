/** A primary with a replica, how the replica is held back, and the reads that each of the two served. */
import { PgConnection } from "@effect/sql-pg"
import { Effect, Metric, Schedule } from "effect"
import { migrate } from "../../src/adapters/migrator.ts"
import * as PostgresStorage from "../../src/adapters/postgres-storage/layer.ts"
import { migrations } from "../../src/migrations/all.ts"
import { schemaRangeOf } from "../../src/migrations/migration.ts"
import { lockTables, tables } from "../../src/tables.ts"
import { primaryAndStandby, type Cluster, type Clusters } from "./clusters.ts"
import { execute, valuesOf } from "./postgres.ts"

/** A migrated primary and its standby, both running. */
export const primaryAndReplica = Effect.gen(function* () {
  const clusters = yield* Effect.orDie(primaryAndStandby)
  yield* clusters.primary.start()
  yield* clusters.standby.start()
  yield* Effect.orDie(migrate(clusters.primary.connection, migrations))
  return clusters
})

export const replicatedStorage = ({ primary, standby }: Clusters, options: Partial<PostgresStorage.Options> = {}) =>
  PostgresStorage.layer({
    connection: primary.connection,
    replica: standby.connection,
    tables,
    lockTables,
    schema: schemaRangeOf(migrations),
    ...options
  })

export const valueOf = ({ connection }: Cluster, query: string) =>
  Effect.map(valuesOf(connection, query), (rows) => (rows as ReadonlyArray<ReadonlyArray<unknown>>)[0]![0])

/** Meanwhile the standby shows nothing that commits. */
export const whilePaused = <A, E, R>({ standby }: Clusters, effect: Effect.Effect<A, E, R>) =>
  Effect.andThen(execute(standby.connection, ["select pg_wal_replay_pause()"]), effect).pipe(
    Effect.ensuring(execute(standby.connection, ["select pg_wal_replay_resume()"]))
  )

export const promote = ({ standby }: Clusters) => execute(standby.connection, ["select pg_promote()"])

/** How many reads were served: `replica`, or the reason why the primary served them. */
export const servedReads = Effect.map(Metric.snapshot, (all) => {
  const counts: Record<string, number> = {}
  for (const metric of all) {
    if (metric.id !== "countersign_replica_reads_total" || metric.type !== "Counter") continue
    const { source, reason } = metric.attributes as Record<string, string>
    counts[source === "replica" ? "replica" : reason!] = Number(metric.state.count)
  }
  return counts
})

/** What an effect returns, with the reads that were served during it. */
export const countingReads = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* servedReads
    const value = yield* effect
    const after = yield* servedReads
    const served = Object.entries(after).map(([by, count]) => [by, count - (before[by] ?? 0)] as const)
    return { value, served: Object.fromEntries(served.filter(([, count]) => count > 0)) }
  })

/** Repeats a read until it is served like this, for 30 seconds at most. */
export const untilServedBy = <A, E, R>(by: string, read: Effect.Effect<A, E, R>) =>
  Effect.retry(
    Effect.flatMap(countingReads(read), ({ served }) => (by in served ? Effect.void : Effect.fail(served))),
    { schedule: Schedule.spaced("100 millis"), times: 300 }
  )

/** A session that holds its transaction open. */
export const openSession = ({ connection }: Cluster) =>
  Effect.orDie(PgConnection.make({ ...connection, multiplex: true }))
