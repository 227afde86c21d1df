/** A YAML text as a plain value, with the place of every part of it. */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  type Node,
  type Pair
} from "yaml"
import type { Path, PlacedProblem, Problem, Span } from "./problem.ts"

export interface Source {
  readonly value: unknown
  /** What is not YAML at all; then `value` means nothing. */
  readonly problems: ReadonlyArray<PlacedProblem>
  readonly place: (problem: Problem) => PlacedProblem
}

export const readSource = (text: string): Source => {
  const document = parseDocument(text, { merge: true, prettyErrors: false, stringKeys: true })
  const problems: Array<PlacedProblem> = document.errors.map(({ pos, message }) => ({
    span: { from: pos[0], to: pos[1] },
    message: sentences[message] ?? message
  }))
  return {
    value: problems.length > 0 ? undefined : valueOf(document, problems),
    problems,
    place: ({ path, part, message }) => ({ span: spanOf(document, path, part), message })
  }
}

/** The reader's own words, where they do not say what to do. */
const sentences: { readonly [message: string]: string } = {
  "Map keys must be unique": "this key appears twice; keep one of them",
  "Source contains multiple documents; please use YAML.parseAllDocuments()":
    "one file holds one scenario; put what follows --- into a file of its own"
}

/** Aliases can be nested to expand without bound; the reader gives up on them, and so does the script. */
const valueOf = (document: Document, problems: Array<PlacedProblem>): unknown => {
  try {
    return document.toJS()
  } catch (error) {
    problems.push({ span: { from: 0, to: 1 }, message: error instanceof Error ? error.message : String(error) })
    return undefined
  }
}

/** The place of a path, or of the nearest part above it that the text holds. */
const spanOf = (document: Document, path: Path, part: "key" | "value"): Span => {
  let node: unknown = document.contents
  let span = rangeOf(document.contents) ?? { from: 0, to: 1 }
  for (const [depth, key] of path.entries()) {
    const found = childOf(document, node, key)
    if (found === undefined) return span
    const isLast = depth === path.length - 1
    const meant = isPair(found) ? (isLast && part === "key" ? found.key : (found.value ?? found.key)) : found
    span = rangeOf(meant) ?? span
    node = isPair(found) ? found.value : found
  }
  return span
}

const childOf = (document: Document, node: unknown, key: string | number): Node | Pair | undefined => {
  const parent = isAlias(node) ? node.resolve(document) : node
  if (isMap(parent)) return parent.items.find((pair) => isScalar(pair.key) && pair.key.value === String(key))
  if (!isSeq(parent) || typeof key !== "number") return undefined
  const item = parent.items[key]
  return isNode(item) || isPair(item) ? item : undefined
}

const rangeOf = (node: unknown): Span | undefined => {
  if (!isNode(node) || !node.range) return undefined
  return { from: node.range[0], to: Math.max(node.range[1], node.range[0] + 1) }
}
