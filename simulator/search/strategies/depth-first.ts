/**
 * Depth-first search with state caching and partial-order reduction (sleep sets). It is stateless between runs: each run
 * starts at the search root, and only the current path and the footprints learned along it are kept.
 */
import type { Decider } from "../choice-point.ts"
import { type DepthFirstPlan, planAt } from "./depth-first-plan.ts"
import { Node, nodeAfter, unknownFootprint } from "./depth-first-node.ts"
import type { FinishedRun, Proof, Strategy } from "./strategy.ts"
import { VisitedStates } from "./visited-states.ts"

export interface DepthFirstOptions {
  /** State caching: no state is searched twice; true if absent. */
  readonly isCached?: boolean
  /** Partial-order reduction: independent transitions are tried in one order; true if absent. */
  readonly isReduced?: boolean
}

export class DepthFirstSearch implements Strategy {
  readonly name = "exhaustive"
  readonly #isReduced: boolean
  readonly #path: Array<Node> = []
  /** Undefined without state caching. */
  readonly #visited: VisitedStates | undefined
  #position = 0
  #isOver = false

  constructor({ isCached = true, isReduced = true }: DepthFirstOptions = {}) {
    this.#visited = isCached ? new VisitedStates() : undefined
    this.#isReduced = isReduced
  }

  readonly next = (): Decider | undefined => {
    if (this.#isOver) return undefined
    this.#position = 0
    return this.#decide
  }

  readonly onRunFinished = ({ ended, violation }: FinishedRun): void => {
    const unmet = this.#path[this.#position]
    if (unmet !== undefined) throw new Error(`nondeterministic run: it ended instead of offering ${unmet.names}`)
    // The footprint of the last transition of a run is unknown, so it counts as touching unknownFootprint.
    if (ended === "DONE" || violation !== undefined)
      this.#path.findLast(({ isOrder }) => isOrder)?.tried.learn(unknownFootprint)
    while (!(this.#path.at(-1)?.advance() ?? true)) this.#path.pop()
    this.#isOver = this.#path.length === 0
  }

  readonly proof = (): Proof => ({
    isComplete: this.#isOver,
    states: this.#visited?.size,
    leftOut: this.#isOver
      ? ""
      : `${this.#path.reduce((left, node) => left + node.left, 0)} unexplored options on the frontier`
  })

  /** The next run, and then the other untried options of the path, the deepest first. */
  readonly upcoming = (most: number): ReadonlyArray<DepthFirstPlan> => {
    if (this.#isOver) return []
    const path = this.#path
    const first = planAt(path, path.length - 1, path.at(-1)?.chosen)
    const others: Array<DepthFirstPlan> = []
    for (let at = path.length - 1; at >= 0 && others.length < most - 1; at--) {
      for (const option of path[at]!.untried) others.push(planAt(path, at, option))
    }
    return [first, ...others.slice(0, most - 1)]
  }

  get visited(): VisitedStates | undefined {
    return this.#visited
  }

  readonly #decide: Decider = (point) => {
    const before = this.#path.slice(0, this.#position).findLast(({ isOrder }) => isOrder)
    if (point.kind === "order") before?.tried.learn(point.footprint)
    const known = this.#path[this.#position]
    this.#position += 1
    if (known !== undefined) return known.repeat(point)
    const node = nodeAfter(this.#isReduced ? before?.tried : undefined, point, this.#visited)
    if (node === undefined) return "CUT"
    this.#path.push(node)
    return node.chosen
  }
}
