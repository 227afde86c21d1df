/** The JSON Schema of lessons, generated from the schema that decodes them. */
import { Schema } from "effect"
import { scriptJsonSchema, withEnumerations } from "../scenario/format/json-schema.ts"
import { isObject, type JsonObject } from "../vocabulary/json.ts"
import { LessonForm } from "./lesson-form.ts"

export const lessonJsonSchema = (): JsonObject => {
  const { definitions } = Schema.toJsonSchemaDocument(LessonForm, { onExcessProperty: "error" })
  const shared = scriptJsonSchema()["$defs"]
  const own = Object.entries(definitions).map(([name, form]) => [name, withEnumerations(form as JsonObject)] as const)
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A lesson of the examination of agents",
    $ref: "#/$defs/Lesson",
    $defs: { ...(isObject(shared) ? shared : {}), ...Object.fromEntries(own) }
  }
}
