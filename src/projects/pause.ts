/** Pauses: each belongs to the side that made it, and agents run only while neither side holds one. */
import type { Role } from "../access/actions.ts"

export interface Pause {
  readonly side: Role
  /** The person, or the agent that handed over. */
  readonly by: string
  readonly at: string
  readonly reason: string
}

/** The pauses after one side made another; undefined where it holds one already. */
export const withPause = (pauses: ReadonlyArray<Pause>, made: Pause): ReadonlyArray<Pause> | undefined =>
  pauses.some(({ side }) => side === made.side) ? undefined : [...pauses, made]

/** The pauses after one side lifted its own; undefined where it holds none. */
export const withoutPause = (pauses: ReadonlyArray<Pause>, lifting: Role): ReadonlyArray<Pause> | undefined =>
  pauses.some(({ side }) => side === lifting) ? pauses.filter(({ side }) => side !== lifting) : undefined

/** Automation as the wire shows it. */
export const viewAutomation = (revision: number, pauses: ReadonlyArray<Pause>) => ({
  revision,
  paused: pauses.length > 0,
  pausedBy: pauses
})
