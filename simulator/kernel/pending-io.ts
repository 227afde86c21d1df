/**
 * Pending I/O: external calls, such as statements on a real database. A call that has returned stays here until the
 * scheduler resumes its fiber.
 */
import { Clock, Duration, Effect } from "effect"

export interface IoCall {
  readonly label: string
  resume: (() => void) | undefined
}

/** Marks a part of an external call that runs in the simulator: the body of a transaction. */
export type RunInside = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

export class PendingIo {
  // Insertion order is the order of the calls.
  readonly #open = new Set<IoCall>()
  readonly #wake: () => void

  constructor(wake: () => void) {
    this.#wake = wake
  }

  /** Runs an external call. */
  readonly external = <A, E, R>(
    label: string,
    call: (inside: RunInside) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Effect.service(Clock.Clock), (clock) => {
        let operation = this.#begin(label)
        const inside: RunInside = (effect) =>
          Effect.uninterruptibleMask((restoreInside) =>
            this.#end(() => operation).pipe(
              Effect.andThen(Effect.exit(restoreInside(Effect.provideService(effect, Clock.Clock, clock)))),
              Effect.tap(Effect.sync(() => (operation = this.#begin(label)))),
              Effect.flatten
            )
          )
        const outside = Effect.provideService(call(inside), Clock.Clock, sleepingInRealTime(clock))
        return Effect.exit(restore(outside)).pipe(Effect.tap(this.#end(() => operation)), Effect.flatten)
      })
    )

  /** The number of calls that have not returned. */
  get pendingCount(): number {
    let count = 0
    for (const operation of this.#open) if (operation.resume === undefined) count++
    return count
  }

  /** Resumes the returned call that started first. */
  releaseOne(): boolean {
    for (const operation of this.#open) {
      if (operation.resume === undefined) continue
      this.#open.delete(operation)
      operation.resume()
      return true
    }
    return false
  }

  get labels(): ReadonlyArray<string> {
    return [...this.#open].map((operation) => operation.label)
  }

  #begin(label: string): IoCall {
    const operation: IoCall = { label, resume: undefined }
    this.#open.add(operation)
    return operation
  }

  #end(operation: () => IoCall): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      operation().resume = () => resume(Effect.void)
      this.#wake()
    })
  }
}

/** External calls read virtual time and sleep in real time, while virtual time is frozen. */
const sleepingInRealTime = (clock: Clock.Clock): Clock.Clock => ({
  ...clock,
  sleep: (duration) =>
    Effect.callback<void>((resume) => {
      const timer = setTimeout(() => resume(Effect.void), Duration.toMillis(duration))
      return Effect.sync(() => clearTimeout(timer))
    })
})
