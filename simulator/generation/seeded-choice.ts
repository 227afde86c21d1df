/** Seeded choices. */
import { RandomStreams } from "../kernel/prng.ts"

export class SeededChoice {
  readonly #streams: RandomStreams

  constructor(seed: number) {
    this.#streams = new RandomStreams(seed)
  }

  /** A whole number from 0, below `count`. */
  below(count: number): number {
    return Math.floor(this.#streams.fraction("generator") * count)
  }

  chance(probability: number): boolean {
    return this.#streams.fraction("generator") < probability
  }

  /** Throws where there is nothing to pick from. */
  pick<A>(options: ReadonlyArray<A>): A {
    const picked = options[this.below(options.length)]
    if (picked === undefined) throw new RangeError("there is nothing to pick from")
    return picked
  }

  /** Some of them, in their order. */
  some<A>(options: ReadonlyArray<A>, probability: number): ReadonlyArray<A> {
    return options.filter(() => this.chance(probability))
  }

  weighted<A>(options: ReadonlyArray<readonly [weight: number, option: A]>): A {
    const total = options.reduce((sum, [weight]) => sum + weight, 0)
    let left = this.#streams.fraction("generator") * total
    for (const [weight, option] of options) {
      left -= weight
      if (left < 0) return option
    }
    return this.pick(options)[1]
  }
}
