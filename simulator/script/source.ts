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
import { unexpandable, unreadable } from "./unreadable.ts"

export interface Source {
  readonly value: unknown
  /** What is not YAML at all; then `value` means nothing. */
  readonly problems: ReadonlyArray<PlacedProblem>
  readonly place: (problem: Problem) => PlacedProblem
}

export const readSource = (text: string): Source => {
  const document = parseDocument(text, { merge: true, prettyErrors: false, stringKeys: true })
  const problems = [...unreadable(document, text)]
  const value = problems.length > 0 ? undefined : valueOf(document, text, problems)
  return {
    value,
    problems,
    place: ({ path, part, message }) => ({ span: spanOf(document, path, part), message })
  }
}

/** Aliases can be nested to expand without bound; the reader gives up on them, and so does the script. */
const valueOf = (document: Document, text: string, problems: Array<PlacedProblem>): unknown => {
  try {
    return document.toJS()
  } catch (error) {
    problems.push(unexpandable(document, text, error))
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
  if (isMap(parent)) {
    const own = parent.items.find((pair) => isScalar(pair.key) && pair.key.value === String(key))
    return own ?? mergedIn(document, parent.items, key)
  }
  if (!isSeq(parent) || typeof key !== "number") return undefined
  const item = parent.items[key]
  return isNode(item) || isPair(item) ? item : undefined
}

/** What comes from `<<` stands where it was written. */
const mergedIn = (document: Document, pairs: ReadonlyArray<Pair>, key: string | number): Node | Pair | undefined => {
  for (const pair of pairs) {
    if (!isScalar(pair.key) || pair.key.value !== "<<") continue
    const sources = isSeq(pair.value) ? pair.value.items : [pair.value]
    for (const source of sources) {
      const found = childOf(document, source, key)
      if (found !== undefined) return found
    }
  }
  return undefined
}

const rangeOf = (node: unknown): Span | undefined => {
  if (!isNode(node) || !node.range) return undefined
  return { from: node.range[0], to: Math.max(node.range[1], node.range[0] + 1) }
}
