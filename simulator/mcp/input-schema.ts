/** The input of an operation as one JSON Schema: its path, query and body members side by side, and what they refer to. */
import { isDeepStrictEqual } from "node:util"
import { isObject, type Json, type JsonObject } from "../vocabulary/json.ts"
import { listOf, membersOf, type Operation } from "./operation.ts"
import { objectSchema } from "./tool.ts"

export const inputSchemaOf = ({ parameters, body }: Operation, schemas: JsonObject): JsonObject => {
  const { properties, required } = body === undefined ? noMembers : bodyMembers(body, schemas)
  const all = { ...Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])), ...properties }
  const needed = [...parameters.flatMap(({ name, required }) => (required ? [name] : [])), ...required]
  const definitions = definitionsFor(all, schemas)
  return objectSchema({
    properties: withLocalReferences(all) as JsonObject,
    ...(needed.length === 0 ? {} : { required: needed }),
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: withLocalReferences(definitions) as JsonObject })
  })
}

interface Members {
  readonly properties: JsonObject
  readonly required: ReadonlyArray<string>
}

const noMembers: Members = { properties: {}, required: [] }

/**
 * The members of a body. Of alternatives the input takes the members of each, and needs those that all need: clients
 * refuse `anyOf` at the root of an input schema, and the service checks which members go together.
 */
const bodyMembers = (schema: JsonObject, schemas: JsonObject): Members => {
  const referenced = nameIn(schema["$ref"])
  if (referenced !== undefined) return bodyMembers(membersOf(schemas[referenced]), schemas)
  const alternatives = listOf(schema["anyOf"]).map((one) => bodyMembers(membersOf(one), schemas))
  const [first, ...others] = alternatives
  if (first === undefined) {
    return { properties: membersOf(schema["properties"]), required: listOf(schema["required"]).map(String) }
  }
  return others.reduce(
    (joined, { properties, required }) => ({
      properties: joinProperties(joined.properties, properties),
      required: joined.required.filter((name) => required.includes(name))
    }),
    first
  )
}

/** A member that two alternatives declare differently may be either. */
const joinProperties = (one: JsonObject, other: JsonObject): JsonObject => ({
  ...one,
  ...Object.fromEntries(
    Object.entries(other).map(([name, schema]) => {
      const own = one[name]
      return [name, own === undefined || isDeepStrictEqual(own, schema) ? schema : { anyOf: [own, schema] }]
    })
  )
})

/** The schemas of the document that these refer to, and those that they refer to. */
const definitionsFor = (value: Json, schemas: JsonObject): JsonObject => {
  const found: { [name: string]: Json } = {}
  const collect = (names: ReadonlyArray<string>): void => {
    for (const name of names) {
      const schema = schemas[name]
      if (schema === undefined || Object.hasOwn(found, name)) continue
      found[name] = schema
      collect(referencesIn(schema))
    }
  }
  collect(referencesIn(value))
  return found
}

const referencesIn = (value: Json): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (!isObject(value)) return []
  const own = nameIn(value["$ref"])
  return [...(own === undefined ? [] : [own]), ...Object.values(value).flatMap(referencesIn)]
}

const withLocalReferences = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withLocalReferences)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const name = key === "$ref" ? nameIn(member) : undefined
      return [key, name === undefined ? withLocalReferences(member) : `#/$defs/${name}`]
    })
  )
}

const componentPath = "#/components/schemas/"

const nameIn = (reference: Json | undefined): string | undefined =>
  typeof reference === "string" && reference.startsWith(componentPath)
    ? reference.slice(componentPath.length)
    : undefined
