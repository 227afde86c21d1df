/**
 * The JSON Schema of scripts, for editors: generated from the schemas that decode them, with operations and refusals,
 * which only the checks know, as enumerations.
 */
import { Schema } from "effect"
import { refusals } from "../../../src/vocabulary/refusal-rules.ts"
import { operationForms } from "../operations/operation-forms.ts"
import { PartForm, ScenarioForm } from "./scenario-form.ts"
import type { Json, JsonObject } from "../../vocabulary/json.ts"
import { isMembers } from "./untyped-members.ts"

export const scriptJsonSchema = (): JsonObject => {
  const definitions = { ...inputDefinitions(), ...definitionsOf(PartForm), ...definitionsOf(ScenarioForm) }
  const inputs = inputForms()
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A scenario of countersign, or a part of one",
    type: "object",
    anyOf: [{ required: ["scenario"] }, { required: ["part"] }],
    dependentSchemas: { scenario: { $ref: "#/$defs/Scenario" }, part: { $ref: "#/$defs/Part" } },
    $defs: {
      ...Object.fromEntries(Object.entries(definitions).map(([name, form]) => [name, withEnumerations(form)])),
      Operation: {
        title: "An operation of the API, or a command of a person, the operator or a receiver",
        type: "string",
        enum: [...operationForms.keys()].toSorted()
      },
      Refusal: { title: "The code of a refusal", type: "string", enum: Object.keys(refusals).toSorted() },
      Inputs: {
        title: "The input of an operation",
        allOf: inputs.map(([operation, form]) => conditional(operation, form))
      }
    }
  }
}

type Definitions = { readonly [name: string]: JsonObject }

const definitionsOf = (form: Schema.Top): Definitions =>
  Schema.toJsonSchemaDocument(form, { onExcessProperty: "error" }).definitions as Definitions

/** Replaces `do` and `error` by their enumerations. */
export const withEnumerations = (form: JsonObject): JsonObject => {
  const flat = flatten(form) as JsonObject
  const properties = flat["properties"]
  if (!isMembers(properties)) return flat
  const { do: operation, error, ...others } = properties as Definitions
  return {
    ...flat,
    properties: {
      ...others,
      ...(operation === undefined ? {} : { do: { ...descriptionOf(operation), $ref: "#/$defs/Operation" } }),
      ...(error === undefined ? {} : { error: { ...descriptionOf(error), $ref: "#/$defs/Refusal" } })
    },
    ...(Object.hasOwn(others, "input") ? { allOf: [{ $ref: "#/$defs/Inputs" }] } : {})
  }
}

const descriptionOf = ({ description }: JsonObject): JsonObject => (description === undefined ? {} : { description })

/** Moves annotations out of `allOf`, beside the schema that they describe. */
const flatten = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(flatten)
  if (!isMembers(value)) return value
  const members = value as JsonObject
  const all = members["allOf"]
  if (!Array.isArray(all)) return flattenMembers(members)
  const beside = all.filter((one) => isAnnotation(one) || Object.keys(members).length === 1)
  const left = all.filter((one) => !beside.includes(one))
  const { allOf: _, ...own } = members
  return flattenMembers({ ...own, ...Object.assign({}, ...beside), ...(left.length === 0 ? {} : { allOf: left }) })
}

const flattenMembers = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([key, value]) => [key, flatten(value)]))

const isAnnotation = (value: Json): boolean =>
  isMembers(value) && Object.keys(value).every((key) => key === "description" || key === "title")

/** The inputs of the script's own commands; other inputs are sent unchanged. */
const inputForms = (): ReadonlyArray<readonly [operation: string, form: JsonObject]> =>
  [...operationForms].flatMap(([operation, { input }]) => {
    if (input === undefined) return []
    const { schema } = Schema.toJsonSchemaDocument(input, { onExcessProperty: "error" })
    return [[operation, flatten(schema as Json) as JsonObject] as const]
  })

/** The definitions that the inputs refer to. */
const inputDefinitions = (): Definitions =>
  Object.assign(
    {},
    ...[...operationForms.values()].flatMap(({ input }) => (input === undefined ? [] : definitionsOf(input)))
  )

/** A conditional schema: the step has another operation, or this input. */
const conditional = (operation: string, form: JsonObject): JsonObject => ({
  anyOf: [
    { type: "object", properties: { do: { not: { const: operation } } } },
    {
      type: "object",
      properties: { input: form },
      ...(Array.isArray(form["required"]) && form["required"].length > 0 ? { required: ["input"] } : {})
    }
  ]
})
