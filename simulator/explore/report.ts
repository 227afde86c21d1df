/** What a search comes to, in words: what was proved, what was left out, or what went wrong and in which order. */
import { replayCommandOf } from "./found/replay-command.ts"
import type { VacuousProperty, UncheckedExpectation } from "./found/as-written.ts"
import type { Checked } from "./found/shrink-script.ts"
import type { Failure } from "../reports/finished-run.ts"
import { failureLines } from "../reports/totals.ts"
import type { Searched } from "./search.ts"
import { isDeviation, type Made } from "./shrink/following.ts"

/** What is told of one script. */
export type Explored = Searched & {
  readonly file: string
  /**
   * `NOT_AS_WRITTEN` where the script fails in its own order. `NOT_REACHED` where something that has to occur in some
   * order never did, or a property was never judged, though there was time for it.
   */
  readonly verdict: "COMPLETE" | "NOT_COMPLETE" | "VIOLATED" | "NOT_AS_WRITTEN" | "NOT_REACHED"
  /** False where the script fails before the step from which orders are searched. */
  readonly isSearched: boolean
  /** The failures of the run as written. */
  readonly notAsWritten: ReadonlyArray<Failure>
  /** The expectations that are judged in the written order alone. */
  readonly unchecked: ReadonlyArray<UncheckedExpectation>
  readonly notReached: ReadonlyArray<string>
  /** Properties of the script that were judged in no run. */
  readonly neverJudged: ReadonlyArray<VacuousProperty>
  /** Steps that could be done in no order at all, in their own words. */
  readonly neverDone: ReadonlyArray<string>
  /** The place of the violated property, if the script states it. */
  readonly statedAt: string | undefined
  readonly shrunk: Shown | undefined
}

/** A violation, as it is shown. */
export interface Shown {
  readonly invariant: string
  readonly says: string
  readonly words: string
  readonly why: ReadonlyArray<string>
  readonly made: ReadonlyArray<Made>
  readonly faults: ReadonlyArray<string>
  readonly steps: number
  readonly runs: number
  readonly isMinimal: boolean
  /** Undefined where it was not saved. */
  readonly saved: string | undefined
}

export const verdictLines = (explored: Explored): ReadonlyArray<string> => {
  const { file, verdict, notReached, neverDone, neverJudged, notAsWritten, statedAt } = explored
  const never = verdict === "NOT_REACHED"
  return [
    `${file}: ${verdict === "VIOLATED" ? violated(explored) : searched(explored)}`,
    ...(statedAt === undefined ? [] : [`  stated at ${statedAt}`]),
    ...notAsWritten.flatMap(failureLines).map((line) => `  as written: ${line}`),
    ...notReached.map((name) => `  ${never ? "never came about" : "has not come about yet"}: ${name}`),
    ...neverJudged.map(
      ({ property, file: of, line, why }) =>
        `  ${never ? "never judged" : "has not been judged yet"}: ${property} (${of}:${line}): ${why}`
    ),
    ...neverDone.map((step) => `  could be done in no order: ${step}`),
    ...uncheckedLines(explored),
    ...(explored.shrunk === undefined ? unsavedLines(explored) : shrunkLines(explored.shrunk))
  ]
}

/** Expectations that the verdict does not cover. */
const uncheckedLines = ({ unchecked, notAsWritten }: Explored): ReadonlyArray<string> => {
  if (unchecked.length === 0) return []
  const held = notAsWritten.length === 0 ? ", and hold there" : ""
  return [
    `  ${counted(unchecked.length, "expectation")} judged in the written order alone${held}; another order may answer otherwise:`,
    ...unchecked.map(
      ({ file, line, step, what, answered, asExpected }) =>
        `    ${file}:${line}: step ${step}, ${what}: ${answered === 0 ? "answered in no run" : `as expected in ${asExpected.toLocaleString("en-US")} of ${counted(answered, "run")}`}`
    )
  ]
}

const violated = ({ found, schedules }: Explored): string =>
  `violation after ${counted(schedules, "schedule")}, by ${found?.by ?? "nobody"}: ${found?.violation.invariant ?? ""}`

const searched = ({ isSearched, isComplete, schedules, states, leftOut, depth }: Explored): string => {
  if (!isSearched) return "not searched: it fails before the step that says explore"
  const worlds = states === undefined ? "" : `, ${counted(states, "state")}`
  const count = `${counted(schedules, "schedule")}${worlds}, 0 violations`
  if (isComplete) return `complete: ${count}`
  const left = leftOut.map(([strategy, left]) => `${strategy}: ${left}`).join("; ")
  return `not complete: ${count}, up to ${counted(depth, "choice")} deep; left out: ${left}`
}

export const shrunkLines = (shown: Shown): ReadonlyArray<string> => {
  const { says, words, why, made, faults, steps, runs, isMinimal, saved } = shown
  const left = `${counted(steps, "step")}, ${counted(made.length, "choice")}, ${counted(faults.length, "fault")}`
  return [
    `  has to hold: ${says}`,
    `  seen: ${words}`,
    ...faults.map((fault) => `  goes wrong: ${fault}`),
    ...made.map((one, index) => `  choice ${index + 1}: ${choiceOf(one)}`),
    `  why: ${why.join(" ")}`,
    `  shrunk to ${left} in ${counted(runs, "run")}${isMinimal ? "" : "; more could be left out, given more runs"}`,
    ...(saved === undefined ? [] : [`  saved: ${saved}`, `  again: ${replayCommandOf(saved)}`])
  ]
}

/** What each thing is needed for: without it, nothing goes wrong in that way. */
export const checkedLines = (file: string, { invariant, removals }: Checked): ReadonlyArray<string> => {
  const needless = removals.filter(({ stillFails }) => stillFails).length
  return [
    ...removals.map(
      ({ what, stillFails }) => `  ${stillFails ? "still breaks it without" : "passes without"} ${cut(what)}`
    ),
    needless === 0
      ? `${file}: minimal: without any one of ${counted(removals.length, "thing")}, this holds: ${invariant}`
      : `${file}: not minimal: ${counted(needless, "thing")} of ${removals.length} can be left out`
  ]
}

const cut = (text: string): string => (text.length <= lineMax ? text : `${text.slice(0, lineMax)}…`)
const lineMax = 100

/** What a script cannot say so that it goes wrong again, and a search can: its seed and its options do. */
const unsavedLines = ({ found }: Explored): ReadonlyArray<string> =>
  found === undefined
    ? []
    : [
        `  seen: ${found.violation.words}`,
        `  schedule: ${JSON.stringify({ ...found.schedule, visits: [...found.schedule.visits] })}`,
        "  not saved: as a script this does not break it, so the script cannot say all that made it happen"
      ]

const choiceOf = (made: Made): string => {
  const others = made.options.filter((option) => option !== made.chosen)
  return `${made.chosen}${isDeviation(made) ? ", before" : ", and then"} ${others.join(", ")}`
}

export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`

/** For programs: sets and maps as lists. */
export const explorationAsJson = (explored: ReadonlyArray<Explored>): string => {
  const listed = explored.map(({ outcomes, reached, undone, expectations, found, ...one }) => ({
    ...one,
    expectations: [...expectations].map(([step, met]) => ({ step, ...met })),
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
