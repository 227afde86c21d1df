/**
 * What decides between things that could happen next. Every option has a name that says who waits for what
 * (`scout:transaction`), so that a saved schedule survives a refactoring that adds options elsewhere.
 */
import type { Line } from "./line.ts"

/** Picks one of at least two options by its index. `offers` tells more of each, where something that waits is picked. */
export type Choose = (options: ReadonlyArray<string>, offers?: ReadonlyArray<Offer>) => number

/** Something that could happen next. */
export interface Offer {
  readonly name: string
  /** Whose history goes on with it. */
  readonly line?: Line | undefined
  /** Which of the waits of that history it ends. */
  readonly wait?: number | undefined
  /** The moment at which it was to happen, where it waited for one. */
  readonly at?: number
}

/** What came first goes first. */
export const inOrder: Choose = () => 0

/** Tells options of one choice apart that are called alike: the one that waits longest keeps the name, the next is `#2`. */
export const namesOf = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Map<string, number>()
  return names.map((name) => {
    const occurrence = (seen.get(name) ?? 0) + 1
    seen.set(name, occurrence)
    return occurrence === 1 ? name : `${name}#${occurrence}`
  })
}
