/** Schema errors as the issues of a 400. */
import { SchemaIssue } from "effect"
import { limits } from "../vocabulary/limits.ts"

export interface BodyIssue {
  readonly path: string
  readonly message: string
}

/** The first issues of a failed decoding. */
export const issuesOf = (issue: SchemaIssue.Issue): ReadonlyArray<BodyIssue> =>
  format(issue)
    .issues.slice(0, limits.issues)
    .map(({ path, message }) => ({ path: pathText(path ?? []).slice(0, limits.issuePathCharacters), message }))

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** `input.items[2].files[0].name` */
const pathText = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>): string =>
  path
    .map((part) => (typeof part === "object" ? part.key : part))
    .reduce<string>(
      (text, part) => text + (typeof part === "number" ? `[${part}]` : text === "" ? String(part) : `.${String(part)}`),
      ""
    )
