/** A barrier: fibers wait until all of them are released. */
import { Effect } from "effect"
import { CurrentHistory } from "../../kernel/fiber-history.ts"

export class Barrier {
  readonly #waiting = new Set<() => void>()

  readonly wait: Effect.Effect<void> = Effect.andThen(
    Effect.callback<void>((resume) => {
      const release = () => resume(Effect.void)
      this.#waiting.add(release)
      return Effect.sync(() => void this.#waiting.delete(release))
    }),
    Effect.map(Effect.service(CurrentHistory), (line) => line?.record("LET GO"))
  )

  /** Releases all waiting fibers and returns their number. */
  release(): number {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const release of waiting) release()
    return waiting.length
  }
}
