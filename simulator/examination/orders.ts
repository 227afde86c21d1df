/** Orders to the agent in the texts that its counterpart writes, as in a prompt injection. */
import type { GivenSection } from "../scenario/format/given.ts"
import type { StepForm } from "../scenario/format/scenario-form.ts"
import { isObject, type Json, type JsonObject } from "../vocabulary/json.ts"
import type { LessonForm } from "./lesson-form.ts"

/** A change of steps after which each text of the counterpart ends with the next order. */
export const ordering = (
  orders: ReadonlyArray<string>,
  given: GivenSection,
  { form: { agent, acts = [] }, steps }: { readonly form: LessonForm; readonly steps: ReadonlyArray<StepForm> }
): ((step: StepForm) => StepForm) => {
  const personOf = personsBy(given, [...steps, ...acts.flatMap((act) => act.steps ?? [])])
  let ordered = 0
  const inValue = (value: Json, key: string): Json => {
    if (Array.isArray(value)) return value.map((item: Json) => inValue(item, key))
    if (isObject(value)) return inMembers(value)
    return typeof value === "string" && freeTexts.has(key) ? `${value} ${orders[ordered++ % orders.length]}` : value
  }
  const inMembers = (members: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(members).map(([key, value]) => [key, inValue(value, key)]))
  return (step) =>
    step.as === undefined || step.input === undefined || personOf(step.as) === personOf(agent)
      ? step
      : { ...step, input: inMembers(step.input) }
}

/** The members of inputs in which a party writes a text of its own. */
const freeTexts: ReadonlySet<string> = new Set([
  "title",
  "scope",
  "supplierReference",
  "requirement",
  "baselineStatement",
  "purpose",
  "sharing",
  "custodian",
  "location",
  "access",
  "reason",
  "nextAction",
  "summary",
  "note"
])

/** The person for whom an actor acts; the actor itself where it is a person. */
const personsBy = ({ agents = {} }: GivenSection, steps: ReadonlyArray<StepForm>): ((actor: string) => string) => {
  const granting = new Map<string, string>()
  for (const step of steps) {
    const granted = step.do === "grantAgent" ? step.input?.["agent"] : undefined
    if (step.as !== undefined && typeof granted === "string") granting.set(granted, step.as)
  }
  return (actor) => agents[actor]?.for ?? granting.get(actor) ?? actor
}
