/**
 * The schema of a scenario. It is the only definition: it decodes scripts, words their errors, and generates the
 * published JSON Schema.
 */
import { Schema } from "effect"
import { Instant } from "../../../src/vocabulary/instant.ts"
import { ProviderCondition } from "../../payments/layer.ts"
import { AttemptScript } from "../../environment/webhook-receivers/attempt-script.ts"
import { storageFaults, storageFaultPoints } from "../../environment/faults/storage-faults.ts"
import { GivenSection } from "./given.ts"
import { propertyFields } from "./property-form.ts"
import { Count, Duration, JsonObject, mapOf, Name, optional, required, Text } from "../../vocabulary/value-schemas.ts"

const Expectation = Schema.Struct({
  status: optional(
    Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 599 }, { expected: "an HTTP status" })),
    "The status of the answer; any 2xx if neither status nor error is given."
  ),
  error: optional(Schema.String, "The code of the refusal, which implies its status."),
  body: optional(JsonObject, "Members that the answer must have; it may have more. A key may be a path: project.state.")
}).annotate({ identifier: "Expectation" })

export const lossWords = ["lost-request", "lost-answer"] as const

const Injection = Schema.Struct({
  of: optional(
    Schema.String,
    "The actor whose next request fails, or worker for the process; only in a step without a request."
  ),
  database: optional(Schema.Literals(storageFaults), "The database fault: an SQLSTATE in quotes, or a lost answer."),
  at: optional(Schema.Literals(storageFaultPoints), "The point of the transaction at which it occurs; default commit."),
  in: optional(Text, "The table that is read or written, or the kind of lock; any by default."),
  skip: optional(Count, "The number of such points to skip first."),
  times: optional(Count, "The number of times it occurs; default 1."),
  crash: optional(
    Schema.Literals(["before-commit", "after-commit"]),
    "The process that handles the request crashes before or after its commit."
  ),
  lost: optional(
    Schema.Literals(["request", "answer"]),
    "The part of the next request that is lost; only in a step without a request."
  ),
  to: optional(
    Text,
    "An operation: the fault applies to the next request of it; a lost answer is that of the next one that takes effect."
  ),
  edge: optional(
    Schema.Int.check(Schema.isBetween({ minimum: 400, maximum: 599 }, { expected: "a status from 400 to 599" })),
    "The status of the HTML page with which an edge answers in place of the service; only with lost."
  )
}).annotate({ identifier: "Injection" })

/** A search of schedules from this step on. */
const Search = Schema.Struct({
  exhaustive: optional(
    Schema.Boolean.annotate({ expected: "true or false" }),
    "Every schedule is searched, and the search must be complete."
  ),
  faults: optional(
    Schema.Array(Injection).check(Schema.isMinLength(1, { expected: "at least one fault" })),
    "Faults that the search may inject at any point where they apply."
  ),
  receivers: optional(
    mapOf(Schema.Array(AttemptScript).check(Schema.isMinLength(1, { expected: "at least one outcome" }))),
    "Additional outcomes of each webhook attempt, by receiver."
  ),
  payments: optional(
    Schema.Array(ProviderCondition).check(Schema.isMinLength(1, { expected: "at least one condition" })),
    "Additional conditions under which the payment provider answers each call of the service."
  ),
  most: optional(Count, "The maximum number of faults and additional outcomes in one run; default 1."),
  slowness: optional(Duration, "How far time may advance while an actor could proceed; default 0."),
  reaches: optional(Schema.Array(Text), "Reachability properties, by name, that at least one schedule must reach.")
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
  headers: optional(mapOf(Schema.String), "Headers, which override those of the actor's client."),
  json: optional(Schema.Json, "The body as JSON."),
  text: optional(Schema.String, "The body as text, sent unchanged.")
}).annotate({ identifier: "Request" })

