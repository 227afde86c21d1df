/** A generated script with an explore step inside and concurrent steps of different parties after it. */
import { Result } from "effect"
import { SeededRandom } from "../../kernel/seeded-random.ts"
import { generate } from "../../generation/generate.ts"
import type { InnerStepForm, StepForm } from "../../scenario/format/scenario-form.ts"
import { readScenario } from "../../scenario/format/read.ts"
import type { Scenario, Step } from "../../scenario/format/scenario.ts"
import { unrollSteps } from "../../scenario/format/unroll.ts"
import { writeScenario } from "../../scenario/format/write.ts"

/** Undefined if the result is not searchable. Throws if the service fails during generation. */
export const searchableScript = (seed: number): Scenario | undefined => {
  const { scenario } = generate(seed)
  // Beyond the permitted clock skew between processes, few properties are promised.
  if (scenario.given.clocks !== undefined || scenario.steps.some(setsClock)) return undefined
  const forms = unrollSteps(scenario.steps)
  const random = SeededRandom.derived(seed, "searchable")
  const exploreAt = Math.floor(forms.length * (0.4 + random.below(50) / 100))
  const rest = together(forms.slice(exploreAt, exploreAt + stepsMax), random)
  if (!rest.some((form) => form.together !== undefined)) return undefined
  const text = writeScenario(scenario, [...forms.slice(0, exploreAt), { explore: {} }, ...rest])
  return Result.getOrUndefined(readScenario(`generated-${seed}.yaml`, text))
}

const setsClock = (step: Step): boolean => step.kind === "act" && step.operation === "setClock"

/** In longer scripts the later steps are reached too rarely. */
const stepsMax = 12
const togetherMax = 3

const together = (forms: ReadonlyArray<StepForm>, random: SeededRandom): ReadonlyArray<StepForm> => {
  const grouped: Array<StepForm> = []
  let group: Array<InnerStepForm> = []
  const close = () => {
    const [first, second] = group
    if (first !== undefined) grouped.push(second === undefined ? first : { together: group })
    group = []
  }
  for (const form of forms) {
    const inner = asInner(form)
    if (inner === undefined || group.length === togetherMax || !fits(inner, group) || random.chance(0.2)) close()
    if (inner === undefined) grouped.push(form)
    else group.push(inner)
  }
  close()
  return grouped
}

/** A single operation of one party, without its expectation. */
const asInner = (form: StepForm): InnerStepForm | undefined => {
  const { meanwhile, together, expect: _, ...others } = form
  const isAct = form.as !== undefined && form.as !== "operator" && form.do !== undefined
  return isAct && meanwhile === undefined && together === undefined ? others : undefined
}

/** True for an operation of another party that depends on none of the group. */
const fits = (form: InnerStepForm, group: ReadonlyArray<InnerStepForm>): boolean => {
  const needs = JSON.stringify(form)
  return group.every(({ as, keep }) => {
    const names = keep === undefined ? [] : typeof keep === "string" ? [keep] : Object.keys(keep)
    return as !== form.as && names.every((name) => !needs.includes(`\${${name}`))
  })
}
