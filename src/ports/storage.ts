/**
 * The storage port. Operations see tables, locks and transactions; the outcome of a commit, retries and connections are
 * the adapter's responsibility. An unavailable store dies with `StorageUnavailable`, which the HTTP edge answers with 503;
 * operations themselves return domain refusals only.
 */
import { Context, Data, Effect } from "effect"
import type { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import type { AnyTable, LockKind, RowOf, SharedLockKind } from "./table.ts"

/** A lock that a transaction takes before it reads the rows under it. */
export interface LockKey {
  readonly kind: LockKind
  readonly id: string
  /** Only people, memberships and grants may be locked shared. */
  readonly mode: "shared" | "exclusive"
}

export const shared = (kind: SharedLockKind, id: string): LockKey => ({ kind, id, mode: "shared" })
export const exclusive = (kind: LockKind, id: string): LockKey => ({ kind, id, mode: "exclusive" })

/** A value of the primary key or of an index, in the order of its declaration. */
export type KeyValue = string | number | boolean

export interface Range {
  /** Values of the leading columns; every row returned has exactly these. */
  readonly prefix: ReadonlyArray<KeyValue>
  /** Values of all columns of the index after the prefix: rows strictly past them. */
  readonly after?: ReadonlyArray<KeyValue>
  readonly limit: number
  /** `ascending` where absent. */
  readonly direction?: "ascending" | "descending"
  /** Leaves out the rows that do not match; in views only, since no lock keeps the rows that it looks at. */
  readonly matching?: RangeFilter
}

/**
 * Conditions for lists of people. The store reads past the rows that do not match, in the order of the index, so that a
 * range with few matches costs as much as all rows of its prefix.
 */
export interface RangeFilter {
  /** On the row itself. */
  readonly own?: ReadonlyArray<FilterCondition>
  /** On the row of another table whose primary key is the value of one text column. */
  readonly related?: RelatedConditions
}

export interface RelatedConditions {
  readonly table: AnyTable
  /** The column of the range's table with the primary key of that row. */
  readonly by: string
  /** At least one; all of them hold. */
  readonly conditions: ReadonlyArray<FilterCondition>
}

/** A text column has one of these values, or contains this text; one that is null does neither. */
export type FilterCondition =
  | { readonly column: string; readonly among: ReadonlyArray<string> }
  | { readonly column: string; readonly contains: string }

/** The indexes that rows can be read in the order of. */
export type IndexOf<T extends AnyTable> = (keyof T["ordered"] & string) | (keyof T["unique"] & string) | "key"

export interface Reader {
  /** The row with that primary key. */
  get<T extends AnyTable>(table: T, key: ReadonlyArray<KeyValue>): Effect.Effect<RowOf<T> | undefined>
  /** The row with those values in a unique index. */
  find<T extends AnyTable>(
    table: T,
    index: keyof T["unique"] & string,
    values: ReadonlyArray<KeyValue>
  ): Effect.Effect<RowOf<T> | undefined>
  /** Rows in the order of an ordered or unique index, or of the primary key where `index` is `"key"`. */
  range<T extends AnyTable>(table: T, index: IndexOf<T>, range: Range): Effect.Effect<ReadonlyArray<RowOf<T>>>
}

/**
 * An open write transaction. Reads see the committed state under the held locks and this transaction's own writes;
 * reading a guarded row whose lock is not held is a defect. Writes are queued and sent with the commit. Reads requested
 * together (`Effect.all` with concurrency) share a round trip.
 */
export interface Transaction extends Reader {
  /**
   * Reads without locks: what they return may have changed by the commit. For the hints of an answer, for limits that
   * concurrent transactions may exceed, and for finding what the plan should have locked, which is then planned again.
   */
  readonly hints: Reader
  /** Takes a lock that the plan names as deferred. Locks are taken in lock order only. */
  lock(lockKey: LockKey): Effect.Effect<void>
  /** The time of this attempt: read once, after the last lock. Locking after it is a defect. */
  readonly now: Effect.Effect<Instant>
  insert<T extends AnyTable>(table: T, row: RowOf<T>): Effect.Effect<void>
  /**
   * Sets some columns of the row with that primary key, which must exist. Key columns never change. In a partitioned table
   * the key is followed by the value of the column that it is partitioned by, here and in `remove`.
   */
  update<T extends AnyTable>(table: T, key: ReadonlyArray<KeyValue>, changes: Partial<RowOf<T>>): Effect.Effect<void>
  remove<T extends AnyTable>(table: T, key: ReadonlyArray<KeyValue>): Effect.Effect<void>
  /** Runs `wake` once this transaction is durable, and never otherwise. It neither waits nor fails. */
  afterCommit(wake: Effect.Effect<void>): Effect.Effect<void>
}

export interface LockPlan {
  /** Locked before the body runs. */
  readonly locks: ReadonlyArray<LockKey>
  /** Taken by the body with `lock` once it knows that it may; queued for in this process from the start. */
  readonly deferred?: ReadonlyArray<LockKey>
  /** True for a stop control (pause, revoke, withdraw): it waits for no other of this process, and takes the next connection. */
  readonly urgent?: boolean
  /** True where the commit need not outlive this machine: sessions and uses, which a person needs to reach a stop control. */
  readonly asynchronous?: boolean
}

/** Whether a transaction waits for a synchronous standby where the operator requires one. */
export const requiresStandby = ({ urgent, asynchronous }: LockPlan): boolean => urgent !== true && asynchronous !== true

export interface Claim {
  readonly dueBy: Instant
  readonly leaseUntil: Instant
  readonly token: string
  readonly limit: number
}

/** The state of a store, for `/readyz` and the workers. */
export interface Health {
  readonly writable: boolean
  /** True where the schema of the database is one that this program works with. */
  readonly schemaFits: boolean
  /** The store's clock minus ours, in milliseconds. */
  readonly clockOffset: number
  /** False where a synchronous standby is required and there is none. */
  readonly replicated: boolean
  /** Why a configured replica serves no reads now, a sentence; absent where it serves them, or where there is none. */
  readonly replicaProblem?: string
}

/** Fit to write: a schema that this program works with, writable, replicated as required, and clocks that agree. */
export const isHealthy = ({ writable, schemaFits, clockOffset, replicated }: Health): boolean =>
  writable && replicated && schemaFits && Math.abs(clockOffset) <= limits.clockOffset

/** The store is unavailable. `reason` is for the log, never for a response. */
export class StorageUnavailable extends Data.TaggedError("StorageUnavailable")<{
  readonly reason: string
  /** True where the outcome of a COMMIT is unknown; otherwise nothing was committed. */
  readonly mayBeCommitted: boolean
}> {}

/** Where a view may be read. */
export interface ViewOptions {
  /** True for a read of an operation that only reads: a replica may serve it. */
  readonly replica?: boolean
}

export class Storage extends Context.Service<
  Storage,
  {
    /**
     * Runs `body` in one read-write transaction. It commits when the body succeeds and rolls back when it fails; a
     * body may run more than once, and only its last run takes effect. Returns only durable results. Opening a second
     * transaction inside a body is a defect.
     */
    transaction<A, E, R>(
      plan: LockPlan,
      body: (transaction: Transaction) => Effect.Effect<A, E, R>
    ): Effect.Effect<A, E, R>
    /**
     * Runs `body` on one consistent snapshot; it may run more than once. Also on a replica the snapshot has every commit
     * that was acknowledged or seen before the call, and none that a later view could lack.
     */
    view<A, E, R>(body: (reader: Reader) => Effect.Effect<A, E, R>, options?: ViewOptions): Effect.Effect<A, E, R>
    /** Leases up to `limit` due rows of a table that declares a lease; no two claims get the same row. */
    claim<T extends AnyTable>(table: T, claim: Claim): Effect.Effect<ReadonlyArray<RowOf<T>>>
    readonly health: Effect.Effect<Health>
  }
>()("countersign/ports/Storage") {}
