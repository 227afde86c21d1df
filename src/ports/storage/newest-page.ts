/** Pages of lists that are ordered by an instant, the newest first, and that a person turns in both directions. */
import { Effect } from "effect"
import type { Instant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import type { IndexOf, Range, Reader } from "../storage.ts"
import type { AnyTable, RowOf } from "../table.ts"
import type { Listing } from "./page.ts"
import { readTogether } from "./run.ts"
import { compareText } from "./stored-values.ts"

/** The place of an item in its list: pages begin after one, so that what is inserted meanwhile moves no item. */
export interface ListPosition {
  readonly at: Instant
  readonly id: string
}

/** A page of at most `limit` items: those older than `after`, those newer than `before`, or else the newest. */
export interface NewestPageRequest {
  readonly after?: ListPosition | undefined
  readonly before?: ListPosition | undefined
  readonly limit: number
}

export interface NewestPage<Item> {
  readonly items: ReadonlyArray<Item>
  /** The position after which the next page begins; null where nothing older follows. */
  readonly older: ListPosition | null
  /** The position before which the previous page ends; null on the newest page. */
  readonly newer: ListPosition | null
}

/** Where the rows of a list are: in ranges of indexes that end in an instant and an id, after the values of the prefix. */
export interface NewestSource<T extends AnyTable> {
  readonly table: T
  /** An id that several of them have is in a page once, with its newest row. */
  readonly ranges: ReadonlyArray<{ readonly index: IndexOf<T>; readonly prefix: Range["prefix"] }>
  readonly positionOf: (row: RowOf<T>) => ListPosition
  readonly matching?: Range["matching"]
}

/** One row more than the page holds of each range; only a page that became the newest is read again. */
export const readNewestPage = Effect.fnUntraced(function* <T extends AnyTable>(
  reader: Reader,
  source: NewestSource<T>,
  { after, before, limit }: NewestPageRequest
): Effect.fn.Return<NewestPage<RowOf<T>>> {
  if (before !== undefined) {
    const found = yield* readFrom(reader, source, before, "ascending", limit)
    if (found.hasMore) {
      const items = found.rows.toReversed()
      return { items, older: source.positionOf(items.at(-1)!), newer: source.positionOf(items[0]!) }
    }
  }
  const place = before === undefined ? after : undefined
  const { rows, hasMore } = yield* readFrom(reader, source, place, "descending", limit)
  return {
    items: rows,
    older: hasMore ? source.positionOf(rows.at(-1)!) : null,
    newer: place === undefined ? null : rows.length === 0 ? place : source.positionOf(rows[0]!)
  }
})

/** A page of at most `limits.entriesListed` rows, which begins after the row with this id; with the newest without one. */
export const readNewestListing = Effect.fnUntraced(function* <T extends AnyTable>(
  reader: Reader,
  source: NewestSource<T>,
  after: string | undefined
) {
  const position = after === undefined ? undefined : yield* positionOfId(reader, source, after)
  const { items, older } = yield* readNewestPage(reader, source, { after: position, limit: limits.entriesListed })
  return { items, next: older?.id ?? null } satisfies Listing<RowOf<T>>
})

/** Only the id of a row of these ranges is accepted, so that no position of another list is disclosed. */
const positionOfId = Effect.fnUntraced(function* <T extends AnyTable>(
  reader: Reader,
  { table, ranges, positionOf }: NewestSource<T>,
  id: string
) {
  const row = yield* reader.get(table, [id])
  const { ordered }: AnyTable = table
  const isListed =
    row !== undefined &&
    ranges.some(({ index, prefix }) =>
      prefix.every((value, at) => row[ordered[index]![at]! as keyof typeof row] === value)
    )
  if (isListed) return positionOf(row)
  const issues = [{ path: "after", message: "The value must be the next of an earlier page of this list." }]
  return yield* refuse("INVALID_REQUEST", { issues })
})

const readFrom = Effect.fnUntraced(function* <T extends AnyTable>(
  reader: Reader,
  { table, ranges, positionOf, matching }: NewestSource<T>,
  place: ListPosition | undefined,
  direction: "ascending" | "descending",
  limit: number
) {
  const found = yield* readTogether(
    ranges.map(({ index, prefix }) =>
      reader.range(table, index, {
        prefix,
        direction,
        limit: limit + 1,
        ...(place && { after: [place.at, place.id] }),
        ...(matching && { matching })
      })
    )
  )
  // Stable, and a later entry of a map replaces an earlier one: among equal rows, that of the last range is kept.
  const inOrder = found.flat().toSorted((one, other) => comparePositions(positionOf(one), positionOf(other)))
  const byId = new Map(inOrder.map((row) => [positionOf(row).id, row]))
  const rows = inOrder.filter((row) => byId.get(positionOf(row).id) === row)
  if (direction === "descending") rows.reverse()
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit }
})

const comparePositions = (one: ListPosition, other: ListPosition): number =>
  compareText(one.at, other.at) || compareText(one.id, other.id)
