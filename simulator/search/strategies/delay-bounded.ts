/**
 * Delay-bounded search: every run within a bound of delays from firstOption come, firstOption served, in ascending order. Each
 * option that is passed over counts as a delay, and so does each injected fault.
 */
import type { Decider } from "../choice-point.ts"
import type { PathPlan, Proof, Strategy } from "./strategy.ts"

export class DelayBoundedSearch implements Strategy {
  readonly name: string
  readonly #most: number
  #bound = 0
  /** The frontier: prefixes from which a new run deviates. */
  #frontier: Array<Path> = [[]]
  #deferred: Array<Path> = []
  #current: Path = []
  #taken: Array<PathChoice> = []
  #isOver = false

  constructor(most: number) {
    this.#most = most
    this.name = `at most ${most} delays`
  }

  readonly next = (): Decider | undefined => {
    this.#refill()
    if (this.#isOver) return undefined
    this.#current = this.#frontier.pop() ?? []
    this.#taken = []
    const spent = delaysIn(this.#current)
    return ({ kind, options }) => {
      const position = this.#taken.length
      const chosen = this.#current[position] ?? firstOption
      this.#taken.push(chosen)
      if (position < this.#current.length) return Math.min(chosen.option, options.length - 1)
      for (let option = 1; option < options.length; option++) {
        const delays = kind === "fault" ? 1 : option
        const path = [...this.#taken.slice(0, position), { option, delays }]
        if (spent + delays <= this.#bound) this.#frontier.push(path)
        else if (spent + delays <= this.#most) this.#deferred.push(path)
      }
      return 0
    }
  }

  /** The next paths of the frontier; those that the next run adds come before the others. */
  readonly upcoming = (most: number): ReadonlyArray<PathPlan> => {
    this.#refill()
    const next = this.#frontier.slice(-most).reverse()
    return next.map((path) => ({ by: "path", path: path.map(({ option }) => option) }))
  }

  readonly onRunFinished = (): void => {}

  /** Raises the bound where no run within it is left. */
  #refill(): void {
    while (this.#frontier.length === 0 && !this.#isOver) {
      if (this.#bound === this.#most || this.#deferred.length === 0) {
        this.#isOver = true
        return
      }
      this.#bound += 1
      this.#frontier = this.#deferred.filter((path) => delaysIn(path) <= this.#bound)
      this.#deferred = this.#deferred.filter((path) => delaysIn(path) > this.#bound)
    }
  }

  readonly proof = (): Proof => ({
    isComplete: false,
    states: undefined,
    leftOut: this.#isOver
      ? `schedules with more than ${this.#most} delays`
      : `some schedules with ${this.#bound} delays`
  })
}

/** The decisions of a planned run. */
export const pathDecider = ({ path }: PathPlan): Decider => {
  let position = 0
  return ({ options }) => Math.min(path[position++] ?? 0, options.length - 1)
}

interface PathChoice {
  readonly option: number
  /** One for a fault; otherwise the number of options passed over. */
  readonly delays: number
}

type Path = ReadonlyArray<PathChoice>

const firstOption: PathChoice = { option: 0, delays: 0 }

const delaysIn = (path: Path): number => path.reduce((sum, { delays }) => sum + delays, 0)
