/**
 * Table declarations: each capability declares its tables once, in its `store.ts`. The Postgres adapter derives its
 * statements from the declaration and the memory adapter its maps; a test compares the declaration with the catalog.
 */
import type { Instant } from "../vocabulary/instant.ts"

/** `text` that is hashed or signed keeps its bytes; `json` may be stored in any form that reads back equal. */
export type ColumnType = "text" | "integer" | "boolean" | "instant" | "json"

export interface Column<out T> {
  readonly type: ColumnType
  readonly nullable: boolean
  readonly Value?: T
}

const column = <T>(type: ColumnType): Column<T> => ({ type, nullable: false })

export const text = <T extends string = string>(): Column<T> => column("text")
/** A whole number within ±(2^53 - 1). */
export const integer: Column<number> = column("integer")
export const boolean: Column<boolean> = column("boolean")
export const instant: Column<Instant> = column("instant")
/** A value of `T` as this program wrote it: reading it validates nothing. */
export const json = <T>(): Column<T> => column("json")
export const nullable = <T>(inner: Column<T>): Column<T | null> => ({ type: inner.type, nullable: true })

export type Columns = { readonly [name: string]: Column<unknown> }

/**
 * The kinds of lock in the order in which they are taken. The authority behind an act (a person's sessions, a membership,
 * a grant) can be locked shared; the others are locked exclusively.
 */
export const lockKinds = [
  "person",
  "membership",
  "grant",
  "credential",
  "connection",
  "invitation",
  "contact",
  "item",
  "draft",
  "project",
  "proposal",
  "subscription",
  "event",
  "specification",
  "credit",
  "counter"
] as const
export type LockKind = (typeof lockKinds)[number]

const sharedLockKinds = ["person", "membership", "grant"] as const satisfies ReadonlyArray<LockKind>
export type SharedLockKind = (typeof sharedLockKinds)[number]

export const canBeShared = (kind: LockKind): kind is SharedLockKind =>
  sharedLockKinds.some((shareable) => shareable === kind)

/**
 * Makes reads inside a write transaction exact: either the row's lock is held (`by` names the column that holds its id),
 * or rows of the table never change once inserted.
 */
export type LockGuard<C extends Columns> = { readonly lock: LockKind; readonly by: keyof C & string } | "append-only"

type Names<C extends Columns> = ReadonlyArray<keyof C & string>

export interface Table<
  C extends Columns = Columns,
  U extends { readonly [index: string]: Names<C> } = { readonly [index: string]: Names<C> },
  O extends { readonly [index: string]: Names<C> } = { readonly [index: string]: Names<C> }
> {
  readonly name: string
  readonly columns: C
  readonly key: Names<C>
  readonly guard: LockGuard<C>
  /** In an append-only table: what an erasure of personal data may overwrite. */
  readonly erasable: Erasable<C> | undefined
  /** Unique indexes beside the key. */
  readonly unique: U
  /** Ordered indexes beside the key; no nullable column, every one ends in the whole key. */
  readonly ordered: O
  /** By ordered index: an instant column. The index, and every range of it, leaves out rows in which it is `never`. */
  readonly partial: { readonly [I in keyof O]?: keyof C & string }
  /**
   * True where two transactions may intentionally race for one key, or for one entry of a unique index (a replay key):
   * the loser is retried once and reads the winner's row. Elsewhere a duplicate is a defect.
   */
  readonly raced: boolean
  /**
   * True where a row proves that its transaction was committed: no other transaction writes an equal row, since it holds
   * an id or a hash of its own, and rows never change once inserted.
   */
  readonly provesCommit: boolean
  /** The columns of a worker's lease, where rows are claimed. */
  readonly lease: Lease<C> | undefined
  /**
   * An instant column that never changes: by its month the rows of a table that only grows are partitioned. A change or a
   * removal names its value after the key.
   */
  readonly partition: (keyof C & string) | undefined
}

/**
 * Columns that hold no more than a name or an identity, which nothing decides by: reads without the lock may return the
 * value before the erasure. `lock` and `by` are those of an erasure only.
 */
export interface Erasable<C extends Columns> {
  readonly lock: LockKind
  readonly by: keyof C & string
  readonly columns: Names<C>
}

/** The lock under which these columns of a row may change; undefined where they never do. */
export const changeGuard = (
  { guard, erasable }: AnyTable,
  changed: ReadonlyArray<string>
): { readonly lock: LockKind; readonly by: string } | undefined => {
  if (guard !== "append-only") return guard
  return erasable !== undefined && changed.length > 0 && changed.every((column) => erasable.columns.includes(column))
    ? erasable
    : undefined
}

/** A row is due from `dueAt` on while it is not leased past that moment; `token` is the fencing token of its lease. */
export interface Lease<C extends Columns> {
  readonly dueAt: keyof C & string
  readonly leasedUntil: keyof C & string
  readonly token: keyof C & string
}

export type AnyTable = Table<any, any, any>
export type RowOf<T extends AnyTable> = {
  readonly [K in keyof T["columns"]]: T["columns"][K] extends Column<infer V> ? V : never
}

/** Declares a table. Names are camelCase here and snake_case in SQL. */
export const table = <
  const C extends Columns,
  const U extends { readonly [index: string]: Names<C> } = {},
  const O extends { readonly [index: string]: Names<C> } = {}
>(
  name: string,
  declared: {
    readonly columns: C
    readonly key: Names<C>
    readonly guard: LockGuard<C>
    readonly erasable?: Erasable<C>
    readonly unique?: U
    readonly ordered?: O
    readonly partial?: { readonly [I in keyof O]?: keyof C & string }
    readonly raced?: boolean
    readonly provesCommit?: boolean
    readonly lease?: Lease<C>
    readonly partition?: keyof C & string
  }
): Table<C, U, O> => ({
  name,
  columns: declared.columns,
  key: declared.key,
  guard: declared.guard,
  erasable: declared.erasable,
  unique: declared.unique ?? ({} as U),
  ordered: declared.ordered ?? ({} as O),
  partial: declared.partial ?? {},
  raced: declared.raced ?? false,
  provesCommit: declared.provesCommit ?? false,
  lease: declared.lease,
  partition: declared.partition
})
