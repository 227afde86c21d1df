/** Combines simultaneous reads into as few statements as possible: each statement costs an answer of its own. */
import type { KeyValue, Range } from "../../ports/storage.ts"
import type { AnyTable, Column } from "../../ports/table.ts"
import { columnsOf } from "./columns.ts"
import {
  selectJoined,
  selectRange,
  selectRanges,
  selectRow,
  selectRows,
  type Lookup,
  type Statement
} from "./statements.ts"

/** The row with these values in the columns of a key or a unique index, or a range of an index of these columns. */
export interface Read {
  readonly table: AnyTable
  readonly columns: ReadonlyArray<string>
  readonly wanted: ReadonlyArray<KeyValue> | Range
}

export type Rows = ReadonlyArray<ReadonlyArray<unknown>>

export interface CombinedRead<A> {
  readonly statement: Statement
  /** The rows of each read. */
  readonly answers: ReadonlyArray<Answer<A>>
}

interface Answer<A> {
  readonly asked: A
  readonly pick: (rows: Rows) => Rows
}

/** The rows that single reads ask for are joined into one statement; lists of rows and ranges have their own. */
export const combineReads = <A extends { readonly read: Read }>(
  asked: ReadonlyArray<A>
): ReadonlyArray<CombinedRead<A>> => {
  const combined: Array<CombinedRead<A>> = []
  let joined: Array<JoinedLookup<A>> = []
  for (const group of groupsOf(asked)) {
    const lookup = singleLookup(group)
    if (lookup === undefined) combined.push(combine(group))
    else if (joined.push({ lookup, group }) >= joinedMax) {
      combined.push(join(joined))
      joined = []
    }
  }
  return joined.length > 0 ? [join(joined), ...combined] : combined
}

/** A joined row has at most 1,664 columns, and planning one statement for very many tables is slow. */
const joinedMax = 16

/** Reads of one group are equal, or differ only in the value of one text column. */
const groupsOf = <A extends { readonly read: Read }>(asked: ReadonlyArray<A>): Iterable<ReadonlyArray<A>> =>
  asked.length === 1 ? [asked] : Map.groupBy(asked, ({ read }) => groupOf(read)).values()

const groupOf = (read: Read): string => {
  const { table, columns, wanted } = read
  if (isRange(wanted)) {
    const { prefix, after, limit, direction } = wanted
    const differing = distinguishingText(read) === undefined ? [prefix, after] : []
    return JSON.stringify(["range", table.name, columns, limit, direction, ...differing])
  }
  const differing = distinguishingText(read) === undefined ? wanted : []
  return JSON.stringify(["row", table.name, columns, ...differing])
}

/** The text value that distinguishes a read from others of its group, where such reads can share a statement. */
const distinguishingText = ({ table, columns, wanted }: Read): string | undefined => {
  const leading: Column<unknown> | undefined = table.columns[columns[0] ?? ""]
  if (leading?.type !== "text") return undefined
  if (!isRange(wanted)) return columns.length === 1 ? (wanted[0] as string) : undefined
  const { prefix, after, direction } = wanted
  const isFirst = after === undefined && direction !== "descending"
  return isFirst && prefix.length === 1 && columns.length > 1 ? (prefix[0] as string) : undefined
}

type Group<A> = ReadonlyArray<A>

interface JoinedLookup<A> {
  readonly lookup: Lookup
  readonly group: Group<A>
}

/** The row that every read of the group asks for, if it is one. */
const singleLookup = <A extends { readonly read: Read }>(group: Group<A>): Lookup | undefined => {
  const { table, columns, wanted } = group[0]!.read
  if (isRange(wanted)) return undefined
  const isSame = group.every(({ read }) => distinguishingText(read) === distinguishingText(group[0]!.read))
  return isSame ? { table, columns, values: wanted } : undefined
}

const join = <A>(joined: ReadonlyArray<JoinedLookup<A>>): CombinedRead<A> => {
  const [{ lookup, group }, ...others] = joined as [JoinedLookup<A>, ...Array<JoinedLookup<A>>]
  if (others.length === 0) {
    const { table, columns, values } = lookup
    return { statement: selectRow(table, columns, values), answers: group.map((asked) => ({ asked, pick: wholeRows })) }
  }
  const answers: Array<Answer<A>> = []
  let first = 0
  for (const { lookup, group } of joined) {
    const pick = rowPart(lookup.table, first)
    for (const asked of group) answers.push({ asked, pick })
    first += columnsOf(lookup.table).length
  }
  return { statement: selectJoined(joined.map(({ lookup }) => lookup)), answers }
}

const wholeRows = (rows: Rows): Rows => rows

/** The part of the joined row that belongs to one table; the key of an existing row is not null. */
const rowPart = (table: AnyTable, first: number) => {
  const columns = columnsOf(table)
  const keyAt = first + columns.indexOf(table.key[0]!)
  return ([row = []]: Rows): Rows => (row[keyAt] === null ? [] : [row.slice(first, first + columns.length)])
}

const combine = <A extends { readonly read: Read }>(group: Group<A>): CombinedRead<A> => {
  const { table, columns, wanted } = group[0]!.read
  const texts = [...new Set(group.map(({ read }) => distinguishingText(read)))].filter((text) => text !== undefined)
  if (isRange(wanted) && texts.length <= 1) {
    const answers = group.map((asked) => ({ asked, pick: wholeRows }))
    return { statement: selectRange(table, columns, wanted), answers }
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
