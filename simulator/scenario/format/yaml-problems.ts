/** YAML errors, as messages that name the correction. */
import { type Document, isAlias, isScalar, visit, type YAMLError } from "yaml"
import type { PlacedProblem, Span } from "./problem.ts"

/** One error can cause spurious errors after it: only the first of each line is reported. */
export const yamlProblems = (document: Document, text: string): ReadonlyArray<PlacedProblem> => {
  const reference = document.errors.findIndex(({ pos: [from] }) => text.slice(from - 1, from + 1) === "${")
  const relevant = reference < 0 ? document.errors : document.errors.slice(0, reference + 1)
  const byLine = new Map<number, PlacedProblem>()
  for (const error of relevant) {
    if (error.message.includes("in YAML stream")) continue
    const problem = problemOf(error, document, text, relevant)
    const line = text.lastIndexOf("\n", problem.span.from - 1)
    if (!byLine.has(line)) byLine.set(line, problem)
  }
  const [first] = document.errors
  if (byLine.size > 0 || first === undefined) return [...byLine.values()]
  return [problemOf(first, document, text, relevant)]
}

/** Valid YAML whose aliases or merge keys cannot be expanded. */
export const expansionProblem = (document: Document, text: string, error: unknown): PlacedProblem => {
  let span: Span = { from: 0, to: 1 }
  let message = error instanceof Error ? error.message : String(error)
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document) !== undefined || !alias.range) return undefined
      span = { from: alias.range[0], to: alias.range[1] }
      message = `unknown anchor &${alias.source}: define it before this alias`
      return visit.BREAK
    }
  })
  if (message.startsWith("Merge sources")) {
    span = { from: mergeIn(document, text), to: mergeIn(document, text) + 2 }
    message = "<< merges a map: write <<: *name"
  } else if (message.startsWith("Excessive alias")) {
    message = "nested anchors expand without bound; write out their values"
  }
  return { span, message }
}

const problemOf = (
  error: YAMLError,
  document: Document,
  text: string,
  all: ReadonlyArray<YAMLError>
): PlacedProblem => {
  const [from, to] = error.pos
  if (text.slice(from - 1, from + 1) === "${") {
    const end = text.indexOf("}", from) + 1
    const reference = text.slice(from - 1, end > 0 ? end : to)
    const span = { from: from - 1, to: from - 1 + reference.length }
    return { span, message: `write a reference between brackets in quotes: "${reference}"` }
  }
  if (error.message.startsWith("Missing closing")) {
    return { span: openQuote(document, from), message: "missing closing quote" }
  }
  const isAcrossLines = all.some(({ code, pos }) => code === "MULTILINE_IMPLICIT_KEY" && pos[0] === from)
  if (isAcrossLines) return { span: { from, to: from + 1 }, message: badIndentation }
  const rule = sentences.find(([begins]) => error.message.startsWith(begins))
  return { span: { from, to }, message: rule === undefined ? error.message : rule[1] }
}

const badIndentation =
  "inconsistent indentation: keys of one map begin in the same column, and a colon is followed by a space"

/** Replacements for messages of the YAML reader that name no correction. */
const sentences: ReadonlyArray<readonly [begins: string, sentence: string]> = [
  ["Map keys must be unique", "duplicate key; keep one of them"],
  ["Source contains multiple documents", "a file holds one scenario; move the document after --- to its own file"],
  ["Tabs are not allowed", "tabs cannot indent; use spaces"],
  [
    "Nested mappings are not allowed in compact",
    "write a string that contains a colon in quotes, or on its own lines below >"
  ],
  ["Sequence item without", "list item without a dash; indent a key like the keys above it"],
  ["Implicit map keys need to be followed", "a key is followed by a colon and a space"],
  ["All mapping items must start at the same column", badIndentation],
  ["Flow map in block", "missing closing } before this line"],
  ["Flow sequence in block", "missing closing ] before this line"],
  ["Missing , or :", "separate items between brackets with commas"],
  ["Plain value cannot start", "write a string that begins with this character in quotes"],
  ["Unexpected scalar at node end", "unexpected text after a closing quote; quote all of the string, or none"],
  ["Unexpected block-seq-ind", "begin a list on the next line, or write it between [ and ]"],
  ["With stringKeys", "a key is a plain string"],
  ["Invalid escape sequence", "unknown escape sequence in double quotes; use single quotes for a literal backslash"]
]

/** The opening quote of the quoted string that reaches this offset. */
const openQuote = (document: Document, end: number): Span => {
  let from = Math.max(end - 1, 0)
  visit(document, {
    Scalar: (_, { type, range }) => {
      if ((type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE") && range && range[1] >= end) from = range[0]
    }
  })
  return { from, to: from + 1 }
}

const mergeIn = (document: Document, text: string): number => {
  let from = text.indexOf("<<")
  visit(document, {
    Pair: (_, { key, value }) => {
      if (!isScalar(key) || key.value !== "<<" || !key.range) return undefined
      if (isAlias(value)) return undefined
      from = key.range[0]
      return visit.BREAK
    }
  })
  return from
}
