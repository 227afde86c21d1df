/** What is not YAML at all, in sentences that say how it is written. */
import { type Document, isAlias, isScalar, visit, type YAMLError } from "yaml"
import type { PlacedProblem, Span } from "./problem.ts"

/** After the first mistake of its kind the reader finds others that are none: each line is told of once. */
export const unreadable = (document: Document, text: string): ReadonlyArray<PlacedProblem> => {
  const reference = document.errors.findIndex(({ pos: [from] }) => text.slice(from - 1, from + 1) === "${")
  const meant = reference < 0 ? document.errors : document.errors.slice(0, reference + 1)
  const told = new Map<number, PlacedProblem>()
  for (const error of meant) {
    if (error.message.includes("in YAML stream")) continue
    const problem = problemOf(error, document, text, meant)
    const line = text.lastIndexOf("\n", problem.span.from - 1)
    if (!told.has(line)) told.set(line, problem)
  }
  const [first] = document.errors
  if (told.size > 0 || first === undefined) return [...told.values()]
  return [problemOf(first, document, text, meant)]
}

/** What is YAML and cannot be expanded. */
export const unexpandable = (document: Document, text: string, error: unknown): PlacedProblem => {
  let span: Span = { from: 0, to: 1 }
  let message = error instanceof Error ? error.message : String(error)
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document) !== undefined || !alias.range) return undefined
      span = { from: alias.range[0], to: alias.range[1] }
      message = `no anchor &${alias.source} stands before this`
      return visit.BREAK
    }
  })
  if (message.startsWith("Merge sources")) {
    span = { from: mergeIn(document, text), to: mergeIn(document, text) + 2 }
    message = "<< puts in what an anchor names, and that is a map: <<: *name"
  } else if (message.startsWith("Excessive alias")) {
    message = "anchors inside anchors grow without bound here; write out what they stand for"
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
    return { span, message: `between brackets a reference stands in quotes: "${reference}"` }
  }
  if (error.message.startsWith("Missing closing")) {
    return { span: openQuote(document, from), message: "this quote is opened and never closed" }
  }
  const isAcrossLines = all.some(({ code, pos }) => code === "MULTILINE_IMPLICIT_KEY" && pos[0] === from)
  if (isAcrossLines) return { span: { from, to: from + 1 }, message: badIndentation }
  const rule = sentences.find(([begins]) => error.message.startsWith(begins))
  return { span: { from, to }, message: rule === undefined ? error.message : rule[1] }
}

const badIndentation =
  "what follows is indented in another way than its neighbours: keys of one map begin in the same column, and a " +
  "colon is followed by a space"

/** The reader's own words, where they do not say what to do. */
const sentences: ReadonlyArray<readonly [begins: string, sentence: string]> = [
  ["Map keys must be unique", "this key appears twice; keep one of them"],
  ["Source contains multiple documents", "one file holds one scenario; put what follows --- into a file of its own"],
  ["Tabs are not allowed", "a tab cannot indent; put spaces in its place"],
  [
    "Nested mappings are not allowed in compact",
    "a text with a colon in it stands in quotes, or on lines of its own below >"
  ],
  [
    "Sequence item without",
    "this stands where an item of the list would, and has no dash; indent it like the keys above it"
  ],
  ["Implicit map keys need to be followed", "a key is followed by a colon and a space"],
  ["All mapping items must start at the same column", badIndentation],
  ["Flow map in block", "a { is not closed by a } before this line"],
  ["Flow sequence in block", "a [ is not closed by a ] before this line"],
  ["Missing , or :", "items between brackets have a comma between them"],
  ["Plain value cannot start", "a text that begins with such a sign stands in quotes"],
  ["Unexpected scalar at node end", "nothing can follow a text in quotes; put all of it in quotes, or none"],
  ["Unexpected block-seq-ind", "a list begins on the next line, or stands between [ and ]"],
  ["With stringKeys", "a key is a plain text"],
  [
    "Invalid escape sequence",
    "a backslash in double quotes begins a sign such as \\n; take single quotes where it is meant"
  ]
]

/** Where the text in quotes begins that reaches this far. */
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
