/** One page of an ordered index, and where the next one begins. */
import { Effect } from "effect"
import type { KeyValue, Range, Reader } from "./storage.ts"
import type { AnyTable, RowOf } from "./table.ts"

/** Where a page begins, behind the row that `after` names, and how many rows it has at most. */
export interface PageOf<Place> {
  readonly after: Place | undefined
  readonly limit: number
}

export interface Page<Row> {
  readonly rows: ReadonlyArray<Row>
  /** True where rows follow the last one. */
  readonly hasMore: boolean
}

/** Reads one row more than the page has, and no other. */
export const readPage = <T extends AnyTable>(
  reader: Reader,
  table: T,
  index: (keyof T["ordered"] & string) | "key",
  { prefix, direction }: Pick<Range, "prefix" | "direction">,
  { after, limit }: PageOf<ReadonlyArray<KeyValue>>
): Effect.Effect<Page<RowOf<T>>> => {
  const range = { prefix, limit: limit + 1, ...(direction && { direction }), ...(after && { after }) }
  return Effect.map(reader.range(table, index, range), (found) => ({
    rows: found.slice(0, limit),
    hasMore: found.length > limit
  }))
}

/** A page of what has an id: the next one begins behind the last id of this one. */
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

/** The place behind an id, in an index that ends in it. */
export const behind = ({ after, limit }: PageOf<string>): PageOf<ReadonlyArray<KeyValue>> => ({
  after: after === undefined ? undefined : [after],
  limit
})
