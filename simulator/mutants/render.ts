/** What came of planted bugs, as a table and a summary for a terminal. */
import type { HuntEnd } from "./hunts.ts"
import type { Mutant } from "./mutant.ts"

/** A mutant with what came of it; without one, the service as it is. */
export interface Row {
  readonly mutant: Mutant | undefined
  readonly end: HuntEnd
}

export const heading = ["mutant", "killed by", "strategy", "scenario", "schedules", "choices", "seconds"] as const

/** Under the heading, by its columns. */
export const renderRow = (cells: ReadonlyArray<string>): string =>
  cells.map((cell, column) => (column >= firstNumber ? cell.padStart(9) : cell.padEnd(widths[column] ?? 0))).join("  ")

const widths = [42, 44, 16, 34]
const firstNumber = 4

export const rowOf = ({ mutant, end }: Row): string => {
  const name = mutant?.name ?? "the service as it is"
  if (end.ended === "FAILED") return renderRow([name, "COULD NOT BE SEARCHED"])
  const seconds = (end.milliseconds / 1000).toFixed(1)
  if (end.ended === "SURVIVED") {
    return renderRow([name, mutant === undefined ? "clean" : "SURVIVED", "", "", String(end.schedules), "", seconds])
  }
  const { by, strategy, scenario, schedules, choices } = end
  return renderRow([name, by, strategy, scenario, String(schedules), String(choices), seconds])
}

/** More than a table has room for: who was not killed, and what was tried; what is wrong where nothing was changed. */
export const complaintOf = ({ mutant, end }: Row): string | undefined => {
  if (end.ended === "FAILED")
    return [`${mutant?.name ?? "the service as it is"} could not be searched:`, end.words].join("\n")
  if (mutant === undefined) {
    return end.ended === "KILLED"
      ? `the service as it is breaks "${end.by}" in ${end.scenario}: ${end.words}`
      : undefined
  }
  if (end.ended === "KILLED") {
    return end.isAsNeeded
      ? undefined
      : `${mutant.name} is noticed in ${end.scenario} without ${mutant.needs}: ${end.words}`
  }
  return [`${mutant.name} survived: ${mutant.says}`, ...end.tried.map((tried) => `  ${tried}`)].join("\n")
}

/** Who of all that judge noticed no bug: nobody knows that they could. */
export const idleAmong = (judges: ReadonlyArray<string>, rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const noticing = new Set(rows.flatMap(({ mutant, end }) => (mutant && end.ended === "KILLED" ? [end.by] : [])))
  return judges.filter((name) => !noticing.has(name))
}

export const summaryOf = (rows: ReadonlyArray<Row>, milliseconds: number): string => {
  const hunted = rows.filter(({ mutant }) => mutant !== undefined)
  const killed = hunted.flatMap(({ end }) => (end.ended === "KILLED" ? [end] : []))
  const seconds = Math.round(milliseconds / 1000)
  const shrunk =
    killed.length === 0 ? "" : `, shrunk to ${medianOf(killed.map(({ choices }) => choices))} choices in the median`
  return `${killed.length} of ${hunted.length} mutants killed${shrunk}; ${seconds} s`
}

/** Of an even number, the lower of the two in the middle. */
const medianOf = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) / 2)] ?? 0
