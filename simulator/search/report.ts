/** The report of a search as text: its coverage, or the violation with its schedule. */
import { replayCommandOf } from "./findings/replay-command.ts"
import type { VacuousProperty, UncheckedExpectation } from "./findings/written-run.ts"
import type { MinimalityCheck } from "./findings/minimize-script.ts"
import type { Failure } from "../reports/finished-run.ts"
import { failureLines } from "../reports/totals.ts"
import type { SearchResult } from "./search.ts"
import { isDeviation, type RecordedChoice } from "./minimize/replay.ts"

/** The report on one script. */
export type ExplorationReport = SearchResult & {
  readonly file: string
  /**
   * `NOT_AS_WRITTEN` if the script fails in its own order. `NOT_REACHED` if a reachability property was satisfied by no
   * schedule, or a property was never judged, although there was time for it.
   */
  readonly verdict: "COMPLETE" | "NOT_COMPLETE" | "VIOLATED" | "NOT_AS_WRITTEN" | "NOT_REACHED"
  /** False if the script fails before its explore step. */
  readonly isSearched: boolean
  /** The failures of the run as written. */
  readonly notAsWritten: ReadonlyArray<Failure>
  /** The expectations that are judged in the written order only. */
  readonly unchecked: ReadonlyArray<UncheckedExpectation>
  readonly notReached: ReadonlyArray<string>
  /** Properties of the script that no run judged. */
  readonly neverJudged: ReadonlyArray<VacuousProperty>
  /** Unreachable steps: their preconditions held under no schedule. */
  readonly neverDone: ReadonlyArray<string>
  /** The place of the violated property, if the script states it. */
  readonly statedAt: string | undefined
  readonly shrunk: FindingReport | undefined
}

/** The report on a violation. */
export interface FindingReport {
  readonly property: string
  readonly says: string
  readonly words: string
  readonly why: ReadonlyArray<string>
  readonly made: ReadonlyArray<RecordedChoice>
  readonly faults: ReadonlyArray<string>
  readonly steps: number
  readonly runs: number
  readonly isMinimal: boolean
  /** Undefined if it was not saved. */
  readonly saved: string | undefined
}

export const verdictLines = (explored: ExplorationReport): ReadonlyArray<string> => {
  const { file, verdict, notReached, neverDone, neverJudged, notAsWritten, statedAt } = explored
  const never = verdict === "NOT_REACHED"
  return [
    `${file}: ${verdict === "VIOLATED" ? violated(explored) : searched(explored)}`,
    ...(statedAt === undefined ? [] : [`  stated at ${statedAt}`]),
    ...notAsWritten.flatMap(failureLines).map((line) => `  as written: ${line}`),
    ...notReached.map((name) => `  ${never ? "never reached" : "not reached yet"}: ${name}`),
    ...neverJudged.map(
      ({ property, file: of, line, why }) =>
        `  ${never ? "never judged" : "not judged yet"}: ${property} (${of}:${line}): ${why}`
    ),
    ...neverDone.map((step) => `  unreachable step: ${step}`),
    ...uncheckedLines(explored),
    ...(explored.shrunk === undefined ? unsavedLines(explored) : minimizedLines(explored.shrunk))
  ]
}

/** Expectations that the verdict does not cover. */
const uncheckedLines = ({ unchecked, notAsWritten }: ExplorationReport): ReadonlyArray<string> => {
  if (unchecked.length === 0) return []
  const held = notAsWritten.length === 0 ? ", where they hold" : ""
  return [
    `  ${formatCount(unchecked.length, "expectation")} judged in the written order only${held}; another order can have another correct answer:`,
    ...unchecked.map(
      ({ file, line, step, what, answered, asExpected }) =>
        `    ${file}:${line}: step ${step}, ${what}: ${answered === 0 ? "answered in no run" : `as expected in ${asExpected.toLocaleString("en-US")} of ${formatCount(answered, "run")}`}`
    )
  ]
}

