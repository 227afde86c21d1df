/** The issues of a draft's body in the form that it uses; the union of both forms has no exact issues. */
import { Result, Schema } from "effect"
import type { Json } from "../canonical/json.ts"
import { issuesOf, type BodyIssue } from "../http/issues.ts"
import { FlatDraft, formFields, NestedDraft } from "./input.ts"

export const draftBodyIssues = (body: Json): ReadonlyArray<BodyIssue> => {
  const members = typeof body === "object" && body !== null && !Array.isArray(body) ? Object.keys(body) : []
  const nested = members.filter((name) => formFields.nested.includes(name))
  const flat = members.filter((name) => formFields.flat.includes(name))
  if (nested.length > 0 && flat.length > 0) {
    return [
      ...nested.map((path) => ({ path, message: "belongs to the nested form: one request uses one form" })),
      ...flat.map((path) => ({ path, message: "belongs to the flat form: one request uses one form" }))
    ]
  }
  const form: Schema.ConstraintDecoder<unknown> = nested.length > 0 ? NestedDraft : FlatDraft
  const decoded = Schema.decodeUnknownResult(form)(body, { onExcessProperty: "error", errors: "all" })
  return Result.isSuccess(decoded) ? [] : issuesOf(decoded.failure.issue)
}
