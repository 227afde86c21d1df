/**
 * Records a session as a scenario whose replay results in the same trace: answers become expectations, and values that
 * later requests use are kept under names.
 */
import { Result } from "effect"
import type { Answer } from "../journey.ts"
import { readScenario } from "../script/read.ts"
import type { StepForm } from "../script/format.ts"
import { writeScenario } from "../script/write.ts"
import type { Kept } from "../session.ts"
import { Session } from "../session.ts"
import { simulate } from "../simulate.ts"
import { firstDifference } from "../trace.ts"
import { Captures } from "./captures.ts"

export interface Recording {
  /** A script without secrets. */
  readonly text: string
  readonly steps: number
  /** Steps that a script cannot hold: unusable steps, and injected faults that never occurred. */
  readonly leftOut: number
  /** Steps that had not ended, with their concurrent steps. */
  readonly unfinished: number
}

/** A sentence on the omitted steps; empty if there are none. */
export const missingFrom = ({ leftOut, unfinished }: Omit<Recording, "text" | "steps">): string =>
  [
    ...(leftOut === 0 ? [] : [`Omitted: ${leftOut} steps that were unusable, or whose fault never occurred.`]),
    ...(unfinished === 0 ? [] : [`Omitted: ${unfinished} steps that had not ended.`])
  ].join(" ")

export const recordingOf = (session: Session): Recording => {
  const kept = usableIn(session)
  const captures = new Captures(session)
  for (const one of kept) captures.read(one)
  const unfinished = session.kept.filter((one) => !hasEnded(one))
  const omitted = {
    leftOut: session.kept.length - kept.length - unfinished.length,
    unfinished: unfinished.flatMap(withConcurrent).length
  }
  const missing = missingFrom(omitted)
  const text = writeScenario(
    session.opening,
    kept.map((one) => formOf(one, captures)),
    { heading: missing === "" ? undefined : missing }
  )
  return { text: session.stage.recorder.redact(text), steps: kept.length, ...omitted }
}

/** Replays the recording and compares its trace with the session's. Undefined if equal, else the first difference. */
export const differenceInReplay = (session: Session, { text }: Pick<Recording, "text">): string | undefined => {
  const scenario = readScenario("the recording", text)
  if (Result.isFailure(scenario)) return scenario.failure
  const { trace, verdict, story } = simulate(scenario.success, { file: "the recording" })
  const end = trace.lastIndexOf("\n", trace.length - 2) + 1
  const difference = firstDifference(
    usableIn(session).length === session.kept.length ? session.trace : withoutUnusable(session),
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
  for (const kept of usableIn(session)) other.do(forms[session.kept.indexOf(kept)])
  return other.trace
}

/** An unusable step ends a script, and an injected fault must occur. */
const usableIn = ({ kept, journey }: Session): ReadonlyArray<Kept> => {
  const waiting = [...journey.world.faults.untouched]
  const unused = kept.toReversed().filter(({ step }) => {
    const position = step.kind === "inject" ? waiting.indexOf(step.injection.of) : -1
    return position >= 0 && waiting.splice(position, 1).length > 0
  })
  return kept.filter((one) => one.endsScenario !== true && hasEnded(one) && !unused.includes(one))
}

const concurrentWith = ({ meanwhile, outside }: Kept): ReadonlyArray<Kept> => [
  ...meanwhile,
  ...outside.flatMap((event) => ("form" in event ? [event] : []))
]

const withConcurrent = (kept: Kept): ReadonlyArray<Kept> => [kept, ...concurrentWith(kept).flatMap(withConcurrent)]

const hasEnded = (kept: Kept): boolean => withConcurrent(kept).every((one) => one.hasEnded === true)

const formOf = (kept: Kept, captures: Captures): StepForm => {
  const { form, otherwise, answer, meanwhile, outside } = kept
  const keep = captures.keepOf(kept)
  const expect = otherwise?.expect ?? form.expect ?? statusOf(answer)
  return {
    ...captures.saidBy(kept),
    ...(meanwhile.length === 0 ? {} : { meanwhile: meanwhile.map((one) => formOf(one, captures)) }),
    ...(outside.length === 0
      ? {}
      : { outside: outside.map((event) => ("form" in event ? formOf(event, captures) : event)) }),
    ...(expect === undefined ? {} : { expect }),
    ...(keep === undefined ? {} : { keep })
  }
}

/** 200 is the default. */
const statusOf = (answer: Answer | undefined): StepForm["expect"] =>
  answer === undefined || answer.status === 200 ? undefined : { status: answer.status }
