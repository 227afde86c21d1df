/**
 * Depth-first search with state caching and partial-order reduction (sleep sets). It is stateless between runs: each run
 * starts at the search root, and only the current path and the footprints learned along it are kept.
 */
import type { Decider, ChoicePoint, TransitionFootprint } from "../choice-point.ts"
import type { FinishedRun, Proof, Strategy } from "./strategy.ts"

export interface DepthFirstOptions {
  /** State caching: no state is searched twice; true if absent. */
  readonly isCached?: boolean
  /** Partial-order reduction: independent transitions are tried in one order; true if absent. */
  readonly isReduced?: boolean
}

export class DepthFirstSearch implements Strategy {
  readonly name = "exhaustive"
  readonly #isCached: boolean
  readonly #isReduced: boolean
  readonly #path: Array<Node> = []
  /** The visited states, each with its sleep set. */
  readonly #visited = new Map<string, ReadonlySet<string>>()
  #position = 0
  #isOver = false

  constructor({ isCached = true, isReduced = true }: DepthFirstOptions = {}) {
    this.#isCached = isCached
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
      this.#path.findLast(({ isOrder }) => isOrder)?.learn(unknownFootprint)
    while (!(this.#path.at(-1)?.advance() ?? true)) this.#path.pop()
    this.#isOver = this.#path.length === 0
  }

  readonly proof = (): Proof => ({
    isComplete: this.#isOver,
    states: this.#isCached ? this.#visited.size : undefined,
    leftOut: this.#isOver
      ? ""
      : `${this.#path.reduce((left, node) => left + node.left, 0)} unexplored options on the frontier`
  })

  readonly #decide: Decider = (point) => {
    const before = this.#path.slice(0, this.#position).findLast(({ isOrder }) => isOrder)
    if (point.kind === "order") before?.learn(point.footprint)
    const known = this.#path[this.#position]
    this.#position += 1
    if (known !== undefined) return known.repeat(point)
    const sleepSet = point.kind === "order" && this.#isReduced ? (before?.sleepSetAfter(point) ?? emptySet) : emptySet
    if (point.kind === "order" && !this.#isNew(point, sleepSet)) return "CUT"
    const node = new Node(point, sleepSet)
    if (node.isExhausted) return "CUT"
    this.#path.push(node)
    return node.chosen
  }

  #isNew(point: ChoicePoint, sleepSet: ReadonlySet<string>): boolean {
    if (!this.#isCached) return true
    const world = point.stateHash()
    const before = this.#visited.get(world)
    // Transitions that slept then were not tried from here; if all of them sleep now, none is left to try.
    if (before !== undefined && [...before].every((one) => sleepSet.has(one))) return false
    this.#visited.set(world, before === undefined ? sleepSet : new Set([...before].filter((one) => sleepSet.has(one))))
    return true
  }
}

/** One choice point of the path, with the footprints of its tried options. */
class Node {
  readonly isOrder: boolean
  readonly #options: ReadonlyArray<string>
  /** The identity of each option across runs; undefined if unknown. */
  readonly #identities: ReadonlyArray<string | undefined>
  readonly #sleepSet: ReadonlySet<string>
  readonly #footprints = new Map<number, Footprint>()
  chosen: number

  constructor({ kind, options, offers }: ChoicePoint, sleepSet: ReadonlySet<string>) {
    this.isOrder = kind === "order"
    this.#options = options
    this.#identities = identitiesOf(offers)
    this.#sleepSet = sleepSet
    this.chosen = this.#after(-1)
  }

  get isExhausted(): boolean {
    return this.chosen < 0
  }

  get names(): string {
    return this.#options.join(", ")
  }

  /** The number of untried options. */
  get left(): number {
    return this.#options.length - 1 - this.chosen
  }

  /** Repeats the decision in another run. */
  repeat({ options }: ChoicePoint): number {
    if (options.join() === this.#options.join()) return this.chosen
    throw new Error(`nondeterministic run: offered ${options.join(", ")} instead of ${this.names}`)
  }

  /** Advances to the next option outside the sleep set; false if there is none. */
  advance(): boolean {
    this.chosen = this.#after(this.chosen)
    return this.chosen >= 0
  }

  learn({ reads, writes, isVisible }: TransitionFootprint): void {
    const known = this.#footprints.get(this.chosen)
    this.#footprints.set(this.chosen, {
      reads: new Set([...(known?.reads ?? []), ...reads]),
      writes: new Set([...(known?.writes ?? []), ...writes]),
      isVisible: isVisible || known?.isVisible === true
    })
  }

  /**
   * The sleep set of the following choice point: the transitions tried or asleep here that are independent of the chosen
   * one, since trying them next would only commute the two.
   */
  sleepSetAfter({ offers }: ChoicePoint): ReadonlySet<string> {
    const made = this.#footprints.get(this.chosen)
    const here = identitiesOf(offers)
    if (made === undefined) return emptySet
    const sleepSet = new Set<string>()
    for (const [index, footprint] of this.#footprints) {
      const identity = this.#identities[index]
      if (identity === undefined || index >= this.chosen || !here.includes(identity)) continue
      if (this.#identities[this.chosen] !== undefined && areIndependent(footprint, made)) sleepSet.add(identity)
    }
    return sleepSet
  }

  #after(index: number): number {
    for (let next = index + 1; next < this.#options.length; next++) {
      const identity = this.#identities[next]
      if (identity === undefined || !this.#sleepSet.has(identity)) return next
    }
    return -1
  }
}

interface Footprint extends TransitionFootprint {}

const unknownFootprint: TransitionFootprint = { reads: new Set(["*"]), writes: new Set(["*"]), isVisible: true }

const emptySet: ReadonlySet<string> = new Set()

/** The identity of an option: its fiber history, and the number of the wait that ends. */
const identitiesOf = (offers: ChoicePoint["offers"]): ReadonlyArray<string | undefined> =>
  offers.map(({ history, wait }) => (history === undefined ? undefined : `${history.name} ${wait}`))

/** Independent: neither writes what the other reads or writes, and at most one is visible. */
const areIndependent = (one: Footprint, other: Footprint): boolean =>
  !(one.isVisible && other.isVisible) && !touches(one.writes, other) && !touches(other.writes, one)

const touches = (writes: ReadonlySet<string>, { reads, writes: others }: Footprint): boolean => {
  for (const row of writes) {
    if (row === "*" || reads.has(row) || others.has(row) || reads.has("*") || others.has("*")) return true
    if (reads.has(`${row.split(" ", 1)[0]} *`)) return true
  }
  return false
}
