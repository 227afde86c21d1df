/** Checks that every `${name}` in a value is declared. */
import { didYouMean } from "../../../src/vocabulary/suggest.ts"
import type { CheckContext } from "./check-context.ts"
import { isMembers } from "./untyped-members.ts"
import type { ProblemPath } from "./problem.ts"
import { namesIn } from "./references.ts"

/** `where` is appended to the reported message. */
export const checkReferences = (value: unknown, path: ProblemPath, context: CheckContext, where = ""): void => {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkReferences(item, [...path, index], context, where)
  } else if (isMembers(value)) {
    for (const [key, item] of Object.entries(value)) checkReferences(item, [...path, key], context, where)
  }
  if (typeof value !== "string") return
  for (const name of namesIn(value)) {
    if (name === undefined) context.report(path, "invalid reference: write ${name} or ${name.path}")
    else if (!context.names.has(name)) {
      context.report(path, `unknown name ${name}${where}${didYouMean(name, context.names)}`)
    }
  }
}
