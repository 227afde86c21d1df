/**
 * The form of a scenario. This schema is the only definition: it decodes the scripts, words their errors, and the
 * published JSON Schema is made from it.
 */
import { Schema } from "effect"
import { Instant } from "../../src/vocabulary/instant.ts"
import { Visit } from "../callbacks/visit.ts"
import { storageFaults, strikePoints } from "../faults/storage-faults.ts"
import { Given } from "./given.ts"
import { propertyFields } from "./property-form.ts"
import { Count, Duration, JsonObject, mapOf, Name, optional, required, Text } from "./words.ts"

const Expectation = Schema.Struct({
  status: optional(
    Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 599 }, { expected: "an HTTP status" })),
    "The status of the answer; any success where neither it nor an error is given."
  ),
  error: optional(Schema.String, "The code of the refusal, which stands for its status as well."),
  body: optional(JsonObject, "What the answer must hold, and may hold more. A key may be a path: project.state.")
}).annotate({ identifier: "Expectation" })

export const losses = ["lost-request", "lost-answer"] as const

const Injection = Schema.Struct({
  of: optional(
    Schema.String,
    "Whose next request this strikes, or worker for the process; only where inject stands alone."
  ),
  database: optional(
    Schema.Literals(storageFaults),
    "How the database fails: an SQLSTATE in quotes, or a lost answer."
  ),
  at: optional(Schema.Literals(strikePoints), "Where in a transaction it strikes; at the commit where absent."),
  in: optional(Text, "A table that is read or written, or a kind of root that is locked; any where absent."),
  skip: optional(Count, "How many such points are passed over first."),
  times: optional(Count, "How often it strikes; once where absent."),
  crash: optional(
    Schema.Literals(["before-commit", "after-commit"]),
    "The process that would have answered ends around its commit."
  ),
  lost: optional(
    Schema.Literals(["request", "answer"]),
    "What of the next request is lost; only where inject stands alone."
  )
}).annotate({ identifier: "Injection" })

/** What is searched from a point of a script on. */
const Search = Schema.Struct({
  exhaustive: optional(
    Schema.Boolean.annotate({ expected: "true or false" }),
    "Every order is tried, and the search has to be complete."
  ),
  faults: optional(
    Schema.Array(Injection).check(Schema.isMinLength(1, { expected: "at least one fault" })),
    "What may go wrong, each at any point at which it could."
  ),
  receivers: optional(
    mapOf(Schema.Array(Visit).check(Schema.isMinLength(1, { expected: "at least one visit" }))),
    "What may become of each attempt to call a receiver back, beside what was said of it."
  ),
  most: optional(Count, "How many of these at most in one run; one where absent."),
  slowness: optional(Duration, "How far time may move while somebody could go on; not at all where absent."),
  reaches: optional(Schema.Array(Text), "What has to come about in at least one order, by the name of the invariant.")
}).annotate({ identifier: "Search" })

const RawRequest = Schema.Struct({
  method: required(
    Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]),
    "The method of the request."
  ),
  path: required(
    Schema.String.check(Schema.isPattern(/^\//u, { expected: "a path that begins with /" })),
    "The path, with its query."
  ),
  headers: optional(mapOf(Schema.String), "Headers, which win over those that the actor's client sends by itself."),
  json: optional(Schema.Json, "A body that is sent as JSON."),
  text: optional(Schema.String, "A body that is sent as it stands.")
}).annotate({ identifier: "Request" })

const stepFields = {
  id: optional(Name, "A name by which a later step can send the same request again."),
  say: optional(Text, "What is told to the reader."),
  as: optional(Schema.String, "Who does this."),
  do: optional(Schema.String, "The operation, by its name in the API, or an act of the operator or a receiver."),
  on: optional(Schema.String, "What the operation acts on; two things have a slash between them."),
  with: optional(Schema.String, "A token, by reference, to show instead of the actor's own."),
  input: optional(JsonObject, "The words of the operation; a careful client fills in what it has read."),
  envelope: optional(JsonObject, "Members of the envelope around the input that are to be other than the last read."),
  inject: optional(
    Schema.Union([Schema.Literals(losses), Injection]).annotate({
      expected: `${losses.join(", ")}, or a map with database or crash`
    }),
    "Beside a request, what goes wrong with it; alone, what will go wrong."
  ),
  expect: optional(Expectation, "What the answer must be; a success where absent."),
  within: optional(Duration, "How long it may take, asked again and again, until the answer is as expected."),
  keep: optional(
    Schema.Union([Name, mapOf(Text)]).annotate({ expected: "a name, or names with the paths of what to keep" }),
    "A name for the whole answer, or names for parts of it, each with its path."
  ),
  retry: optional(Schema.String, "The id of an earlier step, whose exact request is sent again."),
  send: optional(RawRequest, "A request to the letter."),
  advance: optional(Duration, "By how much time moves."),
  until: optional(Instant, "To which moment time moves."),
  explore: optional(Search, "Every process starts anew, and from here on orders are searched."),
  choose: optional(
    Schema.Array(Text).check(Schema.isMinLength(1, { expected: "at least one name" })),
    "Who goes first at each choice, by name, in order; whoever asked first where absent."
  )
}

