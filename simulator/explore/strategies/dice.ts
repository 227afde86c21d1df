/** Random numbers of strategies: a function of the seed alone. */
import { Streams } from "../../kernel/random.ts"

export class Dice {
  readonly #streams: Streams

  constructor(seed: number) {
    this.#streams = new Streams(seed)
  }

  /** An integer from 0 to `count` - 1, of a named stream. */
  below(count: number, name: string): number {
    return Math.floor(this.#streams.fraction(name) * count)
  }
}
