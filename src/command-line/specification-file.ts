/** Reads the file of a specification strictly; every mistake is reported with its path. */
import { readFile } from "node:fs/promises"
import { Effect, Schema } from "effect"
import { jsonErrorMessages, printPath } from "../canonical/json-error-messages.ts"
import { readJson } from "../canonical/json.ts"
import { SpecificationContent } from "../discovery/input.ts"
import { issuesOf } from "../http/issues.ts"
import { limits } from "../vocabulary/limits.ts"
import { refusal, refuse } from "../vocabulary/refusals.ts"
import { CommandFailure } from "./production.ts"

export const readSpecificationFile = Effect.fnUntraced(function* (file: string) {
  const bytes = yield* Effect.tryPromise({
    try: () => readFile(file),
    catch: (error) => new CommandFailure({ message: error instanceof Error ? error.message : String(error) })
  })
  const parsed = readJson(bytes, {
    bytesMax: limits.bodyBytes,
    depthMax: limits.jsonDepth,
    refusesNul: true,
    valuesMax: limits.jsonValues
  })
  if (!parsed.ok)
    return yield* refuse("INVALID_REQUEST", {
      issues: [{ path: printPath(parsed.path), message: jsonErrorMessages[parsed.fault] }]
    })
  return yield* decode(parsed.value, { errors: "all", onExcessProperty: "error" }).pipe(
    Effect.mapError(({ issue }) => refusal("INVALID_REQUEST", { issues: issuesOf(issue) }))
  )
})

const decode = Schema.decodeUnknownEffect(SpecificationContent)
