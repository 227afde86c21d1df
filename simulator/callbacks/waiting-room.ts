/** Those who wait until somebody lets all of them go on. */
import { Effect } from "effect"
import { InLine } from "../kernel/line.ts"

export class WaitingRoom {
  readonly #waiting = new Set<() => void>()

  readonly wait: Effect.Effect<void> = Effect.andThen(
    Effect.callback<void>((resume) => {
      const goOn = () => resume(Effect.void)
      this.#waiting.add(goOn)
      return Effect.sync(() => void this.#waiting.delete(goOn))
    }),
    Effect.map(Effect.service(InLine), (line) => line?.tell("LET GO"))
  )

  /** How many went on. */
  empty(): number {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const goOn of waiting) goOn()
    return waiting.length
  }
}
