/** Pagination over an ordered index. */
import { Effect } from "effect"
import type { KeyValue, Range, Reader } from "../storage.ts"
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
  index: (keyof T["ordered"] & string) | "key",
  { prefix, direction }: Pick<Range, "prefix" | "direction">,
  { after, limit }: PageRequest<ReadonlyArray<KeyValue>>
): Effect.Effect<Page<RowOf<T>>> => {
  const range = { prefix, limit: limit + 1, ...(direction && { direction }), ...(after && { after }) }
  return Effect.map(reader.range(table, index, range), (found) => ({
    rows: found.slice(0, limit),
    hasMore: found.length > limit
  }))
}

/** A page of items with an id: the cursor of the next page is the last id of this one. */
export interface Listing<Item> {
  readonly items: ReadonlyArray<Item>
  /** Null at the end. */
  readonly next: string | null
}

export const listingOf = <Row, Item>(
  { rows, hasMore }: Page<Row>,
  items: ReadonlyArray<Item>,
  placeOf: (row: Row) => string
): Listing<Item> => {
  const last = rows.at(-1)
  return { items, next: hasMore && last !== undefined ? placeOf(last) : null }
}

/** The cursor after an id, in an index that ends in it. */
export const afterId = ({ after, limit }: PageRequest<string>): PageRequest<ReadonlyArray<KeyValue>> => ({
  after: after === undefined ? undefined : [after],
  limit
})
