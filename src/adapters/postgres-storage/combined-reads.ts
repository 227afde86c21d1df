/** Combines simultaneous reads into as few statements as possible: each statement costs an answer of its own. */
import type { KeyValue, Range } from "../../ports/storage.ts"
import type { AnyTable, Column } from "../../ports/table.ts"
import { columnsOf } from "./columns.ts"
import { selectRange, selectRanges, selectRow, selectRows, type Statement } from "./statements.ts"

/** The row with these values in the columns of a key or a unique index, or a range of an index of these columns. */
export interface Read {
  readonly table: AnyTable
  readonly columns: ReadonlyArray<string>
  readonly wanted: ReadonlyArray<KeyValue> | Range
}

type Rows = ReadonlyArray<ReadonlyArray<unknown>>

export interface CombinedRead<A> {
  readonly statement: Statement
  /** The rows of each read. */
  readonly answers: ReadonlyArray<{ readonly asked: A; readonly pick: (rows: Rows) => Rows }>
}

/** Ordered by the first read of each statement. */
export const combineReads = <A extends { readonly read: Read }>(
  asked: ReadonlyArray<A>
): ReadonlyArray<CombinedRead<A>> => [...Map.groupBy(asked, ({ read }) => groupOf(read)).values()].map(combine)

/** Reads of one group are equal, or differ only in the value of one text column. */
const groupOf = ({ table, columns, wanted }: Read): string => {
  if (isRange(wanted)) {
    const { prefix, after, limit, direction } = wanted
    const differing = distinguishingText({ table, columns, wanted }) === undefined ? [prefix, after] : []
    return JSON.stringify(["range", table.name, columns, limit, direction, ...differing])
  }
  const differing = distinguishingText({ table, columns, wanted }) === undefined ? wanted : []
  return JSON.stringify(["row", table.name, columns, ...differing])
}

/** The text value that distinguishes a read from others of its group, where such reads can share a statement. */
const distinguishingText = ({ table, columns, wanted }: Read): string | undefined => {
  const [leading]: ReadonlyArray<Column<unknown>> = columns.map((column) => table.columns[column])
  if (leading?.type !== "text") return undefined
  if (!isRange(wanted)) return columns.length === 1 ? (wanted[0] as string) : undefined
  const { prefix, after, direction } = wanted
  const isFirst = after === undefined && direction !== "descending"
  return isFirst && prefix.length === 1 && columns.length > 1 ? (prefix[0] as string) : undefined
}

const combine = <A extends { readonly read: Read }>(group: ReadonlyArray<A>): CombinedRead<A> => {
  const { table, columns, wanted } = group[0]!.read
  const texts = [...new Set(group.map(({ read }) => distinguishingText(read)))].filter((text) => text !== undefined)
  if (texts.length <= 1) {
    const statement = isRange(wanted) ? selectRange(table, columns, wanted) : selectRow(table, columns, wanted)
    return { statement, answers: group.map((asked) => ({ asked, pick: (rows) => rows })) }
  }
  const [leading = ""] = columns
  const at = columnsOf(table).indexOf(leading)
  const statement = isRange(wanted)
    ? selectRanges(table, columns, texts, wanted.limit)
    : selectRows(table, leading, texts)
  const answers = group.map((asked) => {
    const text = distinguishingText(asked.read)
    return { asked, pick: (rows: Rows) => rows.filter((row) => row[at] === text) }
  })
  return { statement, answers }
}

const isRange = (wanted: Read["wanted"]): wanted is Range => "prefix" in wanted
