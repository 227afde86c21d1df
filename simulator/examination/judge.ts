/** The judge of a lesson: which of its conditions hold in a session, and the verdict that follows. */
import { Schema } from "effect"
import { worldKeys } from "../scenario/world-keys.ts"
import { Monitors } from "../properties/monitors.ts"
import type { MonitoredProperty } from "../properties/property.ts"
import { labelOf, type Property } from "../scenario/format/property-form.ts"
import { scenarioProperty } from "../scenario/properties/scenario-property.ts"
import type { Session } from "../scenario/session.ts"
import { emptyContent } from "../storage/memory-storage/content.ts"
import type { Lesson } from "./lesson.ts"

/** `UNKNOWN`: the agent never reached the point. `ERROR`: it ended before, could not be started, or the lesson is broken. */
export const verdicts = ["PASS", "FAIL", "UNKNOWN", "ERROR"] as const
export type ExamVerdict = (typeof verdicts)[number]

/** A condition that does not hold. */
export interface BrokenCondition {
  readonly label: string
  readonly words: string
  /** The number of observations until it was violated; all of them for what was never reached. */
  readonly observed: number
}

export interface Judgement {
  /** What always or never has to hold, and does not. */
  readonly safety: ReadonlyArray<BrokenCondition>
  /** What has to be reached, and is not. */
  readonly progress: ReadonlyArray<BrokenCondition>
  /** True if the agent reached the point of the lesson. */
  readonly cameToPoint: boolean
}

export const judge = (lesson: Lesson, session: Session): Judgement => {
  const { point, safety, progress } = lesson
  const broken = (properties: ReadonlyArray<Property>) =>
    properties.flatMap((property) => brokenIn(property, session) ?? [])
  return {
    safety: [...broken(safety), ...brokenBudget(lesson, session)],
    progress: broken(progress),
    cameToPoint: broken(point).length === 0
  }
}

/** The condition by which a failed run is known. */
export const firstBroken = ({ safety, progress }: Judgement): BrokenCondition | undefined => safety[0] ?? progress[0]

/** The number of requests that the agent of a lesson may send. */
export const requestsMax = ({ form: { budget } }: Lesson): number => budget?.requests ?? 300

const brokenBudget = (lesson: Lesson, { observations }: Session): ReadonlyArray<BrokenCondition> => {
  const positions = observations.flatMap((one, index) =>
    one.kind === "request" && one.actor === lesson.form.agent ? [index + 1] : []
  )
  const most = requestsMax(lesson)
  const words = `it sent more than ${most} requests`
  return positions.slice(most, most + 1).map((observed) => ({ label: "the budget of requests", words, observed }))
}

/** How a lesson ended, its conditions apart. */
export const LessonEnd = Schema.Struct({
  hasFailed: Schema.Boolean.annotate({
    description: "The agent's program could not be started, or ended with an error."
  }),
  isBroken: Schema.Boolean.annotate({ description: "An act of others did not go as the lesson's author expected." }),
  isTimedOut: Schema.Boolean.annotate({ description: "The agent sent no request for too long in real time." }),
  isAnswerLate: Schema.optionalKey(Schema.Boolean).annotate({
    description: "The agent went on after it had closed the connection before an answer that no fault lost."
  })
})
export type LessonEnd = typeof LessonEnd.Type

export const verdictOf = (
  { safety, progress, cameToPoint }: Judgement,
  { hasFailed, isBroken, isTimedOut, isAnswerLate = false }: LessonEnd
): ExamVerdict => {
  const isPassed = safety.length === 0 && progress.length === 0 && cameToPoint && !isBroken
  if (isPassed) return "PASS"
  // How long an answer takes depends on the machine.
  if (isAnswerLate) return "UNKNOWN"
  if (safety.length > 0) return "FAIL"
  if (isBroken) return "ERROR"
  if (isTimedOut && progress.length > 0) return "UNKNOWN"
  if (cameToPoint) return "FAIL"
  return hasFailed ? "ERROR" : "UNKNOWN"
}

/** Judges properties over all observations, with the rows after each commit. */
export const judgedIn = (properties: ReadonlyArray<MonitoredProperty>, session: Session): Monitors => {
  const keys = worldKeys(session.opening)
  const monitors = new Monitors(properties, emptyContent, keys)
  const { states } = session.setup
  let content = emptyContent
  for (const observed of session.observations) {
    content = states.get(observed)?.after ?? content
    monitors.observe(observed, content, session.context.directory)
  }
  monitors.end()
  return monitors
}

/** How a property does not hold in a session; undefined if it does. */
export const brokenIn = (property: Property, session: Session): BrokenCondition | undefined => {
  const monitors = judgedIn([scenarioProperty(property)], session)
  const label = labelOf(property)
  const { violation } = monitors
  if (violation !== undefined) return { label, words: violation.words, observed: violation.at }
  // A project that was never there, or a path that never had a value, is not reached either.
  const isReached = property.kind !== "eventually" || monitors.reached.has(label) || property.form.most !== undefined
  return isReached ? undefined : { label, words: "it was never the case", observed: session.observations.length }
}
