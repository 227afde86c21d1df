/** The log of operators' acts, newest first. */
import { readPage, type PageRequest } from "../ports/storage/page.ts"
import { inView } from "../ports/storage/run.ts"
import type { KeyValue } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { AdministrationActs, type ActRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

export interface ActFilter {
  readonly since: Instant | undefined
  readonly who: string | undefined
  readonly command: string | undefined
}

/** The cursor of a row: its instant, its act and its step. */
export type ActCursor = readonly [Instant, string, number]

export const cursorOf = ({ at, actId, step }: ActRow): ActCursor => [at, actId, step]

/** One page of the matching rows; each filter has an index, so no other rows are read. */
export const listActs = traced("administration.listActs")(function* (
  { since, who, command }: ActFilter,
  page: PageRequest<ActCursor>
) {
  const [index, prefix] = indexFor(who, command)
  const { rows, hasMore } = yield* inView((reader) =>
    readPage(reader, AdministrationActs, index, { prefix, direction: "descending" }, page)
  )
  const wanted = since === undefined ? rows : rows.filter(({ at }) => since <= at)
  return { rows: wanted, hasMore: hasMore && wanted.length === rows.length }
})

const indexFor = (who: string | undefined, command: string | undefined): Lookup => {
  if (who === undefined) return command === undefined ? ["byTime", []] : ["byCommand", [command]]
  return command === undefined ? ["byWho", [who]] : ["byWhoAndCommand", [who, command]]
}

type Lookup = readonly [keyof typeof AdministrationActs.ordered & string, ReadonlyArray<KeyValue>]
