/** The operations of an OpenAPI document, as far as a tool needs them. */
import { isObject, type Json, type JsonObject } from "../vocabulary/json.ts"

export interface Operation {
  readonly name: string
  readonly summary: string
  readonly method: string
  /** With `{name}` for each path parameter. */
  readonly path: string
  readonly parameters: ReadonlyArray<Parameter>
  /** The schema of the JSON body; undefined where none is declared. */
  readonly body: JsonObject | undefined
}

interface Parameter {
  readonly name: string
  readonly in: "path" | "query"
  readonly required: boolean
  readonly schema: JsonObject
}

export const operationsOf = (document: JsonObject): ReadonlyArray<Operation> =>
  Object.entries(membersOf(document["paths"])).flatMap(([path, methods]) =>
    Object.entries(membersOf(methods)).map(([method, operation]) => operationOf(method, path, membersOf(operation)))
  )

const operationOf = (method: string, path: string, operation: JsonObject): Operation => {
  const content = membersOf(membersOf(operation["requestBody"])["content"])
  const body = membersOf(content["application/json"])["schema"]
  return {
    name: String(operation["operationId"]),
    summary: String(operation["summary"]),
    method: method.toUpperCase(),
    path,
    parameters: listOf(operation["parameters"]).map(parameterOf),
    body: isObject(body) ? body : undefined
  }
}

const parameterOf = (declared: Json): Parameter => {
  const parameter = membersOf(declared)
  return {
    name: String(parameter["name"]),
    in: parameter["in"] === "path" ? "path" : "query",
    required: parameter["required"] === true,
    schema: membersOf(parameter["schema"])
  }
}

export const membersOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

export const listOf = (value: Json | undefined): ReadonlyArray<Json> => (Array.isArray(value) ? value : [])
