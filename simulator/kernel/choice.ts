/**
 * Choice points of the scheduler. Every option is named by actor and event (`scout:transaction`), so that a saved
 * schedule survives a refactoring that adds options elsewhere.
 */
import type { FiberHistory } from "./fiber-history.ts"

/** Returns the index of one of at least two options. `offers` describes pending events in detail. */
export type Choose = (options: ReadonlyArray<string>, offers?: ReadonlyArray<ChoiceOption>) => number

/** A possible next event. */
export interface ChoiceOption {
  readonly name: string
  /** The fiber history that it continues. */
  readonly history?: FiberHistory | undefined
  /** The number of the wait in that history. */
  readonly wait?: number | undefined
  /** The due time of a timer. */
  readonly at?: number
}

/** First in, first out. */
export const firstInFirstOut: Choose = () => 0

/** Makes equal names distinct: the option that waits longest keeps its name, the next is `#2`. */
export const distinctNames = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const occurrence = (seen.get(name) ?? 0) + 1
    seen.set(name, occurrence)
    return occurrence === 1 ? name : `${name}#${occurrence}`
  })
}
