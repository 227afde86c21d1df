/** A condition for resuming a parked fiber. */

/** Admits one fiber at a time. */
export interface Gate {
  readonly isOpen: boolean
  /** Called when a fiber passes. */
  enter(): void
}

export const alwaysOpen: Gate = { isOpen: true, enter: () => {} }
