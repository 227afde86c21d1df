/** The report of a survey, for a terminal. */
import type { Survey } from "./survey.ts"

export const renderSurvey = (survey: Survey): string => {
  const { scenarios, steps, outcomes, reached, faults, fields, pairs, defects, refused } = survey
  return [
    `${scenarios} scenarios, ${steps} steps`,
    "",
    "Operations, and what came of them",
    ...[...outcomes].toSorted(byName).map(([operation, came]) => `  ${operation}: ${listed(came)}`),
    "",
    `States: ${listed(reached)}`,
    `Refusals: ${refused.size} different ones`,
    `Faults that struck: ${listed(faults)}`,
    "",
    `Fields: ${fields.size}, with ${sum([...fields.values()].map(({ size }) => size))} classes of values`,
    ...[...fields].toSorted(byName).map(([field, classes]) => `  ${field}: ${listed(classes)}`),
    `Pairs of fields with the classes of their values: ${pairs.size} different ones, ${once(pairs)} of them once only`,
    "",
    ...Object.entries(survey.never).map(
      ([what, names]) => `${capital(what)}: ${names.length === 0 ? "none" : names.join(", ")}`
    ),
    ...(defects.length === 0 ? [] : ["", "Answers that are no refusal", ...defects.map((defect) => `  ${defect}`)])
  ].join("\n")
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1

const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, times]) => `${name} ${times}`)
    .join(", ")

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, one) => total + one, 0)

const once = (counts: ReadonlyMap<string, number>): number => [...counts.values()].filter((times) => times === 1).length

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
