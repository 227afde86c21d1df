/** Chance for strategies: a function of a seed alone. */
import { Streams } from "../../kernel/random.ts"

export class Dice {
  readonly #streams: Streams

  constructor(seed: number) {
    this.#streams = new Streams(seed)
  }

  /** A whole number from 0 to one below `count`, of a stream with a name. */
  below(count: number, name: string): number {
    return Math.floor(this.#streams.fraction(name) * count)
  }
}
