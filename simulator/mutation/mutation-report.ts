/** The mutation report: a table and a summary for a terminal. */
import type { MutantProcessResult } from "./mutant-processes.ts"
import type { Mutant } from "./mutant.ts"

/** The result of a mutant, or of the unmodified service. */
export interface MutantRow {
  readonly mutant: Mutant | undefined
  readonly end: MutantProcessResult
}

export const mutantHeading = ["mutant", "killed by", "strategy", "scenario", "schedules", "choices", "seconds"] as const

/** One row in the columns of the heading. */
export const renderRow = (cells: ReadonlyArray<string>): string =>
  cells.map((cell, column) => (column >= firstNumber ? cell.padStart(9) : cell.padEnd(widths[column] ?? 0))).join("  ")

const widths = [42, 44, 16, 34]
const firstNumber = 4

export const renderMutantRow = ({ mutant, end }: MutantRow): string => {
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
export const describeFailure = ({ mutant, end }: MutantRow): string | undefined => {
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
export const propertiesWithoutKill = (
  names: ReadonlyArray<string>,
  rows: ReadonlyArray<MutantRow>
): ReadonlyArray<string> => {
  const killing = new Set(rows.flatMap(({ mutant, end }) => (mutant && end.ended === "KILLED" ? [end.by] : [])))
  return names.filter((name) => !killing.has(name))
}

export const mutationSummary = (rows: ReadonlyArray<MutantRow>, milliseconds: number): string => {
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
