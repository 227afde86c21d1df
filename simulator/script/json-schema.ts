/**
 * The form of scripts as a JSON Schema, for editors: made from the schemas that decode them, with the words that only
 * checks know, operations and refusals, as lists.
 */
import { Schema } from "effect"
import { refusals } from "../../src/vocabulary/refusal-rules.ts"
import { operationForms } from "../operations/forms.ts"
import { PartForm, ScenarioForm } from "./format.ts"
import type { Json, JsonObject } from "./json.ts"
import { isMembers } from "./members.ts"

export const schemaOfScripts = (): JsonObject => {
  const definitions = { ...inputDefinitions(), ...definitionsOf(PartForm), ...definitionsOf(ScenarioForm) }
  const inputs = inputForms()
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A scenario of countersign, or a part of one",
    type: "object",
    anyOf: [{ required: ["scenario"] }, { required: ["part"] }],
    dependentSchemas: { scenario: { $ref: "#/$defs/Scenario" }, part: { $ref: "#/$defs/Part" } },
    $defs: {
      ...Object.fromEntries(Object.entries(definitions).map(([name, form]) => [name, withWords(form)])),
      Operation: {
        title: "An operation of the API, or an act of a person, the operator or a receiver",
        type: "string",
        enum: [...operationForms.keys()].toSorted()
      },
      Refusal: { title: "The code of a refusal", type: "string", enum: Object.keys(refusals).toSorted() },
      Inputs: {
        title: "The input that goes with an operation",
        allOf: inputs.map(([operation, form]) => given(operation, form))
      }
    }
  }
}

type Definitions = { readonly [name: string]: JsonObject }

const definitionsOf = (form: Schema.Top): Definitions =>
  Schema.toJsonSchemaDocument(form, { onExcessProperty: "error" }).definitions as Definitions

/** A step says what is done, an expectation what is refused: in words that there are. */
const withWords = (form: JsonObject): JsonObject => {
  const flat = flattened(form) as JsonObject
  const properties = flat["properties"]
  if (!isMembers(properties)) return flat
  const { do: operation, error, ...others } = properties as Definitions
  return {
    ...flat,
    properties: {
      ...others,
      ...(operation === undefined ? {} : { do: { ...described(operation), $ref: "#/$defs/Operation" } }),
      ...(error === undefined ? {} : { error: { ...described(error), $ref: "#/$defs/Refusal" } })
    },
    ...(Object.hasOwn(others, "input") ? { allOf: [{ $ref: "#/$defs/Inputs" }] } : {})
  }
}

const described = ({ description }: JsonObject): JsonObject => (description === undefined ? {} : { description })

/** An annotation stands beside what it describes. */
const flattened = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(flattened)
  if (!isMembers(value)) return value
  const members = value as JsonObject
  const all = members["allOf"]
  if (!Array.isArray(all)) return mapped(members)
  const beside = all.filter((one) => isAnnotation(one) || Object.keys(members).length === 1)
  const left = all.filter((one) => !beside.includes(one))
  const { allOf: _, ...own } = members
  return mapped({ ...own, ...Object.assign({}, ...beside), ...(left.length === 0 ? {} : { allOf: left }) })
}

const mapped = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([key, value]) => [key, flattened(value)]))

const isAnnotation = (value: Json): boolean =>
  isMembers(value) && Object.keys(value).every((key) => key === "description" || key === "title")

/** The inputs that scripts have their own words for; others are sent as they stand. */
const inputForms = (): ReadonlyArray<readonly [operation: string, form: JsonObject]> =>
  [...operationForms].flatMap(([operation, { input }]) => {
    if (input === undefined) return []
    const { schema } = Schema.toJsonSchemaDocument(input, { onExcessProperty: "error" })
    return [[operation, flattened(schema as Json) as JsonObject] as const]
  })

/** What the inputs refer to. */
const inputDefinitions = (): Definitions =>
  Object.assign(
    {},
    ...[...operationForms.values()].flatMap(({ input }) => (input === undefined ? [] : definitionsOf(input)))
  )

/** Another operation, or this input. */
const given = (operation: string, form: JsonObject): JsonObject => ({
  anyOf: [
    { type: "object", properties: { do: { not: { const: operation } } } },
    {
      type: "object",
      properties: { input: form },
      ...(Array.isArray(form["required"]) && form["required"].length > 0 ? { required: ["input"] } : {})
    }
  ]
})
