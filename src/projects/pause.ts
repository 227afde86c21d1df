/** Pauses: each belongs to one side, and agents run only while neither side holds one. */
import type { Role } from "../access/actions.ts"
import type { Instant } from "../vocabulary/instant.ts"

export interface Pause {
  readonly side: Role
  /** The person, or the agent of a hand-off. */
  readonly by: string
  readonly at: string
  readonly reason: string
}

/** A pause, or a resume, as the automation log has it. */
export interface AutomationChange extends Pause {
  readonly paused: boolean
  readonly at: Instant
}

/** The pauses after a side paused or resumed; undefined if it already holds a pause, or holds none. */
export const changedPauses = (
  pauses: ReadonlyArray<Pause>,
  { paused, side, by, at, reason }: AutomationChange
): ReadonlyArray<Pause> | undefined => {
  const others = pauses.filter((pause) => pause.side !== side)
  const isHeld = others.length < pauses.length
  if (paused === isHeld) return undefined
  return paused ? [...pauses, { side, by, at, reason }] : others
}

/** The wire format of the automation. */
export const viewAutomation = (revision: number, pauses: ReadonlyArray<Pause>) => ({
  revision,
  paused: pauses.length > 0,
  pausedBy: pauses
})
