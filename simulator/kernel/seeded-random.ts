/** The random generator of searches, generated scripts and load tests: a function of its seed and named streams. */
import { hash } from "node:crypto"
import { RandomStreams } from "./prng.ts"

const defaultStream = "generator"

export class SeededRandom {
  readonly #streams: RandomStreams

  constructor(seed: number) {
    this.#streams = new RandomStreams(seed)
  }

  /** A generator with a seed of its own for one purpose. */
  static derived(seed: number, purpose: string): SeededRandom {
    return new SeededRandom(deriveSeed(seed, purpose))
  }

  /** An integer from 0 to `count` - 1, of a named stream; all other draws are of the default one. */
  below(count: number, stream: string = defaultStream): number {
    return Math.floor(this.#streams.fraction(stream) * count)
  }

  chance(probability: number): boolean {
    return this.#streams.fraction(defaultStream) < probability
  }

  /** Throws where there are no options. */
  pick<A>(options: ReadonlyArray<A>): A {
    const picked = options[this.below(options.length)]
    if (picked === undefined) throw new RangeError("There is no option to pick from.")
    return picked
  }

  /** Each option with the same probability, in their order. */
  some<A>(options: ReadonlyArray<A>, probability: number): ReadonlyArray<A> {
    return options.filter(() => this.chance(probability))
  }

  /** One option, in proportion to the weights. */
  weighted<A>(options: ReadonlyArray<readonly [weight: number, option: A]>): A {
    const total = options.reduce((sum, [weight]) => sum + weight, 0)
    let left = this.#streams.fraction(defaultStream) * total
    for (const [weight, option] of options) {
      left -= weight
      if (left < 0) return option
    }
    return this.pick(options)[1]
  }
}

/** A seed for one purpose, independent of the seeds for all others. */
export const deriveSeed = (seed: number, purpose: string): number =>
  hash("sha256", `${seed} ${purpose}`, "buffer").readUInt32BE(0) >>> 1
