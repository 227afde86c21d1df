/** Pagination over an ordered index. */
import { Effect } from "effect"
import type { IndexOf, KeyValue, Range, Reader } from "../storage.ts"
import type { AnyTable, RowOf } from "../table.ts"

/** The cursor of a page, exclusive, and its maximum number of rows. */
export interface PageRequest<Place> {
  readonly after: Place | undefined
  readonly limit: number
}

export interface Page<Row> {
  readonly rows: ReadonlyArray<Row>
  /** True where rows follow the last one. */
  readonly hasMore: boolean
}

/** Reads one row more than the page holds, and no other. */
export const readPage = <T extends AnyTable>(
  reader: Reader,
  table: T,
  index: IndexOf<T>,
  { prefix, direction }: Pick<Range, "prefix" | "direction">,
  { after, limit }: PageRequest<ReadonlyArray<KeyValue>>
): Effect.Effect<Page<RowOf<T>>> => {
  const range = { prefix, limit: limit + 1, ...(direction && { direction }), ...(after && { after }) }
  return Effect.map(reader.range(table, index, range), (found) => ({
    rows: found.slice(0, limit),
    hasMore: found.length > limit
  }))
}

/** A page of items in the order of their ids: the cursor of the next page is the last id of this one. */
export interface Listing<Item> {
  readonly items: ReadonlyArray<Item>
  /** Null at the end. */
  readonly next: string | null
}

/** A page of the rows with the first value that is given, by the index of its name; of all rows where none is. */
export const readListing = <T extends AnyTable>(
  reader: Reader,
  table: T,
  { after, limit }: PageRequest<string>,
  values: { readonly [Index in IndexOf<T>]?: string | undefined } = {}
): Effect.Effect<Listing<RowOf<T>>> => {
  const given = Object.entries(values).find((entry): entry is [keyof typeof values, string] => entry[1] !== undefined)
  const [index, ...prefix] = given ?? (["key"] as const)
  const idColumn: keyof RowOf<T> = (table as AnyTable).key.at(-1)!
  const page = readPage(reader, table, index, { prefix }, { after: after === undefined ? undefined : [after], limit })
  return Effect.map(page, ({ rows, hasMore }) => ({
    items: rows,
    next: hasMore ? String(rows.at(-1)?.[idColumn]) : null
  }))
}
