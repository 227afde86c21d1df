/** Random numbers of strategies: a function of the seed alone. */
import { RandomStreams } from "../../kernel/prng.ts"

export class SeededRandom {
  readonly #streams: RandomStreams

  constructor(seed: number) {
    this.#streams = new RandomStreams(seed)
  }

  /** An integer from 0 to `count` - 1, of a named stream. */
  below(count: number, name: string): number {
    return Math.floor(this.#streams.fraction(name) * count)
  }
}
