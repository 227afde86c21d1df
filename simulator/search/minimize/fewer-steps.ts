/** Candidates with fewer steps, or with fewer steps inside one. */
import type { StepForm } from "../../scenario/format/scenario-form.ts"
import { writeStep } from "../../scenario/format/write.ts"

/** A removed or reduced element, and the remainder. */
export interface Reduction<A> {
  /** The element on one line. */
  readonly what: string
  readonly left: A
}

type Forms = ReadonlyArray<StepForm>

/** Each without `count` consecutive steps; the last first, since later steps depend on earlier ones. */
export const withoutSome = (forms: Forms, count: number): ReadonlyArray<Reduction<Forms>> =>
  Array.from({ length: Math.max(forms.length - count + 1, 0) }, (_, index) => {
    const from = forms.length - count - index
    const what = forms
      .slice(from, from + count)
      .map(writeStep)
      .join("; ")
    return { what, left: forms.toSpliced(from, count) }
  })

/** Each without one inner step; a `together` of one step becomes that step. */
export const withoutInner = (forms: Forms): ReadonlyArray<Reduction<Forms>> =>
  forms.flatMap((form, index) =>
    withoutInnerOf(form).map(({ what, left }) => ({ what, left: forms.with(index, left) }))
  )

const withoutInnerOf = (form: StepForm): ReadonlyArray<Reduction<StepForm>> => {
  const { together, meanwhile, outside, ...own } = form
  return [
    ...withoutEach(together).map(({ what, left }) => {
      const [only] = left
      return { what, left: left.length === 1 && only !== undefined ? only : { ...form, together: left } }
    }),
    ...withoutEach(meanwhile).map(({ what, left }) => ({
      what,
      left: left.length > 0 ? { ...form, meanwhile: left } : { ...own, ...defined({ together, outside }) }
    })),
    ...withoutEach(outside).map(({ what, left }) => ({
      what,
      left: left.length > 0 ? { ...form, outside: left } : { ...own, ...defined({ together, meanwhile }) }
    }))
  ]
}

const withoutEach = <A extends object>(steps: ReadonlyArray<A> = []): ReadonlyArray<Reduction<ReadonlyArray<A>>> =>
  steps.map((step, index) => ({ what: writeStep(step), left: steps.toSpliced(index, 1) })).toReversed()

const defined = <A extends object>(members: A): Partial<A> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<A>

/** The number of steps, including inner ones. */
export const countSteps = (forms: Forms): number =>
  forms.reduce(
    (sum, { together = [], meanwhile = [], outside = [] }) =>
      sum + 1 + together.length + meanwhile.length + outside.length,
    0
  )
