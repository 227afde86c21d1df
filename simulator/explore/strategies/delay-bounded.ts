/**
 * Every run that is at most so far from the one in which whoever asked first goes first: each option that somebody is
 * passed over for is a delay, and so is each thing that goes wrong. Fewer delays come first.
 */
import type { Decide } from "../point.ts"
import type { Proof, Strategy } from "./strategy.ts"

export class DelayBounded implements Strategy {
  readonly name: string
  readonly #most: number
  #allowed = 0
  /** Choices that lead to where a run is to part from those before it. */
  #left: Array<Path> = [[]]
  #beyond: Array<Path> = []
  #current: Path = []
  #made: Array<Chosen> = []
  #isOver = false

  constructor(most: number) {
    this.#most = most
    this.name = `at most ${most} delays`
  }

  readonly next = (): Decide | undefined => {
    while (this.#left.length === 0) {
      if (this.#allowed === this.#most || this.#beyond.length === 0) {
        this.#isOver = true
        return undefined
      }
      this.#allowed += 1
      this.#left = this.#beyond.filter((path) => delaysIn(path) <= this.#allowed)
      this.#beyond = this.#beyond.filter((path) => delaysIn(path) > this.#allowed)
    }
    this.#current = this.#left.pop() ?? []
    this.#made = []
    const spent = delaysIn(this.#current)
    return ({ kind, options }) => {
      const position = this.#made.length
      const chosen = this.#current[position] ?? first
      this.#made.push(chosen)
      if (position < this.#current.length) return Math.min(chosen.option, options.length - 1)
      for (let option = 1; option < options.length; option++) {
        const delays = kind === "mishap" ? 1 : option
        const path = [...this.#made.slice(0, position), { option, delays }]
        if (spent + delays <= this.#allowed) this.#left.push(path)
        else if (spent + delays <= this.#most) this.#beyond.push(path)
      }
      return 0
    }
  }

  readonly came = (): void => {}

  readonly proof = (): Proof => ({
    isComplete: false,
    states: undefined,
    leftOut: this.#isOver
      ? `whatever needs more than ${this.#most} delays`
      : `some of what needs ${this.#allowed} delays`
  })
}

interface Chosen {
  readonly option: number
  /** One for whatever goes wrong; else how many were passed over. */
  readonly delays: number
}

type Path = ReadonlyArray<Chosen>

const first: Chosen = { option: 0, delays: 0 }

const delaysIn = (path: Path): number => path.reduce((sum, { delays }) => sum + delays, 0)
