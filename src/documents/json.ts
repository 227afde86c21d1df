/** The parts of an OpenAPI document, as plain JSON. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const objectAt = (object: JsonObject, name: string): JsonObject => {
  const value = object[name]
  return isObject(value) ? value : {}
}

export const mapValues = (object: JsonObject, map: (value: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]))
