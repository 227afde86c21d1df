/** The task of an agent, as its tool server tells it: the instructions of the server. */
import { Result } from "effect"
import { isObject, type Json, type JsonObject } from "../vocabulary/json.ts"

/** The task in `COUNTERSIGN_TASK`; an empty one without it. */
export const readTask = (text: string | undefined): Result.Result<JsonObject, string> => {
  if (text === undefined) return Result.succeed({})
  const problem = "COUNTERSIGN_TASK must be a JSON object"
  return Result.flatMap(Result.try({ try: () => JSON.parse(text) as Json, catch: () => problem }), (task) =>
    isObject(task) ? Result.succeed(task) : Result.fail(problem)
  )
}

export const instructionsFor = (
  task: JsonObject,
  { hasClock, hasPerson }: { readonly hasClock: boolean; readonly hasPerson: boolean }
): string =>
  [
    "You act for a person at a service by which a buyer and a supplier agree on exact terms.",
    "Each tool is one operation of its API: the answer has the HTTP status and the JSON body. An error with the outcome UNKNOWN had no answer.",
    "Heads, revisions, digests and request ids are yours to give: nothing is filled in, and equal arguments are sent as equal bytes.",
    ...(hasClock ? ["Time stands still until you call wait."] : []),
    ...(hasPerson ? ["What your person has to know or do, say it with the tool tell."] : []),
    ...(Object.keys(task).length === 0 ? [] : [`Your task: ${JSON.stringify(task)}`])
  ].join("\n")
