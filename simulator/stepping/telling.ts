/** What is told of a step that was done: its line of the story, and what is different in the rows. */
import { renderSteps } from "../console.ts"
import type { Observed } from "../observation.ts"
import type { RowChange } from "../row-changes.ts"
import type { Json, JsonObject } from "../script/json.ts"
import type { Branch, Done } from "./walk.ts"

export const tellDone = (file: string, { world, done, future }: Branch, last: Done): ReadonlyArray<string> => {
  // The steps to come are there as well, so that the columns stay where they are.
  const steps = [...done.map(({ step }) => step), ...future.map(({ step }) => step)]
  const story = renderSteps(file, { ...world.opening, steps }, [...last.observed, ...verdictOf(last, world.now)])
  const complaints = last.ended === undefined ? [] : world.stage.recorder.complaints.map((said) => `    ! ${said}`)
  return [...story, ...differences(last.changes), ...complaints]
}

const verdictOf = ({ ended, step }: Done, at: Observed["at"]): ReadonlyArray<Observed> =>
  ended === undefined ? [] : [{ kind: "verdict", steps: step.number, ...ended, at }]

/** Rows that became others with what is short of them, then how many came and went. */
const differences = (changes: ReadonlyArray<RowChange>): ReadonlyArray<string> => {
  const changed = changes.flatMap(({ table, key, before, after }) => {
    const columns = before === null || after === null ? [] : shortColumns(before, after)
    return columns.length === 0 ? [] : [`      ${table} ${shortId(String(key[0]))}: ${columns.join(", ")}`]
  })
  const hidden = changed.length - changesShown
  return [
    ...changed.slice(0, changesShown),
    ...(hidden > 0 ? [`      and ${hidden} more rows; show state has them all`] : []),
    ...countLine(
      "+",
      changes.filter(({ before }) => before === null)
    ),
    ...countLine(
      "-",
      changes.filter(({ after }) => after === null)
    )
  ]
}

const changesShown = 8

const shortColumns = (before: JsonObject, after: JsonObject): ReadonlyArray<string> =>
  columnsApart(before, after).flatMap((column) => {
    const [was, is] = [wordOf(before[column]), wordOf(after[column])]
    return was.length > shortMax || is.length > shortMax ? [] : [`${column} ${was} → ${is}`]
  })

const shortMax = 30

const countLine = (sign: string, changes: ReadonlyArray<RowChange>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const { table } of changes) counts.set(table, (counts.get(table) ?? 0) + 1)
  const words = [...counts].map(([table, count]) => (count === 1 ? table : `${count} ${table}`))
  return words.length === 0 ? [] : [`      ${sign} ${words.join(", ")}`]
}

/** Every change whole: what `show state` says of a step. */
export const tellChanges = (changes: ReadonlyArray<RowChange>): ReadonlyArray<string> =>
  changes.flatMap(({ table, key, before, after }) => {
    const of = `${table} ${key.join(" ")}`
    if (before === null || after === null)
      return [`  ${before === null ? "+" : "-"} ${of}`, ...members(after ?? before)]
    const apart = columnsApart(before, after)
    return [`  ${of}`, ...apart.map((column) => `    ${column}: ${wordOf(before[column])} → ${wordOf(after[column])}`)]
  })

const members = (row: JsonObject | null): ReadonlyArray<string> =>
  Object.entries(row ?? {}).map(([column, value]) => `    ${column}: ${wordOf(value)}`)

const columnsApart = (before: JsonObject, after: JsonObject): ReadonlyArray<string> =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (column) => JSON.stringify(before[column]) !== JSON.stringify(after[column])
  )

/** A value as one word where it is one. */
export const wordOf = (value: Json | undefined): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")

/** Enough of an id to tell it from others. */
const shortId = (id: string): string => {
  const [, prefix = "", rest = id] = /^([a-z]+_)?(.*)$/.exec(id) ?? []
  return rest.length > 12 ? `${prefix}${rest.slice(0, 8)}…` : id
}

/** A moment as the story writes it. */
export const clock = (at: string): string => at.replace("T", " ").replace(/(\.000)?Z$/, "")
