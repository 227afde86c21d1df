/** A pseudorandom source of choices, reproducible from its seed. */

export interface Choices {
  /** An integer from 0, below the limit. */
  readonly below: (limit: number) => number
  readonly oneOf: <T>(values: ReadonlyArray<T>) => T
}

export const choicesFrom = (seed: number): Choices => {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  // Mulberry32, with 32 bits of state.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return { below, oneOf: (values) => values[below(values.length)]! }
}
