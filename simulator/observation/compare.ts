/** Compares a response with a step's expectation: additional members are allowed. */
import { isObject, valueAt, type Json, type JsonObject } from "../vocabulary/json.ts"

export interface Difference {
  readonly path: string
  readonly expected: Json
  /** Absent if the response has nothing at that path. */
  readonly actual?: Json
}

export const differenceText = ({ path, expected, actual }: Difference): string =>
  `${path}: expected ${JSON.stringify(expected)}, ${actual === undefined ? "got nothing" : `got ${JSON.stringify(actual)}`}`

/** Keys of the expected object may be paths: `project.state`. */
export const differencesFrom = (expected: JsonObject, actual: Json): ReadonlyArray<Difference> =>
  Object.keys(expected)
    .toSorted()
    .flatMap((path) => compare(path, expected[path] ?? null, valueAt(actual, path)))

const compare = (path: string, expected: Json, actual: Json | undefined): ReadonlyArray<Difference> => {
  if (isObject(expected) && isObject(actual)) {
    return Object.keys(expected)
      .toSorted()
      .flatMap((key) => compare(`${path}.${key}`, expected[key] ?? null, actual[key]))
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((item: Json, index) =>
      compare(`${path}.${index}`, item, (actual as ReadonlyArray<Json>)[index])
    )
  }
  if (expected === actual) return []
  return [actual === undefined ? { path, expected } : { path, expected, actual }]
}
