/**
 * Calls that left the simulator and have not come back: a statement on a real database. Counted, never guessed.
 * A call that has come back waits here too, until the driver lets its fiber go on.
 */
import { Clock, Duration, Effect } from "effect"

export interface Flight {
  readonly label: string
  returned: (() => void) | undefined
}

/** Marks the part of an external call that runs inside again: the body of a transaction. */
export type Inside = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

export class Flights {
  // Insertion order is the order of departure.
  readonly #open = new Set<Flight>()
  readonly #wake: () => void

  constructor(wake: () => void) {
    this.#wake = wake
  }

  /** Runs an effect whose answer comes from outside. */
  readonly external = <A, E, R>(
    label: string,
    call: (inside: Inside) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Effect.service(Clock.Clock), (clock) => {
        let flight = this.#depart(label)
        const inside: Inside = (effect) =>
          Effect.uninterruptibleMask((restoreInside) =>
            this.#land(() => flight).pipe(
              Effect.andThen(Effect.exit(restoreInside(Effect.provideService(effect, Clock.Clock, clock)))),
              Effect.tap(Effect.sync(() => (flight = this.#depart(label)))),
              Effect.flatten
            )
          )
        const outside = Effect.provideService(call(inside), Clock.Clock, waitingForReal(clock))
        return Effect.exit(restore(outside)).pipe(Effect.tap(this.#land(() => flight)), Effect.flatten)
      })
    )

  /** How many calls are out and have not come back. */
  get outside(): number {
    let count = 0
    for (const flight of this.#open) if (flight.returned === undefined) count++
    return count
  }

  /** Lets one call that is back go on: the one that left first, however fast the others were. */
  releaseOne(): boolean {
    for (const flight of this.#open) {
      if (flight.returned === undefined) continue
      this.#open.delete(flight)
      flight.returned()
      return true
    }
    return false
  }

  get labels(): ReadonlyArray<string> {
    return [...this.#open].map((flight) => flight.label)
  }

  #depart(label: string): Flight {
    const flight: Flight = { label, returned: undefined }
    this.#open.add(flight)
    return flight
  }

  #land(flight: () => Flight): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      flight().returned = () => resume(Effect.void)
      this.#wake()
    })
  }
}

/** What is outside tells virtual time, and waits in real time: virtual time stands still until it is back. */
const waitingForReal = (clock: Clock.Clock): Clock.Clock => ({
  ...clock,
  sleep: (duration) =>
    Effect.callback<void>((resume) => {
      const timer = setTimeout(() => resume(Effect.void), Duration.toMillis(duration))
      return Effect.sync(() => clearTimeout(timer))
    })
})
