/** JSON values, and the paths by which a script selects parts of them. */

export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The record after a round trip through JSON text. */
export const asJson = (record: object): JsonObject => JSON.parse(JSON.stringify(record)) as JsonObject

/** The value at a path such as `project.events.0.kind`; the empty path is the value itself. */
export const valueAt = (value: Json, path: string): Json | undefined => {
  let found: Json | undefined = value
  for (const key of path === "" ? [] : path.split(".")) {
    found = childOf(found, key)
  }
  return found
}

const childOf = (value: Json | undefined, key: string): Json | undefined => {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? (value as ReadonlyArray<Json>)[Number(key)] : undefined
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
