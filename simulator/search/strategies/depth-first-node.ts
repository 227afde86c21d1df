/** A choice point on the path of a depth-first search, and the reductions at the point that follows it. */
import type { ChoicePoint, TransitionFootprint } from "../choice-point.ts"
import type { VisitedStates } from "./visited-states.ts"

/** The tried transitions of an order, as plain data. */
export interface TriedState {
  /** The identity of each option across runs; undefined if unknown. */
  readonly identities: ReadonlyArray<string | undefined>
  readonly chosen: number
  readonly footprints: ReadonlyMap<number, TransitionFootprint>
}

/** The tried transitions of an order, with their footprints. */
export class TriedTransitions {
  readonly #identities: TriedState["identities"]
  readonly #footprints: Map<number, TransitionFootprint>
  chosen: number

  constructor({ identities, chosen, footprints }: TriedState) {
    this.#identities = identities
    this.#footprints = new Map(footprints)
    this.chosen = chosen
  }

  /** The state in which the option is the chosen one. */
  stateAt(option: number): TriedState {
    const tried = [...this.#footprints].filter(([index]) => index <= option)
    return { identities: this.#identities, chosen: option, footprints: new Map(tried) }
  }

  identityOf(option: number): string | undefined {
    return this.#identities[option]
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
}

/** One choice point of the path. */
export class Node {
  readonly isOrder: boolean
  readonly tried: TriedTransitions
  readonly #options: ReadonlyArray<string>
  readonly #sleepSet: ReadonlySet<string>

  constructor({ kind, options, offers }: ChoicePoint, sleepSet: ReadonlySet<string>) {
    this.isOrder = kind === "order"
    this.#options = options
    this.#sleepSet = sleepSet
    this.tried = new TriedTransitions({ identities: identitiesOf(offers), chosen: -1, footprints: new Map() })
    this.advance()
  }

  get chosen(): number {
    return this.tried.chosen
  }

  get names(): string {
    return this.#options.join(", ")
  }

  /** The number of untried options. */
  get left(): number {
    return this.#options.length - 1 - this.chosen
  }

  /** The options after the chosen one and outside the sleep set. */
  get untried(): ReadonlyArray<number> {
    return [...this.#options.keys()].filter((option) => option > this.chosen && !this.#isAsleep(option))
  }

  /** Repeats the decision in another run. */
  repeat({ options }: ChoicePoint): number {
    if (options.join() === this.#options.join()) return this.chosen
    throw new Error(`nondeterministic run: offered ${options.join(", ")} instead of ${this.names}`)
  }

  /** Advances to the next option outside the sleep set; false if there is none. */
  advance(): boolean {
    this.tried.chosen = this.untried[0] ?? -1
    return this.chosen >= 0
  }

  #isAsleep(option: number): boolean {
    const identity = this.tried.identityOf(option)
    return identity !== undefined && this.#sleepSet.has(identity)
  }
}

/**
 * The choice point after the tried transitions of an order, or after nothing that reduces it; undefined if its state was
 * visited or all its options are asleep.
 */
export const nodeAfter = (
  tried: TriedTransitions | undefined,
  point: ChoicePoint,
  visited: Pick<VisitedStates, "visit"> | undefined
): Node | undefined => {
  const sleepSet = point.kind === "order" ? (tried?.sleepSetAfter(point) ?? emptySet) : emptySet
  if (point.kind === "order" && visited?.visit(point.stateHash(), sleepSet) === false) return undefined
  const node = new Node(point, sleepSet)
  return node.chosen < 0 ? undefined : node
}

export const unknownFootprint: TransitionFootprint = { reads: new Set(["*"]), writes: new Set(["*"]), isVisible: true }

const emptySet: ReadonlySet<string> = new Set()

/** The identity of an option: its fiber history, and the number of the wait that ends. */
const identitiesOf = (offers: ChoicePoint["offers"]): ReadonlyArray<string | undefined> =>
  offers.map(({ history, wait }) => (history === undefined ? undefined : `${history.name} ${wait}`))

/** Independent: neither writes what the other reads or writes, and at most one is visible. */
const areIndependent = (one: TransitionFootprint, other: TransitionFootprint): boolean =>
  !(one.isVisible && other.isVisible) && !touches(one.writes, other) && !touches(other.writes, one)

const touches = (writes: ReadonlySet<string>, { reads, writes: others }: TransitionFootprint): boolean => {
  for (const row of writes) {
    if (row === "*" || reads.has(row) || others.has(row) || reads.has("*") || others.has("*")) return true
    if (reads.has(`${row.split(" ", 1)[0]} *`)) return true
  }
  return false
}
