/** Livelock detection. */

/** Far more events than a step needs at one virtual time. */
export const livelockThreshold = 1_000_000

/** The world never becomes quiescent, so time can never advance. */
export class Livelock extends Error {
  override readonly name = "Livelock"

  constructor(at: number, options: ReadonlyArray<string>) {
    super(
      `livelock at ${at}: more than ${livelockThreshold} events at one virtual time; the next would be ${options.join(", ") || "none"}`
    )
  }
}
