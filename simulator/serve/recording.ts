/**
 * Records a session as a scenario whose replay results in the same trace: answers become expectations, and values that
 * later requests use are kept under names.
 */
import { Result } from "effect"
import type { StepResponse } from "../scenario/scenario-context.ts"
import { readScenario } from "../scenario/format/read.ts"
import type { StepForm } from "../scenario/format/scenario-form.ts"
import { writeScenario } from "../scenario/format/write.ts"
import type { StoredStep } from "../scenario/session.ts"
import { Session } from "../scenario/session.ts"
import { simulate, type SimulationResult } from "../scenario/simulate.ts"
import { firstDifference } from "../observation/trace.ts"
import { CapturedValues } from "./captured-values.ts"

export interface Recording {
  /** A script without secrets. */
  readonly text: string
  readonly steps: number
  /** Steps that a script cannot hold: unusable steps, and injected faults that never occurred. */
  readonly omitted: number
  /** Steps that had not ended, with their concurrent steps. */
  readonly unfinished: number
}

/** A sentence on the omitted steps; empty if there are none. */
export const describeOmissions = ({ omitted, unfinished }: Omit<Recording, "text" | "steps">): string =>
  [
    ...(omitted === 0 ? [] : [`Omitted: ${omitted} steps that were unusable, or whose fault never occurred.`]),
    ...(unfinished === 0 ? [] : [`Omitted: ${unfinished} steps that had not ended.`])
  ].join(" ")

export const recordingOf = (session: Session): Recording => {
  const stored = usableIn(session)
  const captures = new CapturedValues(session)
  for (const one of stored) captures.read(one)
  const unfinished = session.storedSteps.filter((one) => !hasEnded(one))
  const omitted = {
    omitted: session.storedSteps.length - stored.length - unfinished.length,
    unfinished: unfinished.flatMap(withConcurrent).length
  }
  const missing = describeOmissions(omitted)
  const text = writeScenario(
    session.opening,
    stored.map((one) => formOf(one, captures)),
    { heading: missing === "" ? undefined : missing }
  )
  return { text: session.setup.recorder.redact(text), steps: stored.length, ...omitted }
}

/** Replays the recording and compares its trace with the session's. Undefined if equal, else the first difference. */
export const differenceInReplay = (session: Session, { text }: Pick<Recording, "text">): string | undefined => {
  const scenario = readScenario("the recording", text)
  if (Result.isFailure(scenario)) return scenario.failure
  return differenceFromReplay(session, simulate(scenario.success, { file: "the recording" }))
}

/** The same, of a replay. */
export const differenceFromReplay = (
  session: Session,
  { trace, verdict, story }: Pick<SimulationResult, "trace" | "verdict" | "story">
): string | undefined => {
  const end = trace.lastIndexOf("\n", trace.length - 2) + 1
  const difference = firstDifference(
    usableIn(session).length === session.storedSteps.length ? session.trace : withoutUnusable(session),
    trace.slice(0, end),
    sides
  )
  return difference ?? (verdict === "PASSED" ? undefined : story)
}

const sides = ["session", "replay"] as const

/** The trace of the session without the steps that a script cannot hold. */
const withoutUnusable = (session: Session): string => {
  const other = new Session(session.opening)
  const { forms } = session
  for (const stored of usableIn(session)) other.do(forms[session.storedSteps.indexOf(stored)])
  return other.trace
}

/** An unusable step ends a script, and an injected fault must occur. */
const usableIn = ({ storedSteps, context }: Session): ReadonlyArray<StoredStep> => {
  const waiting = [...context.world.faults.withoutOccurrence]
  const unused = storedSteps.toReversed().filter(({ step }) => {
    const position = step.kind === "inject" ? waiting.indexOf(step.injection.of) : -1
    return position >= 0 && waiting.splice(position, 1).length > 0
  })
  return storedSteps.filter((one) => one.endsScenario !== true && hasEnded(one) && !unused.includes(one))
}

const concurrentWith = ({ meanwhile, outside }: StoredStep): ReadonlyArray<StoredStep> => [
  ...meanwhile,
  ...outside.flatMap((event) => ("form" in event ? [event] : []))
]

const withConcurrent = (stored: StoredStep): ReadonlyArray<StoredStep> => [
  stored,
  ...concurrentWith(stored).flatMap(withConcurrent)
]

const hasEnded = (stored: StoredStep): boolean => withConcurrent(stored).every((one) => one.hasEnded === true)

const formOf = (stored: StoredStep, captures: CapturedValues): StepForm => {
  const { form, accepted, answer, meanwhile, outside } = stored
  const keep = captures.keepOf(stored)
  const expect = accepted?.expect ?? form.expect ?? statusOf(answer)
  return {
    ...captures.requestOf(stored),
    ...(meanwhile.length === 0 ? {} : { meanwhile: meanwhile.map((one) => formOf(one, captures)) }),
    ...(outside.length === 0
      ? {}
      : { outside: outside.map((event) => ("form" in event ? formOf(event, captures) : event)) }),
    ...(expect === undefined ? {} : { expect }),
    ...(keep === undefined ? {} : { keep })
  }
}

/** 200 is the default. */
const statusOf = (answer: StepResponse | undefined): StepForm["expect"] =>
  answer === undefined || answer.status === 200 ? undefined : { status: answer.status }