const stepFields = {
  id: optional(Name, "An id by which a later step can retry this request."),
  say: optional(Text, "A sentence for the reader."),
  as: optional(Schema.String, "The actor."),
  do: optional(Schema.String, "The operation of the API, or a command of the operator or a receiver."),
  on: optional(Schema.String, "The target of the operation; two targets are separated by a slash."),
  with: optional(Schema.String, "A token, by reference, to send instead of the actor's own."),
  input: optional(JsonObject, "The input of the operation; the client adds default inputs from what it has read."),
  envelope: optional(JsonObject, "Members of the envelope that replace the values last read."),
  inject: optional(
    Schema.Union([Schema.Literals(lossWords), Injection]).annotate({
      expected: `${lossWords.join(", ")}, or a map with database or crash`
    }),
    "Beside a request, the fault of that request; alone, a fault for later."
  ),
  expect: optional(Expectation, "The expected answer; default any 2xx."),
  within: optional(Duration, "How long the request is repeated until the answer matches expect."),
  keep: optional(
    Schema.Union([Name, mapOf(Text)]).annotate({ expected: "a name, or names with the paths of what to keep" }),
    "A name for the whole answer, or names for its members, each with its path."
  ),
  retry: optional(Schema.String, "The id of an earlier step whose exact request is sent again."),
  send: optional(RawRequest, "A raw request, sent unchanged."),
  advance: optional(Duration, "The duration by which virtual time advances."),
  until: optional(Instant, "The instant to which virtual time advances."),
  explore: optional(Search, "All processes restart, and the schedules of the following steps are searched."),
  choose: optional(
    Schema.Array(Text).check(Schema.isMinLength(1, { expected: "at least one name" })),
    "The schedule: the name that goes first at each choice point; arrival order by default."
  )
}

/** An external event: the answer of a program behind a receiver, or a step taken while the program is called. */
export const ExternalEventForm = Schema.Struct({
  ...stepFields,
  receiver: optional(Schema.String, "The receiver whose program answers."),
  answers: optional(
    Schema.Union([
      Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 599 })),
      Schema.Literals(["RESET", "NOTHING"])
    ]).annotate({ expected: "a status from 200 to 599, RESET or NOTHING" }),
    "The answer of the program."
  )
}).annotate({ identifier: "Outside", title: "An external event" })

const innerFields = {
  ...stepFields,
  outside: optional(
    Schema.Array(ExternalEventForm),
    "External events, in order, while the world waits for real programs."
  )
}

/** A step that runs concurrently with another. */
export const InnerStepForm = Schema.Struct(innerFields).annotate({
  identifier: "InnerStep",
  title: "A concurrent step"
})

const atLeastOneStep = { expected: "at least one step" }
const innerSteps = Schema.Array(InnerStepForm).check(Schema.isMinLength(1, atLeastOneStep))

/** One step. Which keys combine is checked after decoding, so that all errors appear at once. */
export const StepForm = Schema.Struct({
  ...innerFields,
  meanwhile: optional(innerSteps, "Steps that run between the authentication of this request and its transaction."),
  together: optional(innerSteps, "Steps that start concurrently.")
}).annotate({ identifier: "Step", title: "A step" })

/** One step, or several: the steps of another file, or a loop over a list of values. */
export const OuterStepForm = Schema.Struct({
  ...StepForm.fields,
  use: optional(Text, "A part whose steps are inserted here, by its path relative to this file."),
  for: optional(
    mapOf(Schema.Array(Schema.Json).check(Schema.isMinLength(1, { expected: "at least one value" }))),
    "The name of the loop variable, and the list of its values."
  ),
  steps: optional(
    Schema.Array(StepForm).check(Schema.isMinLength(1, atLeastOneStep)),
    "The steps that run for each value of the loop."
  )
}).annotate({ identifier: "OuterStep", title: "A step, a part or a loop" })

const outerSteps = Schema.Array(OuterStepForm).check(Schema.isMinLength(1, atLeastOneStep))

export const ScenarioForm = Schema.Struct({
  scenario: required(Text, "The title."),
  say: optional(Text, "The subject of the scenario."),
  seed: optional(Schema.Int, "The seed of the world; default 1."),
  start: optional(Instant, "The instant at which the world begins; default 2026-01-05T09:00:00.000Z."),
  given: optional(GivenSection, "The world before the first step."),
  ...propertyFields,
  steps: required(outerSteps, "The steps, in order.")
}).annotate({ identifier: "Scenario", title: "A scenario" })

/** A file that scenarios include: additions to `given`, and steps that are inserted where it is used. */
export const PartForm = Schema.Struct({
  part: required(Text, "The title."),
  given: optional(GivenSection, "Additions to the world of a scenario that uses this part."),
  steps: required(outerSteps, "The steps that are inserted where the part is used.")
}).annotate({ identifier: "Part", title: "A part" })

export type SearchForm = typeof Search.Type
export type ExternalEventForm = typeof ExternalEventForm.Type
export type InnerStepForm = typeof InnerStepForm.Type
export type StepForm = typeof StepForm.Type
export type OuterStepForm = typeof OuterStepForm.Type
export type ScenarioForm = typeof ScenarioForm.Type
export type PartForm = typeof PartForm.Type
export type Expectation = typeof Expectation.Type
