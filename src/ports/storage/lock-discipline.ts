/**
 * Lock discipline of one transaction, without I/O: which locks are held, in which order they may be taken, and which rows
 * may therefore be read and written. Both stores enforce it with this class.
 */
import { Context, Effect } from "effect"
import type { KeyValue, LockPlan, LockKey } from "../storage.ts"
import { canBeShared, changeGuard, lockKinds, type AnyTable, type LockKind } from "../table.ts"

/** A violation of the lock discipline, or a value that no store can hold: a defect of the program. */
export class StorageMisuse extends Error {
  override readonly name = "StorageMisuse"
}

export class LockDiscipline {
  readonly #held = new Map<string, LockKey["mode"]>()
  readonly #exclusive = new Map<LockKind, Array<string>>()
  readonly #deferred: ReadonlyArray<LockKey>
  #last: LockKey | undefined
  #timeWasRead = false

  constructor(plan: LockPlan) {
    this.#deferred = plan.deferred ?? []
  }

  /** Records a lock of the plan. */
  take(lockKey: LockKey): void {
    this.#hold(lockKey)
    this.#last = lockKey
  }

  /** Records a deferred lock; false where it is already held. */
  takeDeferred(lockKey: LockKey): boolean {
    const held = this.#held.get(lockName(lockKey))
    if (held === "exclusive" || held === lockKey.mode) return false
    if (held !== undefined) throw new StorageMisuse(`${lockName(lockKey)} is held shared and cannot become exclusive`)
    if (!this.#deferred.some((other) => lockName(other) === lockName(lockKey) && other.mode === lockKey.mode)) {
      throw new StorageMisuse(`${lockName(lockKey)} is not among the deferred locks of the plan`)
    }
    if (this.#timeWasRead) throw new StorageMisuse(`${lockName(lockKey)} is locked after the time was read`)
    if (this.#last !== undefined && compareLocks(this.#last, lockKey) >= 0) {
      throw new StorageMisuse(`${lockName(lockKey)} is locked after ${lockName(this.#last)}, against the lock order`)
    }
    this.take(lockKey)
    return true
  }

  readTime(): void {
    this.#timeWasRead = true
  }

  /** Rejects a lookup whose columns already determine a lock that is not held. */
  checkLookup(table: AnyTable, columns: ReadonlyArray<string>, values: ReadonlyArray<KeyValue>): void {
    if (table.guard === "append-only") return
    const at = columns.indexOf(table.guard.by)
    if (at >= 0 && at < values.length) this.#requireHeld(table, table.guard.lock, values[at], "read")
  }

  /** A filter looks at rows of any lock: only a view has one. */
  checkFilter(table: AnyTable): never {
    throw new StorageMisuse(`a range of ${table.name} is filtered inside a transaction`)
  }

  checkRowRead(table: AnyTable, row: Readonly<Record<string, unknown>>): void {
    if (table.guard !== "append-only") this.#requireHeld(table, table.guard.lock, row[table.guard.by], "read")
  }

  /** A new row that is its own lock key is held from then on: no other transaction sees it before the commit. */
  checkInsert(table: AnyTable, row: Readonly<Record<string, unknown>>): void {
    if (table.guard === "append-only") return
    const { lock, by } = table.guard
    const id = row[by]
    if (isLockTable(table) && typeof id === "string" && !this.#held.has(`${lock} ${id}`)) {
      return this.#hold({ kind: lock, id, mode: "exclusive" })
    }
    this.#requireHeld(table, lock, id, "written")
  }

  /** The ids whose rows of this table may be changed in these columns, or removed where none are given. */
  idsToChange(table: AnyTable, changed: ReadonlyArray<string> = []): ReadonlyArray<string> {
    const guard = changeGuard(table, changed)
    if (guard === undefined || table.provesCommit) {
      throw new StorageMisuse(`rows of ${table.name} are append-only and never change`)
    }
    const ids = this.#exclusive.get(guard.lock) ?? []
    if (ids.length === 0) {
      throw new StorageMisuse(`${table.name} is written without an exclusive ${guard.lock} lock`)
    }
    return ids
  }

  #hold(lockKey: LockKey): void {
    this.#held.set(lockName(lockKey), lockKey.mode)
    if (lockKey.mode === "shared") return
    const ids = this.#exclusive.get(lockKey.kind)
    if (ids === undefined) this.#exclusive.set(lockKey.kind, [lockKey.id])
    else ids.push(lockKey.id)
  }

  #requireHeld(table: AnyTable, kind: LockKind, id: unknown, use: "read" | "written"): void {
    const mode = this.#held.get(`${kind} ${String(id)}`)
    if (mode === undefined)
      throw new StorageMisuse(`${table.name} is ${use} but its lock, ${kind} ${String(id)}, is not held`)
    if (use === "written" && mode === "shared") {
      throw new StorageMisuse(`${table.name} is written but its lock, ${kind} ${String(id)}, is held shared`)
    }
  }
}

/** Set inside a transaction or view: opening another store operation there would deadlock. */
export const InsideTransaction = Context.Reference<boolean>("countersign/ports/InsideTransaction", {
  defaultValue: () => false
})

/** Runs a store operation, unless a transaction of this fiber is open already. */
export const outsideTransaction = <A, E, R>(operation: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(InsideTransaction, (inside) => {
    if (inside) throw new StorageMisuse("a store operation is opened inside a transaction")
    return operation()
  })

/** Lock keys in locking order without duplicates; a key requested in both modes is exclusive. */
export const inLockingOrder = (locks: ReadonlyArray<LockKey>): ReadonlyArray<LockKey> => {
  const strongest = new Map<string, LockKey>()
  for (const lockKey of locks) {
    if (lockKey.mode === "shared" && !canBeShared(lockKey.kind)) {
      throw new StorageMisuse(`${lockName(lockKey)} cannot be held shared`)
    }
    if (strongest.get(lockName(lockKey))?.mode !== "exclusive") strongest.set(lockName(lockKey), lockKey)
  }
  return [...strongest.values()].sort(compareLocks)
}

const compareLocks = (a: LockKey, b: LockKey): number =>
  lockKinds.indexOf(a.kind) - lockKinds.indexOf(b.kind) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

const isLockTable = (table: AnyTable): boolean =>
  table.guard !== "append-only" && table.key.length === 1 && table.key[0] === table.guard.by

const lockName = (lockKey: LockKey): string => `${lockKey.kind} ${lockKey.id}`
