/**
 * Completes a generated OpenAPI document: descriptions, licence, formats of response members, exact refusals and one
 * example of each operation. It changes only the document, never the validation of requests or the encoding of responses.
 */
import { examples } from "./examples.ts"
import { withResponseFormats } from "./response-formats.ts"
import { isObject, mapValues, objectAt, type Json, type JsonObject } from "./json.ts"
import { describeOperation, refusalExamples, refusalResponses, type refusalsOf } from "./operation.ts"
import { tagDescriptions } from "./tags.ts"

export const complete = (generated: JsonObject, codesOf: RefusalsByOperation): JsonObject => {
  const document = withResponseFormats(withoutSingleAlternatives(generated) as JsonObject)
  const components = { ...objectAt(document, "components"), examples: refusalExamples([...codesOf.values()].flat()) }
  return {
    ...document,
    openapi: "3.1.1",
    info: { ...objectAt(document, "info"), license: { name: "No licence is granted", identifier: "LicenseRef-None" } },
    tags: (document["tags"] as ReadonlyArray<JsonObject>).map((tag) => ({
      ...tag,
      description: tagDescriptions[String(tag["name"])] ?? ""
    })),
    components,
    paths: mapValues(objectAt(document, "paths"), (methods) =>
      mapValues(methods as JsonObject, (operation) => completeOperation(operation as JsonObject, codesOf))
    )
  }
}

type RefusalsByOperation = ReturnType<typeof refusalsOf>

const completeOperation = (operation: JsonObject, codesOf: RefusalsByOperation): JsonObject => {
  const codes = codesOf.get(String(operation["operationId"])) ?? []
  const example = examples[String(operation["operationId"])]
  const successes = Object.fromEntries(
    Object.entries(objectAt(operation, "responses")).filter(([status]) => Number(status) < 400)
  )
  return {
    ...operation,
    description: describeOperation(operation, codes),
    ...(isObject(operation["requestBody"]) && example?.request !== undefined
      ? { requestBody: withExample(operation["requestBody"], example.request) }
      : {}),
    parameters: parametersOf(operation).map((parameter) => {
      const value = example?.parameters?.[String(parameter["name"])]
      return value === undefined ? parameter : { ...parameter, example: value }
    }),
    responses: {
      ...mapValues(successes, (response, status) =>
        example !== undefined && example.status === Number(status) && example.response !== undefined
          ? withExample(response as JsonObject, example.response)
          : response
      ),
      ...refusalResponses(operation, codes)
    }
  }
}

const parametersOf = ({ parameters }: JsonObject): ReadonlyArray<JsonObject> =>
  Array.isArray(parameters) ? (parameters as ReadonlyArray<JsonObject>) : []

/** Adds the example to the content in JSON, or to its only media type. */
const withExample = (holder: JsonObject, value: Json): JsonObject => {
  const content = objectAt(holder, "content")
  const [exemplified] = "application/json" in content ? ["application/json"] : Object.keys(content)
  return {
    ...holder,
    content: mapValues(content, (media, type) =>
      type === exemplified ? { ...(media as JsonObject), example: value } : media
    )
  }
}

/** Replaces an `anyOf` of one schema by that schema. */
const withoutSingleAlternatives = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withoutSingleAlternatives)
  if (!isObject(value)) return value
  const { anyOf, ...rest } = value
  if (!Array.isArray(anyOf) || anyOf.length !== 1) return mapValues(value, withoutSingleAlternatives)
  return mapValues({ ...(anyOf[0] as JsonObject), ...rest }, withoutSingleAlternatives)
}
