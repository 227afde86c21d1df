/** The report: measurement, baseline, and whether their ratio meets its aim. */

export interface Figure {
  readonly what: string
  readonly measured: string
  readonly against: string
  readonly ratio: number
  readonly aim?: Aim
  /** True for a ratio of CPU times, which the next run repeats; one with an aim is compared with the committed ratio. */
  readonly isRepeatable?: boolean
}

export type Aim = { readonly atLeast: number } | { readonly atMost: number }

/** The figures of one subject, with lines that belong to them. */
export interface Section {
  readonly title: string
  readonly figures: ReadonlyArray<Figure>
  readonly notes?: ReadonlyArray<string>
}

export const renderSection = ({ title, figures, notes = [] }: Section): string => {
  const rows = figures.map(({ what, measured, against, ratio, aim }) => [
    what,
    measured,
    against,
    readable(ratio),
    aim === undefined ? "" : verdictOn(ratio, aim)
  ])
  return [renderTable(title, ["", "measured", "against", "ratio", "aim"], rows), ...notes].join("\n")
}

/** A table under a title; the columns are as wide as their longest cell. */
export const renderTable = (
  title: string,
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): string => {
  const widths = columns.map((column, at) => Math.max(column.length, ...rows.map((row) => row[at]!.length)))
  const line = (cells: ReadonlyArray<string>) =>
    `  ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join("  ")}`.trimEnd()
  return ["", title, line(columns), ...rows.map(line)].join("\n")
}

const verdictOn = (ratio: number, aim: Aim): string =>
  "atLeast" in aim
    ? `at least ${readable(aim.atLeast)}: ${ratio >= aim.atLeast ? "met" : "missed"}`
    : `at most ${readable(aim.atMost)}: ${ratio <= aim.atMost ? "met" : "missed"}`

/** Three significant digits, with digit groups from a hundred on. */
export const readable = (value: number): string =>
  value.toLocaleString("en", value < 100 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 })
