/** Reads an OpenAPI document of the service, and validates values against its schemas. */
import { assert } from "@effect/vitest"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { Effect } from "effect"
import { isInstant } from "../../src/vocabulary/instant.ts"
import { send, type Answer } from "./service.ts"

/** The document of the operations under one path. */
export const readDocument = (api: string) =>
  Effect.map(send("GET", `${api}/openapi.json`), ({ status, body }) => {
    assert.strictEqual(status, 200)
    return body
  })

export const operationsOf = (document: any): ReadonlyArray<any> =>
  Object.values<any>(document.paths).flatMap((methods) => Object.values<any>(methods))

export const resolve = (document: any, reference: string): any =>
  reference
    .slice(2)
    .split("/")
    .reduce((place, name) => place?.[name.replaceAll("~1", "/").replaceAll("~0", "~")], document)

/** Every object inside a value, including the value itself. */
export const objectsIn = (value: unknown): ReadonlyArray<any> =>
  typeof value !== "object" || value === null ? [] : [value, ...Object.values(value).flatMap(objectsIn)]

/** Every schema reachable from a request body, with references resolved. */
export const schemasOfBody = (document: any, schema: any, seen: Set<string> = new Set()): ReadonlyArray<any> =>
  objectsIn(schema).flatMap((one) => {
    if (typeof one.$ref !== "string") return [one]
    if (seen.has(one.$ref)) return []
    seen.add(one.$ref)
    return schemasOfBody(document, resolve(document, one.$ref), seen)
  })

export const bodySchema = (operation: any) => operation.requestBody?.content["application/json"].schema

/** Validates a value by a schema of the document. */
export const validator = (document: any) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uri: URL.canParse, "date-time": isInstant } })
  const root = { $id: "openapi", components: document.components }
  const absolute = (schema: unknown) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'))
  ajv.addSchema(absolute(root))
  // Compiled schemas are cached: compiling one takes milliseconds, and tests reuse them often.
  const compiled = new Map<string, ValidateFunction>()
  const checkOf = (schema: unknown): ValidateFunction => {
    const text = JSON.stringify(schema)
    const check = compiled.get(text) ?? ajv.compile(absolute(schema))
    compiled.set(text, check)
    return check
  }
  return (schema: unknown, value: unknown): ReadonlyArray<string> => {
    const check = checkOf(schema)
    return check(value) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}

export const operationAt = (document: any, template: string, method = "post") => document.paths[template]?.[method]

/** Asserts that a response has a documented status, and the media type and the body of that status. */
export const documentedResponse = (document: any) => {
  const problemsWith = validator(document)
  return (template: string, method: string, answer: Answer): void => {
    const { responses } = operationAt(document, template, method)
    assert.property(responses, String(answer.status), `${template} ${answer.text}`)
    const content = responses[answer.status].content
    if (content === undefined) return assert.strictEqual(answer.text, "", template)
    const type = answer.headers["content-type"] ?? ""
    assert.property(content, type, template)
    const value = type === "application/json" ? answer.body : answer.text
    assert.deepStrictEqual(problemsWith(content[type].schema, value), [], `${template} ${answer.status}`)
  }
}
