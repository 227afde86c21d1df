/** The cause of a failing run of a scenario without a search, or of a saved run of a lesson. */
import { Result } from "effect"
import { type BrokenCondition, brokenIn, firstBroken, judge } from "../examination/judge.ts"
import { readLesson } from "../examination/lesson.ts"
import { differenceText } from "../observation/compare.ts"
import type { Scenario } from "../scenario/format/scenario.ts"
import type { StepForm } from "../scenario/format/scenario-form.ts"
import { unrollSteps } from "../scenario/format/unroll.ts"
import { BadStep, type Outcome, Session } from "../scenario/session.ts"
import type { Cause } from "./cause.ts"
import { eventsBetween } from "./events-between.ts"
import { causeOfSteps, stepText } from "./steps-cause.ts"

/** The agent could have acted otherwise, so that its steps and the faults that hit it are the moments. */
export const causeOfSavedRun = (folder: string, runsMax: number): Result.Result<Cause, string> =>
  Result.flatMap(readLesson(folder), (lesson) => {
    const whole = new RunOfForms(lesson.scenario)
    const first = firstBroken(judge(lesson, whole.session))
    if (first === undefined) return Result.fail(`${folder}: every condition of the lesson holds in this run`)
    const isAgents = ({ as, inject }: StepForm) => as === lesson.form.agent || inject !== undefined
    const failsAlike = (session: Session) => {
      const { safety, progress } = judge(lesson, session)
      return [...safety, ...progress].some(({ label }) => label === first.label)
    }
    return Result.succeed(causeOfBroken(whole, first, failsAlike, isAgents, runsMax))
  })

/** Any step but the one that fails could have been left out. */
export const causeOfScenario = (file: string, scenario: Scenario, runsMax: number): Result.Result<Cause, string> => {
  const whole = new RunOfForms(scenario)
  const failed = whole.firstFailed
  if (failed !== undefined) return Result.succeed(causeOfFailedStep(whole, failed, runsMax))
  const [violated] = scenario.properties.flatMap((property) => {
    const condition = brokenIn(property, whole.session)
    return condition === undefined ? [] : [{ property, condition }]
  })
  if (violated === undefined) return Result.fail(`${file}: every step goes as expected, and every property holds`)
  const { property, condition } = violated
  const failsAlike = (session: Session) => brokenIn(property, session) !== undefined
  return Result.succeed(causeOfBroken(whole, condition, failsAlike, () => true, runsMax))
}

const causeOfBroken = (
  whole: RunOfForms,
  { label, words, observed }: BrokenCondition,
  failsAlike: (session: Session) => boolean,
  isMoment: (form: StepForm) => boolean,
  runsMax: number
): Cause => {
  const moments = whole.forms.flatMap((form, index) => (isMoment(form) ? [index] : []))
  return causeOfSteps(
    {
      property: label,
      words,
      steps: moments.map((index) => whole.textOf(index)),
      failsWithout: (leftOut) =>
        failsAlike(whole.without(new Set([...leftOut].map((step) => moments[step] ?? -1))).session),
      eventsFrom: (step) => whole.eventsBetween(moments[step], observed)
    },
    runsMax
  )
}

const causeOfFailedStep = (whole: RunOfForms, failed: number, runsMax: number): Cause => {
  const { before, after } = whole.observedAt(failed)
  const differences = whole.session.observations
    .slice(before, after)
    .flatMap((one) => (one.kind === "expectation" ? one.differences.map(differenceText) : []))
  return causeOfSteps(
    {
      property: whole.textOf(failed),
      words: differences.join("; ") || (whole.failures.get(failed) ?? ""),
      steps: whole.forms.slice(0, failed).map((_, index) => whole.textOf(index)),
      failsWithout: (leftOut) => !whole.without(leftOut, failed + 1).hasPassed(failed),
      eventsFrom: (step) => whole.eventsBetween(step, after)
    },
    runsMax
  )
}

/** A session with the steps of a scenario, or some of them. */
class RunOfForms {
  readonly forms: ReadonlyArray<StepForm>
  readonly session: Session
  /** Why steps did not go as expected, by their index. */
  readonly failures = new Map<number, string>()
  /** The steps that name what a step that is left out would have kept, so that they cannot run. */
  readonly #skipped = new Set<number>()
  readonly #scenario: Scenario
  readonly #observed = new Map<number, { readonly before: number; readonly after: number }>()

  constructor(scenario: Scenario, leftOut: ReadonlySet<number> = new Set(), until = Number.POSITIVE_INFINITY) {
    this.#scenario = scenario
    this.forms = unrollSteps(scenario.steps)
    this.session = new Session(scenario)
    for (const [index, form] of this.forms.slice(0, until).entries()) if (!leftOut.has(index)) this.#do(form, index)
  }

  without(leftOut: ReadonlySet<number>, until?: number): RunOfForms {
    return new RunOfForms(this.#scenario, leftOut, until)
  }

  get firstFailed(): number | undefined {
    const [first] = this.failures.keys()
    return first
  }

  hasPassed(index: number): boolean {
    return !this.failures.has(index) && !this.#skipped.has(index)
  }

  /** The number of observations before and after a step. */
  observedAt(index: number): { readonly before: number; readonly after: number } {
    return this.#observed.get(index) ?? { before: 0, after: 0 }
  }

  textOf(index: number): string {
    return stepText(this.forms[index] ?? {}, index + 1)
  }

  eventsBetween(index: number | undefined, until: number): ReadonlyArray<string> {
    return eventsBetween(this.session.setup.recorder, this.observedAt(index ?? 0).before, until)
  }

  #do(form: StepForm, index: number): void {
    const before = this.session.observations.length
    const outcome = this.#outcomeOf(form)
    if (outcome === undefined) this.#skipped.add(index)
    else if (outcome.ended !== undefined) this.failures.set(index, outcome.ended.reason)
    this.#observed.set(index, { before, after: this.session.observations.length })
  }

  /** Undefined for a step that cannot run. */
  #outcomeOf(form: StepForm): Outcome | undefined {
    try {
      return this.session.do(form)
    } catch (error) {
      if (error instanceof BadStep) return undefined
      throw error
    }
  }
}