/** What a program behind a receiver answers, or a step of whoever acts while it is asked. */
export const OutsideForm = Schema.Struct({
  ...stepFields,
  receiver: optional(Schema.String, "The receiver whose program answers."),
  answers: optional(
    Schema.Union([
      Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 599 })),
      Schema.Literals(["RESET", "NOTHING"])
    ]).annotate({ expected: "a status from 200 to 599, RESET or NOTHING" }),
    "What the program answers."
  )
}).annotate({ identifier: "Outside", title: "What comes from outside" })

const innerFields = {
  ...stepFields,
  outside: optional(
    Schema.Array(OutsideForm),
    "What comes from outside while the world waits for real programs, in order."
  )
}

/** A step that happens beside another. */
export const InnerStepForm = Schema.Struct(innerFields).annotate({
  identifier: "InnerStep",
  title: "A step beside another"
})

const atLeastOneStep = { expected: "at least one step" }
const innerSteps = Schema.Array(InnerStepForm).check(Schema.isMinLength(1, atLeastOneStep))

/** One step. Which keys go together is checked after decoding, so that all errors appear at once. */
export const StepForm = Schema.Struct({
  ...innerFields,
  meanwhile: optional(
    innerSteps,
    "Steps that happen after the credential of this request was accepted, before its transaction begins."
  ),
  together: optional(innerSteps, "Steps that are begun at once.")
}).annotate({ identifier: "Step", title: "A step" })

/** One step, or several: those of another file, or the same ones for each value of a list. */
export const OuterStepForm = Schema.Struct({
  ...StepForm.fields,
  use: optional(Text, "A part whose steps stand here, by its path from this file."),
  for: optional(
    mapOf(Schema.Array(Schema.Json).check(Schema.isMinLength(1, { expected: "at least one value" }))),
    "A name, and the list of what it stands for in the steps of this loop."
  ),
  steps: optional(
    Schema.Array(StepForm).check(Schema.isMinLength(1, atLeastOneStep)),
    "What is done for each value of a loop."
  )
}).annotate({ identifier: "OuterStep", title: "A step, a part or a loop" })

const outerSteps = Schema.Array(OuterStepForm).check(Schema.isMinLength(1, atLeastOneStep))

export const ScenarioForm = Schema.Struct({
  scenario: required(Text, "The title."),
  say: optional(Text, "What the scenario is about."),
  seed: optional(Schema.Int, "The seed of its world; 1 where absent."),
  start: optional(Instant, "The moment at which its world begins; 2026-01-05T09:00:00.000Z where absent."),
  given: optional(Given, "The world before the first step."),
  ...propertyFields,
  steps: required(outerSteps, "What happens, in order.")
}).annotate({ identifier: "Scenario", title: "A scenario" })

/** A file that others use: what it gives, and steps that stand where it is used. */
export const PartForm = Schema.Struct({
  part: required(Text, "The title."),
  given: optional(Given, "What the world of a script that uses it has as well."),
  steps: required(outerSteps, "What happens where it is used.")
}).annotate({ identifier: "Part", title: "A part" })

export type SearchForm = typeof Search.Type
export type OutsideForm = typeof OutsideForm.Type
export type InnerStepForm = typeof InnerStepForm.Type
export type StepForm = typeof StepForm.Type
export type OuterStepForm = typeof OuterStepForm.Type
export type ScenarioForm = typeof ScenarioForm.Type
export type PartForm = typeof PartForm.Type
export type Expectation = typeof Expectation.Type
