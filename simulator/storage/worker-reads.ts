/** What the passes of a worker read: which rows can become due for it, and whether a pass could find the same again. */
import { Effect } from "effect"
import { type Instant, toMilliseconds } from "../../src/vocabulary/instant.ts"
import type { Reader, Storage } from "../../src/ports/storage.ts"
import type { AnyTable } from "../../src/ports/table.ts"
import { allRows, type Content } from "./memory-storage/content.ts"

type StorageShape = Storage["Service"]

/** A row of a table from which the worker claims, and when it becomes due for the worker. */
export interface DueRow {
  readonly table: string
  readonly key: ReadonlyArray<unknown>
  readonly at: number
}

export class WorkerReads {
  /** By name: the tables whose due rows the worker claims. */
  readonly #claimed = new Map<string, AnyTable>()
  #effects = 0

  /** Changes whenever a pass claims rows, opens a transaction, or reads rows whose due times are not known. */
  get effects(): number {
    return this.#effects
  }

  readonly watch = (storage: StorageShape): StorageShape => ({
    ...storage,
    transaction: (plan, body) => Effect.suspend(() => this.#counted(storage.transaction(plan, body))),
    view: (body) => storage.view((reader) => body(this.#watched(reader))),
    claim: (table, claim) =>
      Effect.map(storage.claim(table, claim), (rows) => {
        this.#claimed.set(table.name, table)
        if (rows.length > 0) this.#effects += 1
        return rows
      })
  })

  /** The rows that become due for the worker, the first one first. */
  dueRows(content: Content): ReadonlyArray<DueRow> {
    const rows = [...this.#claimed.values()].flatMap((table) =>
      allRows(content, table).map((row) => ({
        table: table.name,
        key: table.key.map((column) => row[column]),
        at: Math.max(...[table.lease?.dueAt, table.lease?.leasedUntil].map((column) => momentIn(row, column)))
      }))
    )
    return rows.filter(({ at }) => Number.isFinite(at)).toSorted((one, other) => one.at - other.at)
  }

  #counted<A>(run: A): A {
    this.#effects += 1
    return run
  }

  #watched(reader: Reader): Reader {
    const seen =
      (table: AnyTable) =>
      <A>(found: A): A => {
        const isEmpty = found === undefined || (Array.isArray(found) && found.length === 0)
        if (!isEmpty && table.lease === undefined) this.#effects += 1
        return found
      }
    return {
      get: (table, key) => Effect.map(reader.get(table, key), seen(table)),
      find: (table, index, values) => Effect.map(reader.find(table, index, values), seen(table)),
      range: (table, index, wanted) => Effect.map(reader.range(table, index, wanted), seen(table))
    }
  }
}

/** Infinite for a row that is never due again. */
const momentIn = (row: { readonly [column: string]: unknown }, column: string | undefined): number => {
  const value = column === undefined ? null : row[column]
  if (typeof value !== "string") return 0
  const moment = toMilliseconds(value as Instant)
  return moment >= neverMilliseconds ? Number.POSITIVE_INFINITY : moment
}

const neverMilliseconds = Date.UTC(9999, 0)
