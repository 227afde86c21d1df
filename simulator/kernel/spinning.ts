/** How a world ends that never comes to rest. */

/** Far more than any step needs at one moment: beyond it something asks again and again without waiting. */
export const spinMax = 1_000_000

/** Something never comes to rest: time could never move. */
export class Spinning extends Error {
  override readonly name = "Spinning"

  constructor(at: number, options: ReadonlyArray<string>) {
    super(
      `at ${at} something happens again and again without waiting; next would be ${options.join(", ") || "nothing"}`
    )
  }
}
