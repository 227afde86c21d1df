/** The schema of a persona: it decodes the files, words their errors, and generates the published JSON Schema. */
import { Schema } from "effect"
import { propertyFields } from "../scenario/format/property-form.ts"
import { optional, required, Text } from "../vocabulary/value-schemas.ts"
import { Acts, Budget, Properties } from "./lesson-form.ts"

const Factor = Schema.Int.check(Schema.isGreaterThan(1, { expected: "a number above 1" }))

const MannerForm = Schema.Struct({
  waits: optional(Factor, "By how much every wait of an act, and the budget that a lesson names, is multiplied."),
  repeats: optional(
    Schema.Literal(true).annotate({ expected: "true" }),
    "Each command of people and other agents is sent twice, as the same bytes, and so is each webhook."
  ),
  orders: optional(
    Schema.Array(Text).check(Schema.isMinLength(1, { expected: "at least one order" })),
    "Each text that the counterpart writes ends with one of these, in turn."
  )
}).annotate({ identifier: "Manner", title: "A manner" })

const CourseForm = Schema.Struct({
  lessons: required(
    Schema.Array(Text).check(Schema.isMinLength(1, { expected: "at least one lesson" })),
    "The lessons that it fits."
  ),
  acts: required(Acts, "The acts of others, in place of those of the lesson."),
  point: optional(Properties, "What must have happened for a verdict; that of the lesson by default."),
  eventually: required(Properties, "What must be reached, in place of that of the lesson."),
  budget: optional(Budget, "How much the agent may use; that of the lesson by default.")
}).annotate({ identifier: "Course", title: "A course" })

export const PersonaForm = Schema.Struct({
  persona: required(Text, "The title."),
  says: required(Text, "What the counterpart does, one sentence."),
  section: required(Text, "The sections of the specification that it is about."),
  rule: required(Text, "The rule, one sentence."),
  hint: required(Text, "What to change in an agent that fails."),
  manner: optional(MannerForm, "How the acts of any lesson are done."),
  course: optional(CourseForm, "What happens in place of the acts of a lesson."),
  always: propertyFields.always,
  never: propertyFields.never
})
  .check(
    Schema.makeFilter(({ manner, course }) => (manner === undefined) !== (course === undefined), {
      expected: "a persona with either manner or course"
    })
  )
  .annotate({ identifier: "Persona", title: "A persona" })

export type PersonaForm = typeof PersonaForm.Type
export type MannerForm = typeof MannerForm.Type
export type CourseForm = typeof CourseForm.Type
