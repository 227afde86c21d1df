/** Times of calls, and their statistics. */
import { Effect } from "effect"

/** Wall time of one call, in seconds. */
export const secondsOf = (work: () => void): number => {
  const began = performance.now()
  work()
  return (performance.now() - began) / 1000
}

/** Wall time of an effect, in milliseconds. */
export const millisecondsOf = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<number, E, R> =>
  Effect.suspend(() => {
    const began = performance.now()
    return Effect.map(work, () => performance.now() - began)
  })

/** The CPU time of one call, in seconds, unaffected by other processes. */
export const busySecondsOf = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000_000
}

/**
 * Calls both in turns for that long, and returns how long one call of each takes, in seconds. The first half of the
 * turns warms both up.
 */
export const inTurns = (
  seconds: number,
  one: () => void,
  other: () => void,
  timed: (work: () => void) => number = secondsOf
): readonly [number, number] => {
  const ones: Array<number> = []
  const others: Array<number> = []
  const began = performance.now()
  while (performance.now() - began < seconds * 1000) {
    ones.push(timed(one))
    others.push(timed(other))
  }
  const warm = ones.length >> 1
  return [median(ones.slice(warm)), median(others.slice(warm))]
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The smallest value that at least this part of all values does not exceed. */
export const percentile = (values: ReadonlyArray<number>, part: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1]!

export const sum = (values: Iterable<number>): number => {
  let total = 0
  for (const value of values) total += value
  return total
}
