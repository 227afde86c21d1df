/**
 * The form of a scenario. This schema is the only definition: it decodes the scripts, words their errors, and the
 * published JSON Schema is made from it.
 */
import { Schema } from "effect"
import { authorities } from "../../src/people/membership.ts"
import { Instant } from "../../src/vocabulary/instant.ts"
import { mailServers } from "../surroundings.ts"
import { isDuration } from "./duration.ts"

const Text = Schema.String.check(Schema.isMinLength(1, { expected: "a text" }))

/** What a script calls something: an actor, an organization, a step, something kept. */
export const Name = Schema.String.check(
  Schema.isPattern(/^[A-Za-z][A-Za-z0-9-]*$/, { expected: "a name: a letter, then letters, digits and hyphens" })
)

const Duration = Schema.String.check(
  Schema.makeFilter((text) => isDuration(text), { expected: "a span of time such as 15s, 90m or 1d 6h" })
)

const mapOf = <S extends Schema.Codec<any, any>>(values: S) => Schema.Record(Schema.String, values)

const JsonObject = mapOf(Schema.Json)

const Person = Schema.Struct({
  name: Text,
  /** Where this person gets their mail, as whoever signs them in says. */
  email: Schema.optionalKey(Text),
  /** Organizations and the authorities held in each. */
  member: Schema.optionalKey(mapOf(Schema.Array(Schema.Literals(authorities))))
})

const Receiver = Schema.Struct({
  host: Schema.String.check(
    Schema.isPattern(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, { expected: "a host name such as hooks.example.com" })
  ),
  /** What a look-up of its name brings; one public address where absent. */
  addresses: Schema.optionalKey(Schema.Array(Text))
})

const Given = Schema.Struct({
  /** Name in this script, and name in the world. */
  organizations: Schema.optionalKey(mapOf(Text)),
  people: Schema.optionalKey(mapOf(Person)),
  /** Result credits of an organization. */
  credits: Schema.optionalKey(
    mapOf(Schema.Int.check(Schema.isGreaterThan(0, { expected: "a number of credits above 0" })))
  ),
  /** A mail server, and how it stands at first; no mail at all where absent. */
  mail: Schema.optionalKey(Schema.Literals(mailServers)),
  /** Programs that are called back. Where there is one, a worker runs that sends callbacks. */
  receivers: Schema.optionalKey(mapOf(Receiver)),
  /** Parties without any account: they read what is public and verify records. */
  visitors: Schema.optionalKey(mapOf(Text))
})

const Expectation = Schema.Struct({
  status: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 599 }, { expected: "an HTTP status" }))
  ),
  /** The code of a refusal. */
  error: Schema.optionalKey(Schema.String),
  /** What the answer must hold, and may hold more. A key may be a path: `project.state`. */
  body: Schema.optionalKey(JsonObject)
})

const stepFields = {
  id: Schema.optionalKey(Name),
  say: Schema.optionalKey(Text),
  as: Schema.optionalKey(Schema.String),
  do: Schema.optionalKey(Schema.String),
  on: Schema.optionalKey(Schema.String),
  /** A token, by reference, to show instead of the actor's own. */
  with: Schema.optionalKey(Schema.String),
  input: Schema.optionalKey(JsonObject),
  envelope: Schema.optionalKey(JsonObject),
  inject: Schema.optionalKey(Schema.Literals(["lost-request", "lost-answer"])),
  expect: Schema.optionalKey(Expectation),
  /** A name for the whole answer, or names for parts of it. */
  keep: Schema.optionalKey(
    Schema.Union([Name, mapOf(Text)]).annotate({ expected: "a name, or names with the paths of what to keep" })
  ),
  retry: Schema.optionalKey(Schema.String),
  advance: Schema.optionalKey(Duration),
  until: Schema.optionalKey(Instant)
}

/** A step that happens while a request is under way. */
export const InnerStepForm = Schema.Struct(stepFields)

/** One step. Which keys go together is checked after decoding, so that all errors appear at once. */
export const StepForm = Schema.Struct({
  ...stepFields,
  /** What happens after the credential of this step's request was accepted, before its transaction begins. */
  meanwhile: Schema.optionalKey(
    Schema.Array(InnerStepForm).check(Schema.isMinLength(1, { expected: "at least one step" }))
  )
})

export const ScenarioForm = Schema.Struct({
  scenario: Text,
  say: Schema.optionalKey(Text),
  seed: Schema.optionalKey(Schema.Int),
  start: Schema.optionalKey(Instant),
  given: Schema.optionalKey(Given),
  steps: Schema.Array(StepForm).check(Schema.isMinLength(1, { expected: "at least one step" }))
})

export type StepForm = typeof StepForm.Type
export type ScenarioForm = typeof ScenarioForm.Type
export type Expectation = typeof Expectation.Type
