/** Candidates with shorter spans of time, from a few round values. */
import { fromMilliseconds, toMilliseconds } from "../../../src/vocabulary/instant.ts"
import { durationInMilliseconds, durationText } from "../../vocabulary/duration.ts"
import type { StepForm } from "../../scenario/format/scenario-form.ts"
import { writeStep } from "../../scenario/format/write.ts"
import type { FailingRun } from "./failing-run.ts"
import type { Reduction } from "./fewer-steps.ts"

export const shorterTimes = (failing: FailingRun): ReadonlyArray<Reduction<FailingRun>> => {
  const { before, rest, slowness, opening } = failing
  const start = toMilliseconds(opening.start)
  return [
    ...[0, ...roundSpans]
      .filter((span) => span < slowness)
      .map((span) => ({ what: `slowness: ${durationText(slowness)}`, left: { ...failing, slowness: span } })),
    ...shorterEach(rest, start).map(({ what, left }) => ({ what, left: { ...failing, rest: left } })),
    ...shorterEach(before, start).map(({ what, left }) => ({ what, left: { ...failing, before: left } }))
  ]
}

/** The total time of the run. */
export const totalTime = ({ before, rest, slowness, opening }: FailingRun): number => {
  const start = toMilliseconds(opening.start)
  const spans = [...before, ...rest].flatMap(({ together = [], ...form }) => [form, ...together])
  return spans.reduce((sum, form) => sum + spanOf(form, start), slowness)
}

type Forms = ReadonlyArray<StepForm>

const shorterEach = (forms: Forms, start: number): ReadonlyArray<Reduction<Forms>> =>
  forms.flatMap((form, index) => {
    const { together } = form
    const spans = roundSpans.filter((span) => span < spanOf(form, start))
    const inner = together === undefined ? [] : shorterEach(together, start)
    return [
      ...spans.map((span) => ({ what: writeStep(form), left: forms.with(index, withSpan(form, span, start)) })),
      ...inner.map(({ what, left }) => ({ what, left: forms.with(index, { ...form, together: left }) }))
    ]
  })

/** The span to a moment counts from the start of the world. */
const spanOf = ({ advance, until }: StepForm, start: number): number => {
  if (advance !== undefined) return durationInMilliseconds(advance)
  return until === undefined ? 0 : Math.max(toMilliseconds(until) - start, 0)
}

const withSpan = (form: StepForm, span: number, start: number): StepForm =>
  form.advance === undefined
    ? { ...form, until: fromMilliseconds(start + span) }
    : { ...form, advance: durationText(span) }

const roundSpans = [1, 1000, 60_000, 3_600_000, 86_400_000]
