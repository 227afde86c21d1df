/** Candidates with fewer or less severe faults: a late answer is less severe than none. */
import { Option, Schema } from "effect"
import type { AttemptScript } from "../../environment/webhook-receivers/attempt-script.ts"
import { SetReceiver } from "../../scenario/operations/operation-forms.ts"
import type { StepForm } from "../../scenario/format/scenario-form.ts"
import { writeStep } from "../../scenario/format/write.ts"
import type { Reduction } from "./fewer-steps.ts"

type Forms = ReadonlyArray<StepForm>
type Inject = Exclude<NonNullable<StepForm["inject"]>, string>

/** Each without one fault of a request or of a delivery attempt. */
export const withoutFault = (forms: Forms): ReadonlyArray<Reduction<Forms>> =>
  changedEach(forms, (form) => {
    const { inject, ...others } = form
    const besides = inject !== undefined && Object.keys(others).length > 0 ? [others] : []
    return [...besides, ...withoutVisitFault(form)]
  })

/** Each with one fault replaced by a less severe one. */
export const weakenFaults = (forms: Forms): ReadonlyArray<Reduction<Forms>> =>
  changedEach(forms, (form) => [
    ...(typeof form.inject === "object" ? weakerInjections(form.inject).map((inject) => ({ ...form, inject })) : []),
    ...weakerVisits(form)
  ])

/** The total severity of the faults, in the order in which they are weakened, with their skips and repetitions. */
export const totalSeverity = (forms: Forms): number =>
  forms.reduce(
    (sum, { inject, together = [], ...form }) =>
      sum + severityOf(inject) + sumOf(visitsOf(form).map(severityOfVisit)) + totalSeverity(together),
    0
  )

/** The faults, one line each. */
export const describeFaults = (forms: Forms): ReadonlyArray<string> =>
  forms.flatMap(({ inject, together = [], ...form }) => [
    ...(inject === undefined ? [] : [typeof inject === "string" ? inject : writeStep({ inject })]),
    ...visitsOf(form)
      .filter((visit) => severityOfVisit(visit) > 0)
      .map((visit) => `${JSON.stringify(form.input?.["receiver"])}: ${JSON.stringify(visit)}`),
    ...describeFaults(together)
  ])

/** Applies changes to each step, including inner ones. */
const changedEach = (
  forms: Forms,
  changes: (form: StepForm) => ReadonlyArray<StepForm>
): ReadonlyArray<Reduction<Forms>> =>
  forms.flatMap((form, index) => {
    const { together } = form
    const inner = together === undefined ? [] : changedEach(together, changes)
    return [
      ...changes(form).map((left) => ({ what: writeStep(form), left: forms.with(index, left) })),
      ...inner.map(({ what, left }) => ({ what, left: forms.with(index, { ...form, together: left }) }))
    ]
  })

const weakerInjections = (inject: Inject): ReadonlyArray<Inject> => {
  const { skip = 0, times = 1, crash, ...others } = inject
  const { skip: _, ...atOnce } = inject
  return [
    ...(crash === undefined ? [] : weakerThanCrash.map((database) => ({ ...others, database, ...skipping(skip) }))),
    ...weakerDatabaseFaults(inject).map((database) => ({ ...inject, database })),
    ...(skip > 0 ? [atOnce] : []),
    ...(skip > 1 ? [{ ...inject, skip: skip - 1 }] : []),
    ...(times > 1 ? [{ ...inject, times: times - 1 }] : [])
  ]
}

const skipping = (skip: number) => (skip === 0 ? {} : { skip })

const weakerThanCrash = ["40001", "connection-lost", "commit-lost-unknown"] as const

const weakerDatabaseFaults = ({ database }: Inject): ReadonlyArray<"40001"> =>
  database === undefined || /^\d/.test(database) ? [] : ["40001"]

const severityOf = (inject: StepForm["inject"]): number => {
  if (inject === undefined) return 0
  if (typeof inject === "string") return severe
  const { crash, database, skip = 0, times = 1 } = inject
  const what = crash !== undefined ? 3 : database === undefined || !/^\d/.test(database) ? 2 : 1
  return what * severe + skip + times
}

/** More than any number of skipped points. */
const severe = 1000

const visitsOf = (form: StepForm): ReadonlyArray<AttemptScript> => {
  if (form.do !== "setReceiver") return []
  const { next = [], otherwise } = Option.getOrElse(decodeReceiver(form.input ?? {}), () => noReceiver)
  return otherwise === undefined ? next : [...next, otherwise]
}

const decodeReceiver = Schema.decodeUnknownOption(SetReceiver)
const noReceiver: typeof SetReceiver.Type = { receiver: "" }

const withoutVisitFault = (form: StepForm): ReadonlyArray<StepForm> =>
  changedVisits(form, (visit) => (severityOfVisit(visit) > 0 ? [{}] : []))

const weakerVisits = (form: StepForm): ReadonlyArray<StepForm> =>
  changedVisits(form, (visit) => weakerBehaviors.filter((other) => severityOfVisit(other) < severityOfVisit(visit)))

const changedVisits = (
  form: StepForm,
  changes: (visit: AttemptScript) => ReadonlyArray<AttemptScript>
): ReadonlyArray<StepForm> => {
  if (form.do !== "setReceiver") return []
  const { next = [], ...input } = Option.getOrElse(decodeReceiver(form.input ?? {}), () => noReceiver)
  return next.flatMap((visit, index) =>
    changes(visit).map((other) => {
      const visits = next.with(index, other)
      const needed = visits.slice(0, visits.findLastIndex((one) => Object.keys(one).length > 0) + 1)
      return { ...form, input: { ...input, ...(needed.length === 0 ? {} : { next: needed }) } }
    })
  )
}

/** The least severe first. */
const weakerBehaviors: ReadonlyArray<AttemptScript> = [{ answers: 503 }, { answers: "RESET" }, { after: "1s" }]

const severityOfVisit = (visit: AttemptScript): number => {
  if (visit.answers === "NOTHING" || visit.stalls !== undefined) return 4 * severe
  if (visit.after !== undefined) return 3 * severe
  if (visit.connects !== undefined || visit.finds !== undefined || typeof visit.answers === "string") return 2 * severe
  return Object.keys(visit).length === 0 ? 0 : severe
}

const sumOf = (numbers: ReadonlyArray<number>): number => numbers.reduce((sum, one) => sum + one, 0)
