/** The report of a survey, for a terminal. */
import type { GenerationSurvey } from "./generation-survey.ts"

export const renderGenerationSurvey = (survey: GenerationSurvey): string => {
  const { scenarios, steps, outcomes, reached, faults, fields, pairs, defects, refused } = survey
  return [
    `${scenarios} scenarios, ${steps} steps`,
    "",
    "Operations and their outcomes",
    ...[...outcomes].toSorted(byName).map(([operation, counts]) => `  ${operation}: ${renderCounts(counts)}`),
    "",
    `States: ${renderCounts(reached)}`,
    `Refusals: ${refused.size} distinct`,
    `Injected faults: ${renderCounts(faults)}`,
    "",
    `Fields: ${fields.size}, with ${sum([...fields.values()].map(({ size }) => size))} classes of values`,
    ...[...fields].toSorted(byName).map(([field, classes]) => `  ${field}: ${renderCounts(classes)}`),
    `Pairs of fields with the classes of their values: ${pairs.size} distinct, ${once(pairs)} of them only once`,
    "",
    ...Object.entries(survey.uncovered).map(
      ([title, names]) => `${capital(title)}: ${names.length === 0 ? "none" : names.join(", ")}`
    ),
    ...(defects.length === 0 ? [] : ["", "Undocumented errors", ...defects.map((defect) => `  ${defect}`)])
  ].join("\n")
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1

const renderCounts = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, times]) => `${name} ${times}`)
    .join(", ")

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, one) => total + one, 0)

const once = (counts: ReadonlyMap<string, number>): number => [...counts.values()].filter((times) => times === 1).length

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
