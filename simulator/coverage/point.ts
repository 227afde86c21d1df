/** A point: one thing that scenarios can touch. Every point has a section and a name, by which exceptions name it too. */

export const sections = ["operations", "refusals", "moves", "attempts", "states", "events", "faults"] as const
export type Section = (typeof sections)[number]

export interface Point {
  readonly section: Section
  readonly name: string
  /** How a scenario could touch it, for whoever writes one. */
  readonly how: string
}

/** A touch of a point, whether or not anybody knows that point. */
export type Touch = Pick<Point, "section" | "name">

export const touched = (section: Section, names: Iterable<string>): ReadonlyArray<Touch> =>
  [...names].map((name) => ({ section, name }))
