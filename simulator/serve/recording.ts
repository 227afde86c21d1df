/**
 * What came into a world, as a scenario whose replay leaves the same trace: what was answered is expected, and what one
 * answer gave and a later request named is kept under a name.
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
  /** A script; no secret stands in it. */
  readonly text: string
  readonly steps: number
  /** Steps that came in and are not in it, since a script cannot hold them: they were unusable, or never struck. */
  readonly leftOut: number
  /** Steps that are not in it since they were still under way, with those beside them. */
  readonly unfinished: number
}

/** What is missing, in words; empty where nothing is. */
export const missingFrom = ({ leftOut, unfinished }: Omit<Recording, "text" | "steps">): string =>
  [
    ...(leftOut === 0 ? [] : [`${leftOut} of the steps were unusable, or never struck, and are not here.`]),
    ...(unfinished === 0 ? [] : [`${unfinished} of the steps had not ended yet, and are not here.`])
  ].join(" ")

export const recordingOf = (session: Session): Recording => {
  const kept = usableIn(session)
  const captures = new Captures(session)
  for (const one of kept) captures.read(one)
  const underWay = session.kept.filter((one) => !hasEnded(one))
  const left = {
    leftOut: session.kept.length - kept.length - underWay.length,
    unfinished: underWay.flatMap(withThoseBeside).length
  }
  const missing = missingFrom(left)
  const text = writeScenario(
    session.opening,
    kept.map((one) => formOf(one, captures)),
    { heading: missing === "" ? undefined : missing }
  )
  return { text: session.stage.recorder.redact(text), steps: kept.length, ...left }
}

/** Replays it; what it leaves has to be what the session left. Undefined where it is, else the first difference. */
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

/** What would have happened without the steps that a script cannot hold. */
const withoutUnusable = (session: Session): string => {
  const other = new Session(session.opening)
  const { forms } = session
  for (const kept of usableIn(session)) other.do(forms[session.kept.indexOf(kept)])
  return other.trace
}

/** A script ends with a step that is unusable, and has to see what it injects strike. */
const usableIn = ({ kept, journey }: Session): ReadonlyArray<Kept> => {
  const waiting = [...journey.world.faults.untouched]
  const neverStruck = kept.toReversed().filter(({ step }) => {
    const position = step.kind === "inject" ? waiting.indexOf(step.injection.of) : -1
    return position >= 0 && waiting.splice(position, 1).length > 0
  })
  return kept.filter((one) => one.endsScenario !== true && hasEnded(one) && !neverStruck.includes(one))
}

const besideOf = ({ meanwhile, outside }: Kept): ReadonlyArray<Kept> => [
  ...meanwhile,
  ...outside.flatMap((came) => ("form" in came ? [came] : []))
]

const withThoseBeside = (kept: Kept): ReadonlyArray<Kept> => [kept, ...besideOf(kept).flatMap(withThoseBeside)]

const hasEnded = (kept: Kept): boolean => withThoseBeside(kept).every((one) => one.hasEnded === true)

const formOf = (kept: Kept, captures: Captures): StepForm => {
  const { form, otherwise, answer, meanwhile, outside } = kept
  const keep = captures.keepOf(kept)
  const expect = otherwise?.expect ?? form.expect ?? statusOf(answer)
  return {
    ...captures.saidBy(kept),
    ...(meanwhile.length === 0 ? {} : { meanwhile: meanwhile.map((one) => formOf(one, captures)) }),
    ...(outside.length === 0
      ? {}
      : { outside: outside.map((came) => ("form" in came ? formOf(came, captures) : came)) }),
    ...(expect === undefined ? {} : { expect }),
    ...(keep === undefined ? {} : { keep })
  }
}

/** 200 is what anybody expects. */
const statusOf = (answer: Answer | undefined): StepForm["expect"] =>
  answer === undefined || answer.status === 200 ? undefined : { status: answer.status }
