/** The form of a script's own properties: `always` and `never` (safety), `eventually` (liveness). */
import { Schema } from "effect"
import { eventTypes } from "../../src/vocabulary/event-types.ts"
import { Count, JsonObject, optional, required, Text } from "./words.ts"

export const propertyKinds = ["always", "never", "eventually"] as const
export type PropertyKind = (typeof propertyKinds)[number]

const AnswersSelector = Schema.Struct({
  step: optional(Text, "The id of the step whose answers are meant."),
  as: optional(Text, "The party that asked."),
  do: optional(Text, "The operation that was asked for.")
}).annotate({ identifier: "AnswersSelector" })

const CallbacksSelector = Schema.Struct({
  receiver: required(Text, "The receiver at which they arrive."),
  type: optional(Schema.Literals(eventTypes), "The type of their events; any where absent."),
  project: optional(Text, "The project that they tell of, by reference; any where absent.")
}).annotate({ identifier: "CallbacksSelector" })

export const PropertyForm = Schema.Struct({
  name: required(Text, "What findings and reports call the property."),
  project: optional(Text, "The project whose state is judged, by reference."),
  events: optional(Text, "The project whose committed events are judged, by reference."),
  answers: optional(AnswersSelector, "The answers that are judged: those that reached the party that asked."),
  callbacks: optional(CallbacksSelector, "The callbacks that are judged."),
  when: optional(JsonObject, "What is left out: judged is only what matches this. Same form as matches."),
  matches: optional(JsonObject, "What is stated of it. A key may be a path: project.state."),
  least: optional(Count, "In eventually: how many have to match, at least; one where neither it nor most is given."),
  most: optional(Count, "How many may match, at most.")
}).annotate({ identifier: "Property", title: "A property" })

const properties = Schema.Array(PropertyForm).check(Schema.isMinLength(1, { expected: "at least one property" }))

/** The keys of a script that state properties. */
export const propertyFields = {
  always: optional(properties, "What holds after every step and commit."),
  never: optional(properties, "What holds after no step and no commit."),
  eventually: optional(properties, "What holds at the end of a run, once only time could bring anything more.")
}

export type PropertyForm = typeof PropertyForm.Type
export type PropertyForms = { readonly [kind in PropertyKind]?: ReadonlyArray<PropertyForm> }

/** A property that a script states. */
export interface Property {
  readonly kind: PropertyKind
  readonly form: PropertyForm
  /** The line that it begins on. */
  readonly line: number
}

/** The label in findings and reports: the kind keeps it apart from the names of invariants. */
export const labelOf = ({ kind, form }: Pick<Property, "kind" | "form">): string => `${kind}: ${form.name}`

export const propertiesOf = (
  forms: PropertyForms,
  lineOf: (path: readonly [kind: PropertyKind, index: number]) => number
): ReadonlyArray<Property> =>
  propertyKinds.flatMap((kind) =>
    (forms[kind] ?? []).map((form, index): Property => ({ kind, form, line: lineOf([kind, index]) }))
  )

/** The line that a property begins on, by its label. */
export const lineOfProperty = ({ properties }: { readonly properties: ReadonlyArray<Property> }, label: string) =>
  properties.find((property) => labelOf(property) === label)?.line ?? 1

/** As they stand in a script. */
export const formsOfProperties = (properties: ReadonlyArray<Property>): PropertyForms =>
  Object.fromEntries(
    propertyKinds.flatMap((kind) => {
      const forms = properties.filter((one) => one.kind === kind).map(({ form }) => form)
      return forms.length === 0 ? [] : [[kind, forms]]
    })
  )
