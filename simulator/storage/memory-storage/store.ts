/** A database in memory: its content and locks. Several services share one, as several processes share a Postgres. */
import { inDueOrder } from "../../../src/ports/storage/key-order.ts"
import { LockQueue } from "../../../src/ports/storage/lock-queue.ts"
import type { Claim, LockKey } from "../../../src/ports/storage.ts"
import { canBeShared, type AnyTable, type LockKind, type RowOf, type SharedLockKind } from "../../../src/ports/table.ts"
import { StorageMisuse } from "../../../src/ports/storage/lock-discipline.ts"
import {
  rowsDue,
  emptyContent,
  hashOf,
  isViolation,
  replaceRow,
  rowAt,
  applyWrites,
  type Content,
  type ConstraintViolation,
  type Write
} from "./content.ts"

/** The tables whose rows are lockable locks, as in the Postgres adapter. */
export type RootTables = { readonly [K in Exclude<LockKind, SharedLockKind>]?: AnyTable }

export class MemoryStore {
  readonly locks = new LockQueue()
  readonly #lockTables: RootTables
  #content: Content

  constructor(lockTables: RootTables, content: Content = emptyContent) {
    this.#lockTables = lockTables
    this.#content = content
  }

  get content(): Content {
    return this.#content
  }

  /** A digest of all rows. */
  hash(): string {
    return hashOf(this.#content)
  }

  /** An independent store with the same rows and no locks; requires that no transaction is open. */
  fork(): MemoryStore {
    return new MemoryStore(this.#lockTables, this.#content)
  }

  /** Restores earlier rows. */
  restore(content: Content): void {
    this.#content = content
  }

  /** A root that is a row can be locked only if the row exists. */
  isLockable(root: LockKey): boolean {
    const table = canBeShared(root.kind) ? undefined : this.#lockTables[root.kind]
    return table === undefined || rowAt(this.#content, table, "key", [root.id]) !== undefined
  }

  /** Applies all writes, or none if one is refused. */
  commit(writes: ReadonlyArray<Write>): ConstraintViolation | undefined {
    const result = applyWrites(this.#content, writes)
    if (isViolation(result)) return result
    this.#content = result
    return undefined
  }

  claim<T extends AnyTable>(table: T, claim: Claim): ReadonlyArray<RowOf<T>> {
    if (table.lease === undefined) throw new StorageMisuse(`${table.name} declares no lease`)
    const { dueAt, leasedUntil, token } = table.lease
    const due = rowsDue(this.#content, table, dueAt, claim.dueBy).filter((row) => {
      const until = row[leasedUntil] as string | null
      return until === null || until <= claim.dueBy
    })
    const chosen = inDueOrder(table, due as ReadonlyArray<RowOf<T>>).slice(0, claim.limit)
    return chosen.map((row) => {
      const claimed = { ...row, [leasedUntil]: claim.leaseUntil, [token]: claim.token }
      this.#content = replaceRow(this.#content, table, row, claimed)
      return claimed
    })
  }
}
