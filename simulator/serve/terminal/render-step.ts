/** Renders an executed step: its line of the story, and its row changes. */
import { renderSteps } from "../../scenario/story.ts"
import type { TimedObservation } from "../../observation/observation.ts"
import type { RowChange } from "../../storage/row-changes.ts"
import { changedColumns } from "../../view-model/row-changes.js"
import type { Json } from "../../vocabulary/json.ts"
import type { Branch, ExecutedStep } from "./walk.ts"

export const renderStep = (
  file: string,
  { world, done, future }: Branch,
  last: ExecutedStep
): ReadonlyArray<string> => {
  // Includes the next steps, so that the column widths stay the same.
  const steps = [...done.map(({ step }) => step), ...future.map(({ step }) => step)]
  const story = renderSteps(file, { ...world.opening, steps }, [...last.observed, ...verdictOf(last, world.now)])
  const complaintLines =
    last.ended === undefined ? [] : world.setup.recorder.complaints.map((complaint) => `    ! ${complaint}`)
  return [...story, ...differences(last.changes), ...complaintLines]
}

const verdictOf = ({ ended, step }: ExecutedStep, at: TimedObservation["at"]): ReadonlyArray<TimedObservation> =>
  ended === undefined ? [] : [{ kind: "verdict", steps: step.number, ...ended, at }]

/** Updated rows with their short columns, then the numbers of inserted and deleted rows. */
const differences = (changes: ReadonlyArray<RowChange>): ReadonlyArray<string> => {
  const changed = changes.flatMap((change) => {
    const { table, key, before, after } = change
    const columns = before === null || after === null ? [] : shortColumns(change)
    return columns.length === 0 ? [] : [`      ${table} ${shortId(String(key[0]))}: ${columns.join(", ")}`]
  })
  const hidden = changed.length - changesShown
  return [
    ...changed.slice(0, changesShown),
    ...(hidden > 0 ? [`      and ${hidden} more rows; show state lists all`] : []),
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

const shortColumns = (change: RowChange): ReadonlyArray<string> =>
  changedColumns(change).flatMap(([column, before, after]) => {
    const [old, current] = [textOfValue(before), textOfValue(after)]
    return old.length > shortMax || current.length > shortMax ? [] : [`${column} ${old} → ${current}`]
  })

const shortMax = 30

const countLine = (sign: string, changes: ReadonlyArray<RowChange>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const { table } of changes) counts.set(table, (counts.get(table) ?? 0) + 1)
  const words = [...counts].map(([table, count]) => (count === 1 ? table : `${count} ${table}`))
  return words.length === 0 ? [] : [`      ${sign} ${words.join(", ")}`]
}

/** All changes in full, for `show state`. */
export const renderChanges = (changes: ReadonlyArray<RowChange>): ReadonlyArray<string> =>
  changes.flatMap((change) => {
    const { table, key, before, after } = change
    const sign = before === null ? "+ " : after === null ? "- " : ""
    const columns = changedColumns(change).map(([column, old, current]) => {
      const values = sign === "" ? [old, current] : [before === null ? current : old]
      return `    ${column}: ${values.map(textOfValue).join(" → ")}`
    })
    return [`  ${sign}${table} ${key.join(" ")}`, ...columns]
  })

/** A string unquoted, any other value as JSON. */
export const textOfValue = (value: Json | undefined): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")

/** A prefix of an id, enough to distinguish it. */
const shortId = (id: string): string => {
  const [, prefix = "", rest = id] = /^([a-z]+_)?(.*)$/.exec(id) ?? []
  return rest.length > 12 ? `${prefix}${rest.slice(0, 8)}…` : id
}
