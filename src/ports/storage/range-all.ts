/** Every row of a range, page by page, where a list must not be truncated. */
import { Effect } from "effect"
import type { IndexOf, KeyValue, Range, Reader } from "../storage.ts"
import type { AnyTable, RowOf } from "../table.ts"

const rowsPerPage = 500

/** Reads until a page is not full; memory grows with the rows, so the range must be small. */
export const rangeAll = Effect.fnUntraced(function* <T extends AnyTable>(
  reader: Reader,
  table: T,
  index: IndexOf<T>,
  range: Pick<Range, "prefix" | "after" | "direction">
) {
  const declared: AnyTable = table
  const columns: ReadonlyArray<string> = index === "key" ? declared.key : declared.ordered[index]
  const cursorOf = (row: RowOf<T>): ReadonlyArray<KeyValue> =>
    columns.slice(range.prefix.length).map((column) => row[column] as KeyValue)
  const rows: Array<RowOf<T>> = []
  let after = range.after
  while (true) {
    const page = yield* reader.range(table, index, { ...range, ...(after && { after }), limit: rowsPerPage })
    rows.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < rowsPerPage) return rows
    after = cursorOf(last)
  }
})
