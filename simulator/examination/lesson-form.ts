/** The schema of a lesson: it decodes the files, words their errors, and generates the published JSON Schema. */
import { Schema } from "effect"
import { roles } from "../../src/access/actions.ts"
import { awaitedEvents } from "../scenario/committed-events.ts"
import { propertyFields, PropertyForm } from "../scenario/format/property-form.ts"
import { StepForm } from "../scenario/format/scenario-form.ts"
import { Count, Duration, Name, optional, required, Text } from "../vocabulary/value-schemas.ts"

const FileForm = Schema.Struct({
  criterionId: required(Text, "The criterion for which it is delivered."),
  name: required(Text, "Its name."),
  reference: required(Text, "Where it is stored."),
  size: required(Count, "Its size in bytes."),
  sha256: required(Text, "Its digest.")
}).annotate({ identifier: "File", title: "A file to deliver" })

const TaskForm = Schema.Struct({
  role: required(Schema.Literals(roles), "The side for which the agent acts."),
  project: optional(Text, "The project it works on, by reference."),
  agreementDigest: optional(Text, "The digest of the agreement that its person has approved, by reference."),
  instruction: required(Text, "What its person wants, in one or two sentences."),
  files: optional(
    Schema.Array(FileForm),
    "The files that its person wants to be delivered, as a submission names them."
  ),
  subscription: optional(Text, "A webhook subscription that it has from before, by reference; then it has no target."),
  checkpoint: optional(Text, "The checkpoint that it saved when it last read the deliveries of that subscription."),
  job: optional(Text, "A job that it saved under an earlier grant, by reference."),
  requestId: optional(Text, "The request id that its earlier run saved for the submission.")
}).annotate({ identifier: "Task", title: "A task" })

export const ActForm = Schema.Struct({
  before: optional(
    Text,
    "An operation: the act precedes the agent's next request of it, after the agent has planned it."
  ),
  after: optional(Text, "An operation: the act follows the agent's next request of it that took effect."),
  sent: optional(Text, "An operation: the act follows the agent's next request of it, whether it arrived or not."),
  event: optional(Schema.Literals(awaitedEvents), "An event: the act follows its next occurrence."),
  tells: optional(
    Schema.Literal(true).annotate({ expected: "true" }),
    "The act follows the next time the agent tells its person something."
  ),
  wait: optional(Duration, "How much later, in virtual time, the act follows."),
  restarts: optional(
    Schema.Literal(true).annotate({ expected: "true" }),
    "The agent's program is ended, as by a crash, and started again before the steps."
  ),
  steps: optional(
    Schema.Array(StepForm).check(Schema.isMinLength(1, { expected: "at least one step" })),
    "The steps of people, other agents and the operator, in order."
  )
}).annotate({ identifier: "Act", title: "An act of others" })

export const Acts = Schema.Array(ActForm).check(Schema.isMinLength(1, { expected: "at least one act" }))

export const Properties = Schema.Array(PropertyForm).check(Schema.isMinLength(1, { expected: "at least one property" }))

export const Budget = Schema.Struct({
  requests: optional(Count, "The number of requests of the agent; default 300."),
  time: optional(Duration, "The virtual time; default 20d.")
}).annotate({ identifier: "Budget" })

export const LessonForm = Schema.Struct({
  lesson: required(Text, "The title."),
  section: required(Text, "The sections of the specification that it is about."),
  rule: required(Text, "The rule, one sentence."),
  hint: required(Text, "What to change in an agent that fails."),
  agent: required(Name, "The name of the agent in the scenario, as whose requests it is examined."),
  task: required(TaskForm, "What the agent gets in COUNTERSIGN_TASK."),
  acts: optional(Acts, "Acts of others, in order: each waits for what it follows after the one before it has run."),
  point: required(
    Properties,
    "What must have happened for the lesson to be judged; without it the verdict is UNKNOWN."
  ),
  always: propertyFields.always,
  never: propertyFields.never,
  eventually: required(Properties, "What must be reached."),
  budget: optional(Budget, "How much the agent may use until it is judged.")
}).annotate({ identifier: "Lesson", title: "A lesson" })

export type LessonForm = typeof LessonForm.Type
export type ActForm = typeof ActForm.Type
export type Budget = typeof Budget.Type
export type TaskForm = typeof TaskForm.Type
