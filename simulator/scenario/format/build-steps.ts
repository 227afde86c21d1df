/** Builds executable steps from the forms of a script: unrolls loops and inserts parts. */
import { durationInMilliseconds } from "../../vocabulary/duration.ts"
import type { OuterStepForm, ExternalEventForm, SearchForm, StepForm } from "./scenario-form.ts"
import type { Json } from "../../vocabulary/json.ts"
import type { ProblemPath } from "./problem.ts"
import type { StepAction, ExternalEvent, RequestFault, Search, Step } from "./scenario.ts"

/** A part at the place of its use. */
export interface IncludedPart {
  readonly file: string
  readonly steps: ReadonlyArray<OuterStepForm>
  readonly lineOf: (path: ProblemPath) => number
}

/** The source of a step. */
interface Place {
  readonly file: string | undefined
  readonly lineOf: (path: ProblemPath) => number
}

/** Steps, including inner ones, are numbered in reading order. */
export const stepsOf = (
  forms: ReadonlyArray<OuterStepForm>,
  lineOf: (path: ProblemPath) => number,
  partOf: (name: string) => IncludedPart | undefined
): ReadonlyArray<Step> => new Steps(partOf).all(forms, ["steps"], { file: undefined, lineOf })

/** A single step outside a script. */
export const stepOf = (form: StepForm, number: number, isBeside = false): Step => {
  const [step] = new Steps(() => undefined, number - 1).all([form], [], { file: undefined, lineOf: () => 1 })
  if (step === undefined) throw new RangeError("one step was read")
  return { ...step, isConcurrent: isBeside }
}

class Steps {
  readonly #partOf: (name: string) => IncludedPart | undefined
  #number: number
  #binds: Step["bindings"] = []

  constructor(partOf: (name: string) => IncludedPart | undefined, number = 0) {
    this.#partOf = partOf
    this.#number = number
  }

  all(forms: ReadonlyArray<OuterStepForm>, path: ProblemPath, place: Place): ReadonlyArray<Step> {
    return forms.flatMap((form, index) => this.#outer(form, [...path, index], place))
  }

  #outer(form: OuterStepForm, path: ProblemPath, place: Place): ReadonlyArray<Step> {
    const comments =
      form.say === undefined || (form.use ?? form.for) === undefined ? [] : [this.#one({ say: form.say }, path, place)]
    if (form.use !== undefined) {
      const part = this.#partOf(form.use)
      return part === undefined ? comments : [...comments, ...this.all(part.steps, ["steps"], part)]
    }
    if (form.for === undefined) return [this.#one(form, path, place)]
    const bindings = Object.entries(form.for).flatMap(([name, values]) =>
      values.map((value): [string, Json] => [name, value])
    )
    const steps = bindings.flatMap((binding) => {
      this.#binds = [binding]
      return this.all(form.steps ?? [], [...path, "steps"], place)
    })
    return [...comments, ...steps]
  }

  #outside({ receiver, answers, ...form }: ExternalEventForm, path: ProblemPath, place: Place): ExternalEvent {
    if (receiver !== undefined && answers !== undefined) return { receiver, answers }
    return { step: this.#one(form, path, place, true) }
  }

  #one(form: StepForm, path: ProblemPath, place: Place, isBeside = false): Step {
    const binds = this.#binds
    this.#binds = []
    const inner = (key: string) => (step: StepForm, index: number) =>
      this.#one(step, [...path, key, index], place, key === "together" || isBeside)
    return {
      number: ++this.#number,
      ...actionOf(form, inner),
      file: place.file,
      line: place.lineOf(path),
      id: form.id,
      say: form.say,
      expect: form.expect ?? {},
      keep: typeof form.keep === "string" ? [[form.keep, ""]] : Object.entries(form.keep ?? {}),
      choose: form.choose,
      isConcurrent: isBeside,
      outside: (form.outside ?? []).map((event, index) => this.#outside(event, [...path, "outside", index], place)),
      bindings: binds
    }
  }
}

type Inner = (key: string) => (form: StepForm, index: number) => Step

const actionOf = (form: StepForm, inner: Inner): StepAction => {
  const { as, do: operation, inject } = form
  const fault = inject === undefined ? undefined : faultOf(inject)
  if (form.retry !== undefined) return { kind: "retry", step: form.retry, inject: fault }
  if (form.advance !== undefined) return { kind: "advance", milliseconds: durationInMilliseconds(form.advance) }
  if (form.until !== undefined) return { kind: "until", moment: form.until }
  if (form.explore !== undefined) return { kind: "explore", search: searchOf(form.explore) }
  if (form.together !== undefined) return { kind: "together", steps: form.together.map(inner("together")) }
  if (form.send !== undefined && as !== undefined) {
    const { method, path, headers = {}, json, text } = form.send
    const body = text !== undefined ? { text } : json !== undefined ? { json } : undefined
    return { kind: "send", as, method, path, headers, body, inject: fault }
  }
  if (as !== undefined && operation !== undefined) {
    const { on, with: token, input, envelope = {}, meanwhile = [], within } = form
    return {
      kind: "act",
      as,
      operation,
      on,
      with: token,
      input,
      envelope,
      inject: fault,
      meanwhile: meanwhile.map(inner("meanwhile")),
      within: within === undefined ? undefined : durationInMilliseconds(within)
    }
  }
  if (fault === undefined || typeof inject !== "object") return { kind: "say" }
  return { kind: "inject", injection: { ...fault, of: inject.of ?? "" } }
}

const searchOf = ({ faults = [], slowness, ...form }: SearchForm): Search => ({
  exhaustive: form.exhaustive ?? false,
  faults: faults.map((fault) => ({ ...faultOf(fault), of: fault.of ?? "" })),
  receivers: form.receivers ?? {},
  payments: form.payments ?? [],
  most: form.most ?? 1,
  slowness: slowness === undefined ? 0 : durationInMilliseconds(slowness),
  reaches: form.reaches ?? []
})

/** The fault that a step's `inject` describes. */
const faultOf = (inject: NonNullable<StepForm["inject"]>): RequestFault => {
  if (inject === "lost-request") return { fault: { lost: "request" } }
  if (inject === "lost-answer") return { fault: { lost: "answer" } }
  const { of: _, database, crash, lost = "request", edge, ...where } = inject
  if (database !== undefined) return { ...where, fault: { database } }
  if (crash !== undefined) return { ...where, fault: { crash } }
  return { ...where, fault: edge === undefined ? { lost } : { lost, edge } }
}
