/** A database in memory: its content and locks. Several services share one, as several processes share a Postgres. */
import { inDueOrder } from "../../src/ports/key-order.ts"
import { RootQueue } from "../../src/ports/root-queue.ts"
import type { Claim, Root } from "../../src/ports/storage.ts"
import { canBeShared, type AnyTable, type RootKind, type RowOf, type SharedRootKind } from "../../src/ports/table.ts"
import { StorageMisuse } from "../../src/ports/held-roots.ts"
import {
  rowsDue,
  emptyContent,
  hashOf,
  isViolation,
  replaced,
  rowAt,
  written,
  type Content,
  type Violation,
  type Write
} from "./content.ts"

/** The tables whose rows are lockable roots, as in the Postgres adapter. */
export type RootTables = { readonly [K in Exclude<RootKind, SharedRootKind>]?: AnyTable }

export class MemoryStore {
  readonly locks = new RootQueue()
  readonly #rootTables: RootTables
  #content: Content

  constructor(rootTables: RootTables, content: Content = emptyContent) {
    this.#rootTables = rootTables
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
    return new MemoryStore(this.#rootTables, this.#content)
  }

  /** Restores earlier rows. */
  restore(content: Content): void {
    this.#content = content
  }

  /** A root that is a row can be locked only if the row exists. */
  isLockable(root: Root): boolean {
    const table = canBeShared(root.kind) ? undefined : this.#rootTables[root.kind]
    return table === undefined || rowAt(this.#content, table, "key", [root.id]) !== undefined
  }

  /** Applies all writes, or none if one is refused. */
  commit(writes: ReadonlyArray<Write>): Violation | undefined {
    const result = written(this.#content, writes)
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
      this.#content = replaced(this.#content, table, row, claimed)
      return claimed
    })
  }
}
