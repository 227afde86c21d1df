/** The file that an operator publishes: read strictly, with every mistake told at its place. */
import { readFile } from "node:fs/promises"
import { Effect, Schema } from "effect"
import { jsonFaults, printPath } from "../canonical/json-faults.ts"
import { readJson } from "../canonical/json.ts"
import { SpecificationContent } from "../discovery/input.ts"
import { issuesOf } from "../http/issues.ts"
import { limits } from "../vocabulary/limits.ts"
import { refusal, refuse } from "../vocabulary/refusals.ts"
import { Stopped } from "./production.ts"

export const readSpecificationFile = Effect.fnUntraced(function* (file: string) {
  const bytes = yield* Effect.tryPromise({
    try: () => readFile(file),
    catch: (error) => new Stopped({ message: error instanceof Error ? error.message : String(error) })
  })
  const read = readJson(bytes, {
    bytesMax: limits.bodyBytes,
    depthMax: limits.jsonDepth,
    refusesNul: true,
    valuesMax: limits.jsonValues
  })
  if (!read.ok)
    return yield* refuse("INVALID_REQUEST", {
      issues: [{ path: printPath(read.path), message: jsonFaults[read.fault] }]
    })
  return yield* decode(read.value, { errors: "all", onExcessProperty: "error" }).pipe(
    Effect.mapError(({ issue }) => refusal("INVALID_REQUEST", { issues: issuesOf(issue) }))
  )
})

const decode = Schema.decodeUnknownEffect(SpecificationContent)
