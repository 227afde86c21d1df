/** What somebody who waits has to pass. */

/** Lets one through at a time. */
export interface Gate {
  readonly isOpen: boolean
  /** Called as somebody goes through. */
  enter(): void
}

export const alwaysOpen: Gate = { isOpen: true, enter: () => {} }
