/** Renders a survey as text: a table per resource with states, the coverage of each section, and the missing points. */
import type { CallerKind } from "./calls-in-trace.ts"
import type { Matrix, MatrixRow } from "./matrix.ts"
import { resources, type Resource } from "./resources.ts"
import { commands } from "./routes.ts"
import { percentOf, type CoverageSurvey } from "./coverage-survey.ts"

export const renderCoverage = (survey: CoverageSurvey): string =>
  [
    ...resources.flatMap((noun) => (noun.commands === undefined ? [] : [...renderNoun(noun, survey.matrix), ""])),
    "Cells: agent, then person. + accepted, - refused, * both, . not covered, blank: no such operation.",
    "",
    ...renderSections(survey),
    ...renderMissing(survey)
  ].join("\n")

const renderNoun = (noun: Resource, matrix: Matrix): ReadonlyArray<string> => {
  const rows = matrix.filter((row) => row.noun === noun.name)
  const names = [...new Set(commands.flatMap((one) => (one.noun === noun ? one.command : [])))]
  const width = Math.max(noun.name.length, ...noun.states.map(({ length }) => length)) + 2
  const line = (first: string, cells: ReadonlyArray<string>) =>
    `${first.padEnd(width)}${cells.map((cell, index) => cell.padEnd((names[index]?.length ?? 0) + 2)).join("")}`.trimEnd()
  return [
    line(noun.name, names),
    ...noun.states.map((state) =>
      line(
        state,
        names.map((command) => kinds.map((by) => mark(rows, { noun, state, command, by })).join(""))
      )
    ),
    ...names.flatMap((command) => renderRefusals(command, rows))
  ]
}

const kinds = ["agent", "person"] as const

const mark = (
  rows: Matrix,
  {
    noun,
    state,
    command,
    by
  }: Pick<MatrixRow, "state" | "command"> & { readonly noun: Resource; readonly by: "agent" | "person" }
): string => {
  const outcomes = rows.find((row) => row.state === state && row.command === command && row.by === by)?.outcomes
  const hasOperation = commands.some((one) => one.noun === noun && one.command === command && one.by === by)
  if (outcomes === undefined) return hasOperation ? "." : " "
  const refused = Object.keys(outcomes).some((outcome) => outcome !== "accepted")
  if (outcomes["accepted"] === undefined) return "-"
  return refused ? "*" : "+"
}

/** The refusal codes of a command, by kind of caller. */
const renderRefusals = (command: string, rows: Matrix): ReadonlyArray<string> => {
  const byKind = new Map<CallerKind, Set<string>>()
  for (const row of rows) {
    if (row.command !== command) continue
    const codes = byKind.get(row.by) ?? new Set()
    for (const outcome of Object.keys(row.outcomes)) if (outcome !== "accepted") codes.add(outcome)
    if (codes.size > 0) byKind.set(row.by, codes)
  }
  return [...byKind].map(
    ([by, codes]) => `  ${command} by ${article(by)} refused with: ${[...codes].toSorted().join(", ")}`
  )
}

const article = (kind: CallerKind): string => (/^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`)

const renderSections = (survey: CoverageSurvey): ReadonlyArray<string> => [
  ...survey.sections.map(({ section, all, touched, excepted }) => {
    const suffix = excepted === 0 ? "" : `, ${excepted} excepted`
    return `${section.padEnd(12)}${String(touched).padStart(4)} of ${String(all).padStart(4)}${suffix}`
  }),
  `${percentOf(survey).toFixed(1)} percent of the points that can be covered`
]

const renderMissing = ({ missing, needless }: CoverageSurvey): ReadonlyArray<string> => [
  ...(missing.length === 0
    ? ["no point is missing"]
    : ["missing:", ...missing.map(({ section, name, how }) => `  ${section}: ${name} - ${how}`)]),
  ...(needless.length === 0
    ? []
    : [
        "covered in spite of an exception:",
        ...needless.map(({ section, name, by }) => `  ${section}: ${name} - by ${by}; remove the exception`)
      ])
]
