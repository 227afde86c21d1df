/** Where a run could go on in several ways, as strategies see it. */
import type { Offer } from "../kernel/choice.ts"

export interface Point {
  /** Who goes first of those who could, or whether something goes wrong now. */
  readonly kind: "order" | "mishap"
  readonly options: ReadonlyArray<string>
  /** What waits, in the order of the options, where one of them is picked. */
  readonly offers: ReadonlyArray<Offer>
  /** What happened since the last choice of an order. */
  readonly since: Since
  /** A digest of everything that what follows depends on, and how it is judged. */
  readonly world: () => string
}

export interface Since {
  readonly reads: ReadonlySet<string>
  readonly writes: ReadonlySet<string>
  /** True where anybody could see anything of it. */
  readonly isVisible: boolean
}

/** Picks an option by its index, or ends the run here: what follows is known, or not wanted. */
export type Decide = (point: Point) => number | "CUT"
