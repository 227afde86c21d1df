/** The schema of a script's own properties: `always` and `never` (safety), `eventually` (liveness). */
import { Schema } from "effect"
import { eventTypes } from "../../../src/vocabulary/event-types.ts"
import { Count, JsonObject, optional, required, Text } from "../../vocabulary/value-schemas.ts"

export const propertyKinds = ["always", "never", "eventually"] as const
export type PropertyKind = (typeof propertyKinds)[number]

const AnswersSelector = Schema.Struct({
  step: optional(Text, "The id of the step whose answers are selected."),
  as: optional(Text, "The caller."),
  do: optional(Text, "The operation.")
}).annotate({ identifier: "AnswersSelector" })

const CallbacksSelector = Schema.Struct({
  receiver: required(Text, "The receiver of the webhooks."),
  type: optional(Schema.Literals(eventTypes), "The event type; any by default."),
  project: optional(Text, "The project of the event, by reference; any by default.")
}).annotate({ identifier: "CallbacksSelector" })

const RequestsSelector = Schema.Struct({
  as: required(Text, "The actor."),
  do: optional(Text, "The operation of the agent API; any request by default.")
}).annotate({ identifier: "RequestsSelector" })

const TellsSelector = Schema.Struct({
  as: required(Text, "The agent.")
}).annotate({ identifier: "TellsSelector" })

export const PropertyForm = Schema.Struct({
  name: required(Text, "The name of the property in findings and reports."),
  project: optional(Text, "The project whose state is checked, by reference."),
  events: optional(Text, "The project whose committed events are checked, by reference."),
  answers: optional(AnswersSelector, "The answers that are checked: those that reached the caller."),
  callbacks: optional(CallbacksSelector, "The webhooks that are checked."),
  requests: optional(RequestsSelector, "The requests that are checked, with what their actor had sent before."),
  tells: optional(TellsSelector, "What an agent told its person."),
  when: optional(JsonObject, "A filter: only values that match it are checked. Same form as matches."),
  matches: optional(JsonObject, "The members and values that must hold. A key may be a path: project.state."),
  least: optional(Count, "In eventually: the minimum number of matches; 1 if neither least nor most is given."),
  most: optional(Count, "The maximum number of matches.")
}).annotate({ identifier: "Property", title: "A property" })

const properties = Schema.Array(PropertyForm).check(Schema.isMinLength(1, { expected: "at least one property" }))

/** The keys of a script that state properties. */
export const propertyFields = {
  always: optional(properties, "Properties that hold after every step and commit."),
  never: optional(properties, "Properties that hold after no step and no commit."),
  eventually: optional(properties, "Properties that hold at the end of a run, once no event but a timer is pending.")
}

export type PropertyForm = typeof PropertyForm.Type
export type PropertyForms = { readonly [kind in PropertyKind]?: ReadonlyArray<PropertyForm> }

/** A property of a script. */
export interface Property {
  readonly kind: PropertyKind
  readonly form: PropertyForm
  /** The line that it begins on. */
  readonly line: number
}

/** The label in findings and reports: the kind distinguishes it from built-in properties. */
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

/** Grouped by kind, as in a script. */
export const formsOfProperties = (properties: ReadonlyArray<Property>): PropertyForms =>
  Object.fromEntries(
    propertyKinds.flatMap((kind) => {
      const forms = properties.filter((one) => one.kind === kind).map(({ form }) => form)
      return forms.length === 0 ? [] : [[kind, forms]]
    })
  )
