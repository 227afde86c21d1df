/** How others act in a lesson: late, twice, or with orders to the agent in every text. */
import { apiOperations } from "../scenario/operations/agent-api.ts"
import { operationForms } from "../scenario/operations/operation-forms.ts"
import { workspaceOperations } from "../scenario/operations/workspace-api.ts"
import type { GivenSection } from "../scenario/format/given.ts"
import type { StepForm } from "../scenario/format/scenario-form.ts"
import { durationInMilliseconds, durationText } from "../vocabulary/duration.ts"
import type { ActForm, Budget, LessonForm } from "./lesson-form.ts"
import { ordering } from "./orders.ts"
import type { MannerForm } from "./persona-form.ts"

/** A lesson, and the steps of its world. */
interface Acted {
  readonly form: LessonForm
  readonly steps: ReadonlyArray<StepForm>
}

export const inManner = ({ waits, repeats, orders }: MannerForm, given: GivenSection, acted: Acted): Acted => {
  const slowed = waits === undefined ? acted : { ...acted, form: slow(acted.form, waits) }
  const repeated = repeats === true ? { ...slowed, form: repeat(slowed.form, given) } : slowed
  if (orders === undefined) return repeated
  const order = ordering(orders, given, repeated)
  return {
    steps: repeated.steps.map(order),
    form: withActs(repeated.form, (act) => withSteps(act, (steps) => steps.map(order)))
  }
}

const slow = (form: LessonForm, factor: number): LessonForm => {
  const longer = (duration: string): string => durationText(factor * durationInMilliseconds(duration))
  const slowed = withActs(form, (act) => (act.wait === undefined ? act : { ...act, wait: longer(act.wait) }))
  if (form.budget === undefined) return slowed
  const { requests, time } = form.budget
  const budget: Budget = {
    ...(requests === undefined ? {} : { requests: factor * requests }),
    ...(time === undefined ? {} : { time: longer(time) })
  }
  return { ...slowed, budget }
}

const repeat = (form: LessonForm, { people = {}, agents = {} }: GivenSection): LessonForm => {
  const isOfParty = ({ as = "" }: StepForm): boolean => Object.hasOwn(people, as) || Object.hasOwn(agents, as)
  return withActs(form, (act, index) =>
    withSteps(act, (steps) =>
      steps.flatMap((step, position) => {
        if (!isOfParty(step) || !isCommand(step)) return [step]
        const id = step.id ?? `act-${index + 1}-step-${position + 1}`
        return [{ ...step, id }, { retry: id }]
      })
    )
  )
}

/** A request that is no read. */
const isCommand = ({ do: operation = "" }: StepForm): boolean =>
  operationForms.get(operation)?.isRequest === true &&
  (apiOperations[operation] ?? workspaceOperations[operation])?.method !== "GET"

const withActs = (form: LessonForm, change: (act: ActForm, index: number) => ActForm): LessonForm =>
  form.acts === undefined ? form : { ...form, acts: form.acts.map(change) }

const withSteps = (act: ActForm, change: (steps: ReadonlyArray<StepForm>) => ReadonlyArray<StepForm>): ActForm =>
  act.steps === undefined ? act : { ...act, steps: change(act.steps) }
