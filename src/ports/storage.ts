/**
 * What the service needs from a store. Operations see tables, roots and transactions; the outcome of a commit, retries
 * and connections are the adapter's business. A store that cannot serve dies with `StorageUnavailable`, which the HTTP
 * edge answers with 503; operations themselves show domain refusals only.
 */
import { Context, Data, Effect } from "effect"
import type { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import type { AnyTable, RootKind, RowOf, SharedRootKind } from "./table.ts"

/** Something a transaction locks before it reads what hangs on it. */
export interface Root {
  readonly kind: RootKind
  readonly id: string
  /** Only what an act stands on may be held shared. */
  readonly mode: "shared" | "exclusive"
}

export const shared = (kind: SharedRootKind, id: string): Root => ({ kind, id, mode: "shared" })
export const exclusive = (kind: RootKind, id: string): Root => ({ kind, id, mode: "exclusive" })

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
}

export interface Reader {
  /** The row with that primary key. */
  get<T extends AnyTable>(table: T, key: ReadonlyArray<KeyValue>): Effect.Effect<RowOf<T> | undefined>
  /** The row with those values in a unique index. */
  find<T extends AnyTable>(
    table: T,
    index: keyof T["unique"] & string,
    values: ReadonlyArray<KeyValue>
  ): Effect.Effect<RowOf<T> | undefined>
  /** Rows in the order of an ordered index, or of the primary key where `index` is `"key"`. */
  range<T extends AnyTable>(
    table: T,
    index: (keyof T["ordered"] & string) | "key",
    range: Range
  ): Effect.Effect<ReadonlyArray<RowOf<T>>>
}

/**
 * An open write transaction. Reads see what is committed under the held roots and this transaction's own writes;
 * reading a guarded row whose root is not held is a defect. Writes are queued and go out with the commit. Reads asked
 * for together (`Effect.all` with concurrency) share a round trip.
 */
export interface Transaction extends Reader {
  /** Locks a root that the plan names as deferred. Roots are locked in their order only. */
  lock(root: Root): Effect.Effect<void>
  /** The time of this attempt: read once, after the last lock. Locking after it is a defect. */
  readonly now: Effect.Effect<Instant>
  insert<T extends AnyTable>(table: T, row: RowOf<T>): Effect.Effect<void>
  /** Sets some columns of the row with that primary key, which must exist. Key columns never change. */
  update<T extends AnyTable>(table: T, key: ReadonlyArray<KeyValue>, changes: Partial<RowOf<T>>): Effect.Effect<void>
  remove<T extends AnyTable>(table: T, key: ReadonlyArray<KeyValue>): Effect.Effect<void>
  /** Has `wake` run once this transaction is durable, and never otherwise. It wakes somebody; it does not wait or fail. */
  afterCommit(wake: Effect.Effect<void>): Effect.Effect<void>
}

export interface Plan {
  /** Locked before the body runs. */
  readonly roots: ReadonlyArray<Root>
  /** Locked by the body with `lock` once it knows that it may; queued for in this process from the start. */
  readonly deferred?: ReadonlyArray<Root>
  /** True where a person ends something: it goes ahead of everything that waits inside this process. */
  readonly urgent?: boolean
}

export interface Claim {
  readonly dueBy: Instant
  readonly leaseUntil: Instant
  readonly token: string
  readonly limit: number
}

/** What `/readyz` and the worker loop ask of a store. */
export interface Health {
  readonly writable: boolean
  /** The newest migration that the database has, and the one this program was built for. */
  readonly schema: { readonly found: number; readonly wanted: number }
  /** The store's clock minus ours, in milliseconds. */
  readonly clockOffset: number
}

/** Fit to write: the wanted schema, not read-only, and clocks that agree. */
export const isHealthy = ({ writable, schema, clockOffset }: Health): boolean =>
  writable && schema.found === schema.wanted && Math.abs(clockOffset) <= limits.clockOffset

/** The store cannot serve now. `reason` is for the log, never for an answer. */
export class StorageUnavailable extends Data.TaggedError("StorageUnavailable")<{
  readonly reason: string
  /** True where the answer to a COMMIT was lost and nothing told its outcome; else nothing was committed. */
  readonly mayBeCommitted: boolean
}> {}

export class Storage extends Context.Service<
  Storage,
  {
    /**
     * Runs `body` in one read-write transaction. It commits when the body succeeds and rolls back when it fails; a
     * body may run more than once, and only its last run has an effect. Returns only what is durable. Opening a second
     * transaction from inside a body is a defect.
     */
    transaction<A, E, R>(plan: Plan, body: (transaction: Transaction) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
    /** Runs `body` on one consistent snapshot. */
    view<A, E, R>(body: (reader: Reader) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
    /** Leases up to `limit` due rows of a table that declares a lease; no two claims get the same row. */
    claim<T extends AnyTable>(table: T, claim: Claim): Effect.Effect<ReadonlyArray<RowOf<T>>>
    readonly health: Effect.Effect<Health>
  }
>()("countersign/ports/Storage") {}
