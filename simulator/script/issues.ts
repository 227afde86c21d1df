/** Turns what a schema says about a value into problems of a script: one for each place, in words of the script. */
import { type Schema, SchemaAST, SchemaIssue } from "effect"
import type { Path, Problem } from "./problem.ts"
import { didYouMean, nearest } from "../../src/vocabulary/suggest.ts"

export const problemsOf = (issue: SchemaIssue.Issue, value: unknown, above: Path = []): ReadonlyArray<Problem> => {
  const found: Array<Found> = []
  const valueAt = (path: Path): unknown => at(value, path.slice(above.length))
  const visit = (issue: SchemaIssue.Issue, path: Path): void => {
    const say = (message: string, part: Problem["part"] = "value") => void found.push({ path, part, message })
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
        return void found.push({
          path: path.slice(0, -1),
          part: "key",
          message: `${key} is missing here`,
          missing: key
        })
      }
      case "UnexpectedKey": {
        const key = String(path.at(-1))
        const known = keysOf(issue.ast)
        return void found.push({ path, part: "key", message: unknownKey(key, known), meant: nearest(key, known) })
      }
      case "Filter":
        return say(expected(expectationOf(issue.filter.annotations), valueAt(path)))
      case "AnyOf": {
        const inside = insideOf(issue, valueAt(path))
        return inside === undefined ? say(notOneOf(issue.ast, valueAt(path))) : visit(inside, path)
      }
      default:
        return say(expected(wordsOf(issue), valueAt(path)))
    }
  }
  visit(issue, above)
  return found.filter((one) => !isTypo(one, found)).map(({ path, part, message }) => ({ path, part, message }))
}

interface Found extends Problem {
  readonly missing?: string
  /** What an unknown key was probably meant to be. */
  readonly meant?: string | undefined
}

/** A key that is missing and stands there misspelled is one mistake. */
const isTypo = ({ missing, path }: Found, all: ReadonlyArray<Found>): boolean =>
  missing !== undefined &&
  all.some(({ meant, path: of }) => meant === missing && of.slice(0, -1).join("\n") === path.join("\n"))

const unknownKey = (key: string, known: ReadonlyArray<string>): string => {
  const near = didYouMean(key, known)
  return `${key} means nothing here${near === "" ? `; known are ${known.join(", ")}` : near}`
}

/** A value that looks like another kind of thing to YAML is told how it is written. */
const expected = (what: string, value: unknown): string => {
  if (value === null) return `nothing stands here; expected ${what}`
  if (!/\btext\b|\baddress/.test(what) || (typeof value !== "number" && typeof value !== "boolean")) {
    return `expected ${what}`
  }
  return `expected ${what}; in quotes it is one: "${value}"`
}

const keysOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures.map((property) => String(property.name)) : []

/** Of a map or a list, what is wrong inside it, where only one of the alternatives is one. */
const insideOf = (issue: SchemaIssue.AnyOf, value: unknown): SchemaIssue.Issue | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  const isMeant = Array.isArray(value) ? SchemaAST.isArrays : SchemaAST.isObjects
  if (issue.ast.types.filter(isMeant).length !== 1) return undefined
  const [inside, ...others] = issue.issues
  return others.length === 0 ? inside : undefined
}

/** A closed list of words is shown as such; other unions by their own description. */
const notOneOf = (union: SchemaAST.Union, value: unknown): string => {
  const words = wordsIn(union)
  if (typeof value === "number" && words.includes(String(value))) return `this is written in quotes: "${value}"`
  const near = typeof value === "string" ? didYouMean(value, words) : ""
  if (near !== "") return `${String(value)} is not known here${near}`
  if (union.types.every(SchemaAST.isLiteral)) return `expected one of ${words.join(", ")}`
  return expected(expectationOf(union.annotations), value)
}

const wordsIn = (union: SchemaAST.Union): ReadonlyArray<string> =>
  union.types.flatMap((type) => {
    if (SchemaAST.isUnion(type)) return wordsIn(type)
    return SchemaAST.isLiteral(type) ? [String(type.literal)] : []
  })

const expectationOf = (annotations: Schema.Annotations.Annotations | undefined): string => {
  const said = annotations?.["expected"]
  return typeof said === "string" ? said : "something else"
}

const wordsOf = (issue: SchemaIssue.Issue): string => {
  const ast = "ast" in issue ? issue.ast : undefined
  const own = ast?.annotations?.["expected"]
  if (typeof own === "string") return own
  if (ast?._tag === "Objects") return "a map of keys and values"
  if (ast?._tag === "Arrays") return "a list"
  const checked = ast?.checks?.at(-1)?.annotations?.["expected"]
  if (typeof checked === "string") return checked
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
