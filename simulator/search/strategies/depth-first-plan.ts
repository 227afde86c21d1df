/** A run that a depth-first search will probably choose, as plain data. */
import type { Decider } from "../choice-point.ts"
import { type Node, nodeAfter, TriedTransitions, type TriedState } from "./depth-first-node.ts"
import { VisitedStates } from "./visited-states.ts"

export interface DepthFirstPlan {
  readonly by: "exhaustive"
  readonly path: ReadonlyArray<number>
  /** The last order of the path, and its position; undefined without one. */
  readonly last: (TriedState & { readonly at: number }) | undefined
}

/** The run that takes another option at this position of the path; of an empty path, the first run. */
export const planAt = (path: ReadonlyArray<Node>, at: number, option: number | undefined): DepthFirstPlan => {
  const kept = path.slice(0, at + 1)
  const lastAt = kept.findLastIndex(({ isOrder }) => isOrder)
  const last = kept[lastAt]
  return {
    by: "exhaustive",
    path: kept.map(({ chosen }, index) => (index === at ? (option ?? chosen) : chosen)),
    last: last && { ...last.tried.stateAt(lastAt === at ? (option ?? last.chosen) : last.chosen), at: lastAt }
  }
}

/** The decisions of such a run as far as they can be known; it visits states only in its own copy. */
export const depthFirstDecider = ({ path, last }: DepthFirstPlan, known: VisitedStates): Decider => {
  const visited = new VisitedStates(known)
  const planned = last && new TriedTransitions(last)
  let latest: TriedTransitions | undefined
  let position = 0
  return (point) => {
    const before = latest ?? (last !== undefined && position > last.at ? planned : undefined)
    if (point.kind === "order") before?.learn(point.footprint)
    const chosen = path[position++]
    if (chosen !== undefined) return chosen
    const node = nodeAfter(before, point, visited)
    if (node === undefined) return "CUT"
    if (node.isOrder) latest = node.tried
    return node.chosen
  }
}
