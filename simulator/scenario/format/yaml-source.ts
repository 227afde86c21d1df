/** A YAML text as a plain value, with the source position of every part. */
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
import type { ProblemPath, PlacedProblem, Problem, Span } from "./problem.ts"
import { expansionProblem, yamlProblems } from "./yaml-problems.ts"

export interface Source {
  readonly value: unknown
  /** YAML errors; if there are any, `value` is meaningless. */
  readonly problems: ReadonlyArray<PlacedProblem>
  readonly place: (problem: Problem) => PlacedProblem
}

export const readSource = (text: string): Source => {
  const document = parseDocument(text, { merge: true, prettyErrors: false, stringKeys: true })
  const problems = [...yamlProblems(document, text)]
  const value = problems.length > 0 ? undefined : valueOf(document, text, problems)
  return {
    value,
    problems,
    place: ({ path, part, message }) => ({ span: spanOf(document, path, part), message })
  }
}

/** Nested aliases can expand exponentially; the YAML reader refuses them, which is reported as a problem. */
const valueOf = (document: Document, text: string, problems: Array<PlacedProblem>): unknown => {
  try {
    return document.toJS()
  } catch (error) {
    problems.push(expansionProblem(document, text, error))
    return undefined
  }
}

/** The span of a path, or of its nearest ancestor in the text. */
const spanOf = (document: Document, path: ProblemPath, part: "key" | "value"): Span => {
  let node: unknown = document.contents
  let span = rangeOf(document.contents) ?? { from: 0, to: 1 }
  for (const [depth, key] of path.entries()) {
    const found = childOf(document, node, key)
    if (found === undefined) return span
    const isLast = depth === path.length - 1
    const target = isPair(found) ? (isLast && part === "key" ? found.key : (found.value ?? found.key)) : found
    span = rangeOf(target) ?? span
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

/** The position of a merged (`<<`) key is that of its source. */
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
