/** Turns what a schema says about a value into problems of a script: one for each place, in words of the script. */
import { type Schema, SchemaAST, SchemaIssue } from "effect"
import type { Path, Problem } from "./problem.ts"
import { didYouMean } from "./suggest.ts"

export const problemsOf = (issue: SchemaIssue.Issue, value: unknown, above: Path = []): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  const visit = (issue: SchemaIssue.Issue, path: Path): void => {
    switch (issue._tag) {
      case "Composite":
        for (const inner of issue.issues) visit(inner, path)
        return
      case "Pointer":
        return visit(issue.issue, [...path, ...issue.path.map((key) => (typeof key === "number" ? key : String(key)))])
      case "Encoding":
        return visit(issue.issue, path)
      case "MissingKey":
        return void problems.push({ path: path.slice(0, -1), part: "key", message: `${path.at(-1)} is missing here` })
      case "UnexpectedKey": {
        const key = String(path.at(-1))
        return void problems.push({ path, part: "key", message: unknownKey(key, keysOf(issue.ast)) })
      }
      case "Filter":
        return void problems.push({ path, part: "value", message: expected(expectationOf(issue.filter.annotations)) })
      case "AnyOf":
        return void problems.push({
          path,
          part: "value",
          message: notOneOf(issue.ast, at(value, path.slice(above.length)))
        })
      default:
        return void problems.push({ path, part: "value", message: expected(wordsOf(issue)) })
    }
  }
  visit(issue, above)
  return problems
}

export const unknownKey = (key: string, known: ReadonlyArray<string>): string => {
  const near = didYouMean(key, known)
  return `${key} means nothing here${near === "" ? `; known are ${known.join(", ")}` : near}`
}

const expected = (what: string): string => `expected ${what}`

const keysOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures.map((property) => String(property.name)) : []

/** A closed list of words is shown as such; other unions by their own description. */
const notOneOf = (union: SchemaAST.Union, value: unknown): string => {
  const words = union.types.flatMap((type) => (SchemaAST.isLiteral(type) ? [String(type.literal)] : []))
  const described = expectationOf(union.annotations)
  if (words.length < union.types.length) return expected(described)
  const near = typeof value === "string" ? didYouMean(value, words) : ""
  return near === "" ? expected(`one of ${words.join(", ")}`) : `${String(value)} is not known here${near}`
}

const expectationOf = (annotations: Schema.Annotations.Annotations | undefined): string => {
  const said = annotations?.["expected"]
  return typeof said === "string" ? said : "something else"
}

const wordsOf = (issue: SchemaIssue.Issue): string => {
  const ast = "ast" in issue ? issue.ast : undefined
  const annotated = ast?.annotations?.["expected"]
  if (typeof annotated === "string") return annotated
  if (ast?._tag === "Objects") return "a map of keys and values"
  if (ast?._tag === "Arrays") return "a list"
  if (ast?._tag === "String") return "a text"
  return SchemaIssue.makeFormatterDefault()(issue).replace(/^Expected /, "")
}

const at = (value: unknown, path: Path): unknown => {
  let found = value
  for (const key of path) {
    found = typeof found === "object" && found !== null ? Reflect.get(found, key) : undefined
  }
  return found
}
