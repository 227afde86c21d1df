/** The mutation report: a table and a summary for a terminal. */
import type { HuntEnd } from "./hunts.ts"
import type { Mutant } from "./mutant.ts"

/** The result of a mutant, or of the unmodified service. */
export interface Row {
  readonly mutant: Mutant | undefined
  readonly end: HuntEnd
}

export const heading = ["mutant", "killed by", "strategy", "scenario", "schedules", "choices", "seconds"] as const

/** One row in the columns of the heading. */
export const renderRow = (cells: ReadonlyArray<string>): string =>
  cells.map((cell, column) => (column >= firstNumber ? cell.padStart(9) : cell.padEnd(widths[column] ?? 0))).join("  ")

const widths = [42, 44, 16, 34]
const firstNumber = 4

export const rowOf = ({ mutant, end }: Row): string => {
  const name = mutant?.name ?? "unmodified service"
  if (end.ended === "FAILED") return renderRow([name, "COULD NOT BE SEARCHED"])
  const seconds = (end.milliseconds / 1000).toFixed(1)
  if (end.ended === "SURVIVED") {
    return renderRow([name, mutant === undefined ? "clean" : "SURVIVED", "", "", String(end.schedules), "", seconds])
  }
  const { by, strategy, scenario, schedules, choices } = end
  return renderRow([name, by, strategy, scenario, String(schedules), String(choices), seconds])
}

/** The details of a failure: a surviving mutant with the coverage, or a violation by the unmodified service. */
export const complaintOf = ({ mutant, end }: Row): string | undefined => {
  if (end.ended === "FAILED")
    return [`${mutant?.name ?? "the unmodified service"} could not be searched:`, end.words].join("\n")
  if (mutant === undefined) {
    return end.ended === "KILLED"
      ? `the unmodified service violates "${end.by}" in ${end.scenario}: ${end.words}`
      : undefined
  }
  if (end.ended === "KILLED") {
    return end.isAsNeeded
      ? undefined
      : `${mutant.name} was killed in ${end.scenario} without the fault ${mutant.needs}: ${end.words}`
  }
  return [`${mutant.name} survived: ${mutant.says}`, ...end.tried.map((tried) => `  ${tried}`)].join("\n")
}

/** Vacuity check: the properties and probes that killed no mutant. */
export const idleAmong = (names: ReadonlyArray<string>, rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const killing = new Set(rows.flatMap(({ mutant, end }) => (mutant && end.ended === "KILLED" ? [end.by] : [])))
  return names.filter((name) => !killing.has(name))
}

export const summaryOf = (rows: ReadonlyArray<Row>, milliseconds: number): string => {
  const tested = rows.filter(({ mutant }) => mutant !== undefined)
  const killed = tested.flatMap(({ end }) => (end.ended === "KILLED" ? [end] : []))
  const seconds = Math.round(milliseconds / 1000)
  const minimized =
    killed.length === 0 ? "" : `, minimized to a median of ${medianOf(killed.map(({ choices }) => choices))} choices`
  return `${killed.length} of ${tested.length} mutants killed${minimized}; ${seconds} s`
}

/** The lower median. */
const medianOf = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) / 2)] ?? 0
