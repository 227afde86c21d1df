/** Combines simultaneous reads into as few statements as possible: each statement costs an answer of its own. */
import type { KeyValue, Range } from "../../ports/storage.ts"
import type { AnyTable, Column } from "../../ports/table.ts"
import { columnsOf } from "./columns.ts"
import {
  lookupShape,
  selectJoined,
  selectRange,
  selectRanges,
  selectRow,
  selectRows,
  type Lookup,
  type LookupShape,
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

interface HasRead {
  readonly read: Read
}

export const combineReads = <A extends HasRead>(asked: ReadonlyArray<A>): ReadonlyArray<CombinedRead<A>> => {
  const rows = asked.filter(({ read }) => !isRange(read.wanted))
  const ranges = asked.filter(({ read }) => isRange(read.wanted))
  return [...combineLookups(rows), ...combineRanges(ranges)]
}

/** Equal lookups of one row. */
interface LookupGroup<A> {
  readonly lookup: Lookup
  readonly asked: ReadonlyArray<A>
}

/** More lookups of one table than this are a list of keys, so that the text does not depend on their number. */
const joinedOfTableMax = 3

/** A row has at most 1,664 columns, and a statement for very many tables is slow to plan. */
const joinedMax = 16

/** Rows of several tables are joined into one row; many rows of one table have a statement of their own. */
const combineLookups = <A extends HasRead>(asked: ReadonlyArray<A>): ReadonlyArray<CombinedRead<A>> => {
  const statements: Array<CombinedRead<A>> = []
  const joined: Array<LookupGroup<A>> = []
  for (const [shape, group] of Map.groupBy(asked, ({ read }) => lookupShape(read.table, read.columns))) {
    const lookups = distinctLookups(group)
    if (lookups.length > joinedOfTableMax && shape.isText) statements.push(listRows(shape, lookups))
    else joined.push(...lookups)
  }
  for (let from = 0; from < joined.length; from += joinedMax)
    statements.push(join(joined.slice(from, from + joinedMax)))
  return statements
}

const distinctLookups = <A extends HasRead>(asked: ReadonlyArray<A>): ReadonlyArray<LookupGroup<A>> => {
  const groups = asked.length === 1 ? [asked] : Map.groupBy(asked, ({ read }) => JSON.stringify(read.wanted)).values()
  return Array.from(groups, (group) => {
    const { table, columns, wanted } = group[0]!.read
    return { lookup: { table, columns, values: wanted as ReadonlyArray<KeyValue> }, asked: group }
  })
}

const listRows = <A>(shape: LookupShape, groups: ReadonlyArray<LookupGroup<A>>): CombinedRead<A> => {
  const columns = columnsOf(shape.table)
  const positions = shape.columns.map((column) => columns.indexOf(column))
  // Indexed once: a page of a list can have a thousand rows.
  let byKey: ReadonlyMap<string, Rows> | undefined
  const index = (rows: Rows) => Map.groupBy(rows, (row) => JSON.stringify(positions.map((position) => row[position])))
  return {
    statement: selectRows(
      shape,
      groups.map(({ lookup }) => lookup.values)
    ),
    answers: groups.flatMap(({ lookup, asked }) => {
      const key = JSON.stringify(lookup.values)
      const pick = (rows: Rows) => (byKey ??= index(rows)).get(key) ?? []
      return asked.map((one) => ({ asked: one, pick }))
    })
  }
}

const join = <A>(groups: ReadonlyArray<LookupGroup<A>>): CombinedRead<A> => {
  const lookups = groups.map(({ lookup }) => lookup)
  const answers: Array<Answer<A>> = []
  let first = 0
  for (const { lookup, asked } of groups) {
    const pick = lookups.length === 1 ? wholeRows : partOfRow(lookup.table, first)
    for (const one of asked) answers.push({ asked: one, pick })
    first += columnsOf(lookup.table).length
  }
  return { statement: lookups.length === 1 ? selectRow(lookups[0]!) : selectJoined(lookups), answers }
}

const wholeRows = (rows: Rows): Rows => rows

/** The part of the joined row that belongs to one table; the key of an existing row is not null. */
const partOfRow = (table: AnyTable, first: number) => {
  const columns = columnsOf(table)
  const keyAt = first + columns.indexOf(table.key[0]!)
  return ([row = []]: Rows): Rows => (row[keyAt] === null ? [] : [row.slice(first, first + columns.length)])
}

/** Ranges of one group are equal, or differ only in the value of the leading text column. */
const combineRanges = <A extends HasRead>(asked: ReadonlyArray<A>): ReadonlyArray<CombinedRead<A>> => {
  const groups =
    asked.length <= 1 ? asked.map((one) => [one]) : Map.groupBy(asked, ({ read }) => groupOf(read)).values()
  return Array.from(groups, combineGroup)
}

const groupOf = (read: Read): string => {
  const { table, columns, wanted } = read
  const { prefix, after, limit, direction, matching } = wanted as Range
  const related = matching?.related
  const filter = [matching?.own, related?.table.name, related?.by, related?.conditions]
  const differing = leadingText(read) === undefined ? [prefix] : []
  return JSON.stringify([table.name, columns, limit, direction, after, filter, ...differing])
}

/** The text in the leading column, where ranges that differ only in it can share a statement. */
const leadingText = ({ table, columns, wanted }: Read): string | undefined => {
  const leading: Column<unknown> | undefined = table.columns[columns[0] ?? ""]
  const { prefix } = wanted as Range
  const canDiffer = leading?.type === "text" && prefix.length === 1 && columns.length > 1
  return canDiffer ? (prefix[0] as string) : undefined
}

const combineGroup = <A extends HasRead>(group: ReadonlyArray<A>): CombinedRead<A> => {
  const { table, columns, wanted } = group[0]!.read
  const range = wanted as Range
  const texts = [...new Set(group.map(({ read }) => leadingText(read)))].filter((text) => text !== undefined)
  if (texts.length <= 1) {
    const answers = group.map((asked) => ({ asked, pick: wholeRows }))
    return { statement: selectRange(table, columns, range), answers }
  }
  const at = columnsOf(table).indexOf(columns[0] ?? "")
  const answers = group.map((asked) => {
    const text = leadingText(asked.read)
    return { asked, pick: (rows: Rows) => rows.filter((row) => row[at] === text) }
  })
  return { statement: selectRanges(table, columns, texts, range), answers }
}

const isRange = (wanted: Read["wanted"]): wanted is Range => "prefix" in wanted
