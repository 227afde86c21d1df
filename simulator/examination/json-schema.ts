/** The JSON Schemas of lessons and personas, generated from the schemas that decode them. */
import { Schema } from "effect"
import { scriptJsonSchema, withEnumerations } from "../scenario/format/json-schema.ts"
import { isObject, type JsonObject } from "../vocabulary/json.ts"
import { LessonForm } from "./lesson-form.ts"
import { PersonaForm } from "./persona-form.ts"

export const lessonJsonSchema = (): JsonObject =>
  jsonSchemaOf(LessonForm, "Lesson", "A lesson of the examination of agents")

export const personaJsonSchema = (): JsonObject =>
  jsonSchemaOf(PersonaForm, "Persona", "A persona of the examination of agents")

const jsonSchemaOf = (form: Schema.Top, name: string, title: string): JsonObject => {
  const { definitions } = Schema.toJsonSchemaDocument(form, { onExcessProperty: "error" })
  const shared = scriptJsonSchema()["$defs"]
  const own = Object.entries(definitions).map(([name, form]) => [name, withEnumerations(form as JsonObject)] as const)
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title,
    $ref: `#/$defs/${name}`,
    $defs: { ...(isObject(shared) ? shared : {}), ...Object.fromEntries(own) }
  }
}