const violated = ({ found, schedules }: ExplorationReport): string =>
  `violation after ${formatCount(schedules, "schedule")}, by ${found?.by ?? "no strategy"}: ${found?.violation.property ?? ""}`

const searched = ({ isSearched, isComplete, schedules, states, leftOut, depth }: ExplorationReport): string => {
  if (!isSearched) return "not searched: it fails before its explore step"
  const visited = states === undefined ? "" : `, ${formatCount(states, "visited state")}`
  const count = `${formatCount(schedules, "schedule")}${visited}, 0 violations`
  if (isComplete) return `complete: ${count}`
  const left = leftOut.map(([strategy, left]) => `${strategy}: ${left}`).join("; ")
  return `not complete: ${count}, up to ${formatCount(depth, "choice")} deep; left out: ${left}`
}

export const minimizedLines = (shown: FindingReport): ReadonlyArray<string> => {
  const { says, words, why, made, faults, steps, runs, isMinimal, saved } = shown
  const left = `${formatCount(steps, "step")}, ${formatCount(made.length, "choice")}, ${formatCount(faults.length, "fault")}`
  return [
    `  has to hold: ${says}`,
    `  observed: ${words}`,
    ...faults.map((fault) => `  fault: ${fault}`),
    ...made.map((one, index) => `  choice ${index + 1}: ${choiceOf(one)}`),
    `  why: ${why.join(" ")}`,
    `  minimized to ${left} in ${formatCount(runs, "run")}${isMinimal ? "" : "; not minimal: the limit of runs was reached"}`,
    ...(saved === undefined ? [] : [`  saved: ${saved}`, `  replay: ${replayCommandOf(saved)}`])
  ]
}

/** The minimality check: removing a necessary element removes the violation. */
export const minimalityLines = (file: string, { property, removals }: MinimalityCheck): ReadonlyArray<string> => {
  const needless = removals.filter(({ stillFails }) => stillFails).length
  return [
    ...removals.map(
      ({ what, stillFails }) => `  ${stillFails ? "still violated without" : "holds without"} ${cut(what)}`
    ),
    needless === 0
      ? `${file}: minimal: without any one of ${formatCount(removals.length, "element")} this holds: ${property}`
      : `${file}: not minimal: ${formatCount(needless, "element")} of ${removals.length} can be removed`
  ]
}

const cut = (text: string): string => (text.length <= lineMax ? text : `${text.slice(0, lineMax)}…`)
const lineMax = 100

/** A violation that the script format cannot express; the same seed and options find it again. */
const unsavedLines = ({ found }: ExplorationReport): ReadonlyArray<string> =>
  found === undefined
    ? []
    : [
        `  observed: ${found.violation.words}`,
        `  schedule: ${JSON.stringify({ ...found.schedule, visits: [...found.schedule.visits] })}`,
        "  not saved: the script format cannot express this run, since its script does not reproduce the violation"
      ]

const choiceOf = (made: RecordedChoice): string => {
  const others = made.options.filter((option) => option !== made.chosen)
  return `${made.chosen}${isDeviation(made) ? ", before" : ", and then"} ${others.join(", ")}`
}

export const formatCount = (count: number, noun: string): string =>
  `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`

/** For programs: sets and maps as lists. */
export const explorationAsJson = (explored: ReadonlyArray<ExplorationReport>): string => {
  const listed = explored.map(({ outcomes, reached, undone, expectations, found, ...one }) => ({
    ...one,
    expectations: [...expectations].map(([step, count]) => ({ step, ...count })),
    reached: [...reached],
    undone: [...undone],
    outcomes: outcomes.size,
    found:
      found === undefined
        ? undefined
        : { ...found, schedule: { ...found.schedule, visits: [...found.schedule.visits] } }
  }))
  return `${JSON.stringify(listed, null, 2)}\n`
}
