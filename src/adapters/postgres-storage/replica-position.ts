/**
 * Where a primary and its replica are in one history, and how a snapshot of the replica relates to the primary. A commit that
 * waits for its synchronous standby is in the log, and on replicas, before the primary shows it and before it is certain to
 * survive.
 */
import { PgTypes } from "@effect/sql-pg"
import type { Statement } from "./statements.ts"

export interface PrimaryPosition {
  /** The identifier that a cluster shares with its copies. */
  readonly cluster: bigint
  readonly timeline: number
  /** An end of the log behind the record of every commit that was visible. */
  readonly logEnd: bigint
  /** No transaction from this id on had ended. */
  readonly unendedFrom: bigint
  /** The earlier transactions that had not ended. */
  readonly unended: ReadonlyArray<bigint>
}

/** A snapshot of a replica. */
export interface ReplicaSnapshot {
  readonly cluster: bigint
  readonly timeline: number
  /** It has every commit before this end of a replayed record. */
  readonly replayed: bigint
  /** True where it was taken before the server was promoted, if it was. */
  readonly isOfStandby: boolean
  /** It has no commit of a transaction from this id on. */
  readonly end: bigint
}

// A visible commit is flushed; what is inserted behind it may wait for the flush of a later one. Only where the setting of the
// server has turned to off since the sessions of the service began, commits are visible before.
export const primaryPosition: Statement = {
  sql:
    "select system_identifier, left(pg_walfile_name(lsn), 8), (lsn - '0/0'::pg_lsn)::bigint, pg_current_snapshot()::text" +
    " from pg_control_system(), (select case current_setting('synchronous_commit') when 'off'" +
    " then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end as lsn) as log",
  parameters: [],
  label: "position of the primary"
}

type Row = ReadonlyArray<unknown>

export const primaryPositionOf = ([cluster, timeline, logEnd, snapshot]: Row): PrimaryPosition => {
  const [, unendedFrom = "", unended = ""] = String(snapshot).split(":")
  return {
    cluster: cluster as bigint,
    timeline: Number.parseInt(String(timeline), 16),
    logEnd: logEnd as bigint,
    unendedFrom: BigInt(unendedFrom),
    unended: unended === "" ? [] : unended.split(",").map(BigInt)
  }
}

// Each of the timelines is one that the replica has followed. The last is hidden from a role without pg_read_all_stats; the
// others reach a new timeline with the first pages that the replica writes to its disk.
export const replicaPosition: Statement = {
  sql:
    "select system_identifier, greatest(min_recovery_end_timeline, timeline_id, (select received_tli from pg_stat_wal_receiver))," +
    " coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0)::bigint" +
    " from pg_control_system(), pg_control_recovery(), pg_control_checkpoint()",
  parameters: [],
  label: "position of the replica"
}

/** In the transaction of a view, whose snapshot it takes. */
export const snapshotOfView: Statement = {
  sql: "select pg_is_in_recovery(), pg_snapshot_xmax(pg_current_snapshot())::text",
  parameters: [],
  label: "snapshot of the replica"
}

/** From a position, and a snapshot that was taken after it. */
export const replicaSnapshotOf = ([cluster, timeline, replayed]: Row, [isStandby, end]: Row): ReplicaSnapshot => ({
  cluster: cluster as bigint,
  timeline: Number(timeline),
  replayed: replayed as bigint,
  isOfStandby: isStandby === true,
  end: BigInt(String(end))
})

/** Why this server is no replica of that primary, a predicate; undefined where it is one. */
export const unfitness = (primary: PrimaryPosition, replica: ReplicaSnapshot): string | undefined => {
  if (!replica.isOfStandby) return "is no standby any more"
  if (replica.cluster !== primary.cluster) return "is a copy of another cluster"
  if (replica.timeline === primary.timeline) return undefined
  return `is on timeline ${replica.timeline}, and the primary on ${primary.timeline}`
}

/** True where the snapshot has every commit that was visible on the primary. */
export const hasReplayed = (primary: PrimaryPosition, replica: ReplicaSnapshot): boolean =>
  replica.replayed >= primary.logEnd

/** Whether the replica shows the commit of one of these transactions. */
export const anyCommitted = (ids: ReadonlyArray<bigint>): Statement => ({
  sql: "select bool_or(pg_xact_status(id) = 'committed') from unnest(string_to_array($1, ',')::xid8[]) as id",
  parameters: [PgTypes.text(ids.join(","))],
  label: "commits of the replica"
})
