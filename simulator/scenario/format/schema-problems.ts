/** Converts schema issues to problems of a script: one for each place, in the terms of the script. */
import { type Schema, SchemaAST, SchemaIssue } from "effect"
import type { ProblemPath, Problem } from "./problem.ts"
import { didYouMean, nearest } from "../../../src/vocabulary/suggest.ts"

export const problemsOfIssue = (
  issue: SchemaIssue.Issue,
  value: unknown,
  above: ProblemPath = []
): ReadonlyArray<Problem> => {
  const problems: Array<SchemaProblem> = []
  const valueAt = (path: ProblemPath): unknown => at(value, path.slice(above.length))
  const visit = (issue: SchemaIssue.Issue, path: ProblemPath): void => {
    const report = (message: string) => void problems.push({ path, part: "value", message })
    switch (issue._tag) {
      case "Composite":
        for (const inner of issue.issues) visit(inner, path)
        return
      case "Pointer":
        return visit(issue.issue, [...path, ...issue.path.map((key) => (typeof key === "number" ? key : String(key)))])
      case "Encoding":
        return visit(issue.issue, path)
      case "MissingKey": {
        const key = String(path.at(-1))
        return void problems.push({
          path: path.slice(0, -1),
          part: "key",
          message: `${key} is missing`,
          missing: key
        })
      }
      case "UnexpectedKey": {
        const key = String(path.at(-1))
        const known = keysOf(issue.ast)
        return void problems.push({ path, part: "key", message: unknownKey(key, known), nearest: nearest(key, known) })
      }
      case "Filter":
        return report(expected(expectationOf(issue.filter.annotations), valueAt(path)))
      case "AnyOf": {
        const inside = insideOf(issue, valueAt(path))
        return inside === undefined ? report(notOneOf(issue.ast, valueAt(path))) : visit(inside, path)
      }
      default:
        return report(expected(wordsOf(issue), valueAt(path)))
    }
  }
  visit(issue, above)
  return problems.filter((one) => !isTypo(one, problems)).map(({ path, part, message }) => ({ path, part, message }))
}

interface SchemaProblem extends Problem {
  readonly missing?: string
  /** The known key nearest to an unknown key. */
  readonly nearest?: string | undefined
}

/** A missing key with a misspelling beside it is reported once, as the misspelling. */
const isTypo = ({ missing, path }: SchemaProblem, all: ReadonlyArray<SchemaProblem>): boolean =>
  missing !== undefined &&
  all.some(({ nearest: near, path: of }) => near === missing && of.slice(0, -1).join("\n") === path.join("\n"))

const unknownKey = (key: string, known: ReadonlyArray<string>): string => {
  const near = didYouMean(key, known)
  return `unknown key ${key}${near === "" ? `; known keys: ${known.join(", ")}` : near}`
}

/** For a YAML number or boolean in the place of a string, the message shows the quoted value. */
const expected = (what: string, value: unknown): string => {
  if (value === null) return `empty value; expected ${what}`
  if (!/\bstring\b|\baddress/.test(what) || (typeof value !== "number" && typeof value !== "boolean")) {
    return `expected ${what}`
  }
  return `expected ${what}; write it in quotes: "${value}"`
}

const keysOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures.map((property) => String(property.name)) : []

/** The issue inside a map or list, if exactly one alternative of the union is a map or list. */
const insideOf = (issue: SchemaIssue.AnyOf, value: unknown): SchemaIssue.Issue | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  const isMeant = Array.isArray(value) ? SchemaAST.isArrays : SchemaAST.isObjects
  if (issue.ast.types.filter(isMeant).length !== 1) return undefined
  const [inside, ...others] = issue.issues
  return others.length === 0 ? inside : undefined
}

/** Literals are listed; other unions are described by their annotation. */
const notOneOf = (union: SchemaAST.Union, value: unknown): string => {
  const words = wordsIn(union)
  if (typeof value === "number" && words.includes(String(value))) return `write it in quotes: "${value}"`
  const near = typeof value === "string" ? didYouMean(value, words) : ""
  if (near !== "") return `unknown value ${String(value)}${near}`
  if (union.types.every(SchemaAST.isLiteral)) return `expected one of ${words.join(", ")}`
  return expected(expectationOf(union.annotations), value)
}

const wordsIn = (union: SchemaAST.Union): ReadonlyArray<string> =>
  union.types.flatMap((type) => {
    if (SchemaAST.isUnion(type)) return wordsIn(type)
    return SchemaAST.isLiteral(type) ? [String(type.literal)] : []
  })

const expectationOf = (annotations: Schema.Annotations.Annotations | undefined): string => {
  const expectation = annotations?.["expected"]
  return typeof expectation === "string" ? expectation : "another value"
}

const wordsOf = (issue: SchemaIssue.Issue): string => {
  const ast = "ast" in issue ? issue.ast : undefined
  const own = ast?.annotations?.["expected"]
  if (typeof own === "string") return own
  if (ast?._tag === "Objects") return "a map of keys and values"
  if (ast?._tag === "Arrays") return "a list"
  const checked = ast?.checks?.at(-1)?.annotations?.["expected"]
  if (typeof checked === "string") return checked
  if (ast?._tag === "String") return "a string"
  return SchemaIssue.makeFormatterDefault()(issue).replace(/^Expected /, "")
}

const at = (value: unknown, path: ProblemPath): unknown => {
  let found = value
  for (const key of path) {
    found = typeof found === "object" && found !== null ? Reflect.get(found, key) : undefined
  }
  return found
}
