/**
 * Every order that could end otherwise, depth first. A world that was come to before is not searched twice, and of two
 * transitions that nobody could tell apart by their order only one order is tried. Runs begin anew each time, so that
 * what is kept is the path and what was learned at each of its points.
 */
import type { Decide, Point, Since } from "../point.ts"
import type { Came, Proof, Strategy } from "./strategy.ts"

export interface ExhaustiveOptions {
  /** Not to search a world twice; true where absent. */
  readonly isCached?: boolean
  /** Not to try both orders of what is independent; true where absent. */
  readonly isReduced?: boolean
}

export class Exhaustive implements Strategy {
  readonly name = "exhaustive"
  readonly #isCached: boolean
  readonly #isReduced: boolean
  readonly #path: Array<Node> = []
  /** By world: whoever slept when it was searched. */
  readonly #searched = new Map<string, ReadonlySet<string>>()
  #position = 0
  #isOver = false

  constructor({ isCached = true, isReduced = true }: ExhaustiveOptions = {}) {
    this.#isCached = isCached
    this.#isReduced = isReduced
  }

  readonly next = (): Decide | undefined => {
    if (this.#isOver) return undefined
    this.#position = 0
    return this.#decide
  }

  readonly came = ({ ended, violation }: Came): void => {
    const missed = this.#path[this.#position]
    if (missed !== undefined) throw new Error(`not the same run: it ended in the place of ${missed.names}`)
    // Where a run ends, what its last transition did is not told to any point: it is taken to touch everything.
    if (ended === "DONE" || violation !== undefined) this.#path.findLast(({ isOrder }) => isOrder)?.learn(everything)
    while (!(this.#path.at(-1)?.turn() ?? true)) this.#path.pop()
    this.#isOver = this.#path.length === 0
  }

  readonly proof = (): Proof => ({
    isComplete: this.#isOver,
    states: this.#isCached ? this.#searched.size : undefined,
    leftOut: this.#isOver ? "" : `${this.#path.reduce((left, node) => left + node.left, 0)} ways known and not tried`
  })

  readonly #decide: Decide = (point) => {
    const before = this.#path.slice(0, this.#position).findLast(({ isOrder }) => isOrder)
    if (point.kind === "order") before?.learn(point.since)
    const known = this.#path[this.#position]
    this.#position += 1
    if (known !== undefined) return known.again(point)
    const asleep = point.kind === "order" && this.#isReduced ? (before?.asleepAfter(point) ?? noOne) : noOne
    if (point.kind === "order" && !this.#isNew(point, asleep)) return "CUT"
    const node = new Node(point, asleep)
    if (node.isExhausted) return "CUT"
    this.#path.push(node)
    return node.chosen
  }

  #isNew(point: Point, asleep: ReadonlySet<string>): boolean {
    if (!this.#isCached) return true
    const world = point.world()
    const before = this.#searched.get(world)
    // Whoever slept then was not tried from here; where all of them sleep now, nothing is left to try.
    if (before !== undefined && [...before].every((one) => asleep.has(one))) return false
    this.#searched.set(world, before === undefined ? asleep : new Set([...before].filter((one) => asleep.has(one))))
    return true
  }
}

/** One point of the path, and what was learned there. */
class Node {
  readonly isOrder: boolean
  readonly #options: ReadonlyArray<string>
  /** Who each option is, in every run: nobody where that cannot be told. */
  readonly #whose: ReadonlyArray<string | undefined>
  readonly #asleep: ReadonlySet<string>
  readonly #footprints = new Map<number, Footprint>()
  chosen: number

  constructor({ kind, options, offers }: Point, asleep: ReadonlySet<string>) {
    this.isOrder = kind === "order"
    this.#options = options
    this.#whose = whoseAre(offers)
    this.#asleep = asleep
    this.chosen = this.#after(-1)
  }

  get isExhausted(): boolean {
    return this.chosen < 0
  }

  get names(): string {
    return this.#options.join(", ")
  }

  /** How many options were not tried. */
  get left(): number {
    return this.#options.length - 1 - this.chosen
  }

  /** The same decision in another run. */
  again({ options }: Point): number {
    if (options.join() === this.#options.join()) return this.chosen
    throw new Error(`not the same run: ${options.join(", ")} in the place of ${this.names}`)
  }

  /** Goes on to the next option that is worth a try; false where there is none. */
  turn(): boolean {
    this.chosen = this.#after(this.chosen)
    return this.chosen >= 0
  }

  learn({ reads, writes, isVisible }: Since): void {
    const known = this.#footprints.get(this.chosen)
    this.#footprints.set(this.chosen, {
      reads: new Set([...(known?.reads ?? []), ...reads]),
      writes: new Set([...(known?.writes ?? []), ...writes]),
      isVisible: isVisible || known?.isVisible === true
    })
  }

  /**
   * Who sleeps at a point that follows: those that were tried here, or slept here, and whose transition nobody could
   * tell from the one that was made. Trying them again would only be the other order of the same two.
   */
  asleepAfter({ offers }: Point): ReadonlySet<string> {
    const made = this.#footprints.get(this.chosen)
    const here = whoseAre(offers)
    if (made === undefined) return noOne
    const asleep = new Set<string>()
    for (const [index, footprint] of this.#footprints) {
      const whose = this.#whose[index]
      if (whose === undefined || index >= this.chosen || !here.includes(whose)) continue
      if (this.#whose[this.chosen] !== undefined && areIndependent(footprint, made)) asleep.add(whose)
    }
    return asleep
  }

  #after(index: number): number {
    for (let next = index + 1; next < this.#options.length; next++) {
      const whose = this.#whose[next]
      if (whose === undefined || !this.#asleep.has(whose)) return next
    }
    return -1
  }
}

interface Footprint extends Since {}

const everything: Since = { reads: new Set(["*"]), writes: new Set(["*"]), isVisible: true }

const noOne: ReadonlySet<string> = new Set()

/** Options are told apart by whose history goes on, and which of its waits ends: what waits later is something else. */
const whoseAre = (offers: Point["offers"]): ReadonlyArray<string | undefined> =>
  offers.map(({ line, wait }) => (line === undefined ? undefined : `${line.name} ${wait}`))

/** Two that only look at what the other does not touch, of which nobody sees more than one. */
const areIndependent = (one: Footprint, other: Footprint): boolean =>
  !(one.isVisible && other.isVisible) && !touches(one.writes, other) && !touches(other.writes, one)

const touches = (writes: ReadonlySet<string>, { reads, writes: others }: Footprint): boolean => {
  for (const row of writes) {
    if (row === "*" || reads.has(row) || others.has(row) || reads.has("*") || others.has("*")) return true
    if (reads.has(`${row.split(" ", 1)[0]} *`)) return true
  }
  return false
}
