/** The members of a response that a file asserts: what the scenario expects, and what a client decides by. */
import { isObject, valueAt, type Json } from "../../simulator/vocabulary/json.ts"
import type { Exchange } from "./recording.ts"

/** A value that has no members, at its path in the response; an array is asserted by its length and its items. */
export interface Assert {
  readonly path: string
  readonly value: null | boolean | number | string
  readonly isCount: boolean
}

/** Operations whose response also lists what other files made, in an order that this file does not know. */
export const sharedLists: ReadonlySet<string> = new Set(["listGrants", "listDrafts"])

export const assertsOf = ({ operation, step, method, response = null }: Exchange): ReadonlyArray<Assert> => {
  const expected = sharedLists.has(operation) ? [] : Object.entries(step?.expect.body ?? {})
  const found = [
    ...clientMembers
      .filter((path) => method !== "GET" || path === "error")
      .flatMap((path) => leavesAt(path, valueAt(response, path), valueAt(response, path))),
    ...expected.flatMap(([path, value]) => leavesAt(path, value, valueAt(response, path)))
  ]
  const paths = found.map(({ path }) => path)
  return found.filter(({ path }, index) => paths.indexOf(path) === index && !path.includes("lastAttempt"))
}

/** What decides a client's next step. */
const clientMembers = ["error", "replayed", "state", "project.state", "proposal.state"]

/** The values of the response at the places of the expected ones. */
const leavesAt = (path: string, expected: Json | undefined, actual: Json | undefined): ReadonlyArray<Assert> => {
  if (expected === undefined || actual === undefined) return []
  if (Array.isArray(actual)) {
    const items: ReadonlyArray<Json> = actual
    const wanted = Array.isArray(expected) ? (expected as ReadonlyArray<Json>) : items
    return [
      { path, value: items.length, isCount: true },
      ...items.flatMap((item, index) => leavesAt(`${path}.${index}`, wanted[index], item))
    ]
  }
  if (isObject(actual)) {
    return Object.entries(isObject(expected) ? expected : {}).flatMap(([name, value]) =>
      leavesAt(`${path}.${name}`, value, actual[name])
    )
  }
  return [{ path, value: actual as Assert["value"], isCount: false }]
}
