/** Pauses: each belongs to one side, and agents run only while neither side holds one. */
import type { Role } from "../access/actions.ts"

export interface Pause {
  readonly side: Role
  /** The person, or the agent of a hand-off. */
  readonly by: string
  readonly at: string
  readonly reason: string
}

/** The pauses after a side added one; undefined if it already holds one. */
export const withPause = (pauses: ReadonlyArray<Pause>, added: Pause): ReadonlyArray<Pause> | undefined =>
  pauses.some(({ side }) => side === added.side) ? undefined : [...pauses, added]

/** The pauses after a side lifted its own; undefined if it holds none. */
export const withoutPause = (pauses: ReadonlyArray<Pause>, lifting: Role): ReadonlyArray<Pause> | undefined =>
  pauses.some(({ side }) => side === lifting) ? pauses.filter(({ side }) => side !== lifting) : undefined

/** The wire format of the automation. */
export const viewAutomation = (revision: number, pauses: ReadonlyArray<Pause>) => ({
  revision,
  paused: pauses.length > 0,
  pausedBy: pauses
})
