/** Bounds the number of concurrent transactions, first come first served, and the wait of each. */
import { Effect, Option, type Duration, type Fiber } from "effect"
import { queuePosition } from "./lock-queue.ts"

export class BoundedConcurrency {
  #free: number
  readonly #waitMax: Duration.Duration
  readonly #waiting: Array<QueuedTask> = []

  constructor(atOnce: number, waitMax: Duration.Duration) {
    this.#free = atOnce
    this.#waitMax = waitMax
  }

  /** Runs `work` when it is its turn, or returns `tooLate` where the wait is too long. */
  run<A, R>(work: Effect.Effect<A, never, R>, tooLate: A, isUrgent = false): Effect.Effect<A, never, R> {
    return Effect.suspend(() => {
      const turn: QueuedTask = { isUrgent, granted: false, resume: () => {} }
      return Effect.onExit(
        Effect.flatMap(this.#wait(turn), () => (turn.granted ? work : Effect.succeed(tooLate))),
        () => this.#leave(turn)
      )
    })
  }

  #wait(turn: QueuedTask): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.#free > 0) {
        this.#free -= 1
        turn.granted = true
        return Effect.void
      }
      this.#waiting.splice(queuePosition(this.#waiting, turn.isUrgent), 0, turn)
      const wakeUp = Effect.callback<void>((resume) => {
        turn.resume = () => resume(Effect.void)
        if (turn.granted) turn.resume()
      })
      return Effect.map(Effect.timeoutOption(wakeUp, this.#waitMax), Option.getOrUndefined)
    })
  }

  #leave(turn: QueuedTask): Effect.Effect<void> {
    return Effect.withFiber((fiber: Fiber.Fiber<unknown, unknown>) => {
      if (!turn.granted) {
        const at = this.#waiting.indexOf(turn)
        if (at >= 0) this.#waiting.splice(at, 1)
        return Effect.void
      }
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else {
        next.granted = true
        fiber.currentDispatcher.scheduleTask(() => next.resume(), 0)
      }
      return Effect.void
    })
  }
}

interface QueuedTask {
  readonly isUrgent: boolean
  granted: boolean
  resume: () => void
}
