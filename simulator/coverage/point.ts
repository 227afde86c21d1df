/** A coverage point: one item that scenarios can cover, identified by section and name. */

export const sections = ["operations", "refusals", "moves", "attempts", "states", "events", "faults"] as const
export type Section = (typeof sections)[number]

export interface CoveragePoint {
  readonly section: Section
  readonly name: string
  /** A hint on how a scenario can cover it. */
  readonly how: string
}

/** The identity of a covered point, which may be unknown. */
export type CoveredPoint = Pick<CoveragePoint, "section" | "name">

export const coveredPoints = (section: Section, names: Iterable<string>): ReadonlyArray<CoveredPoint> =>
  [...names].map((name) => ({ section, name }))
