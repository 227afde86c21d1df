/**
 * Bounds the number of concurrent transactions and the wait of each. Whoever waits gets the next turn before a requester
 * that has more turns already, so that none keeps others waiting with many requests; among equals the first to come.
 */
import { Effect, Option, type Duration, type Fiber } from "effect"
import { Requester } from "./requester.ts"

export class BoundedConcurrency {
  #free: number
  readonly #waitMax: Duration.Duration
  readonly #waiting: Array<QueuedTask> = []
  /** The turns of each requester that has any. */
  readonly #taken = new Map<string, number>()

  constructor(atOnce: number, waitMax: Duration.Duration) {
    this.#free = atOnce
    this.#waitMax = waitMax
  }

  /** Runs `work` when it is its turn, or returns `tooLate` where the wait is too long. */
  run<A, R>(work: Effect.Effect<A, never, R>, tooLate: A, isUrgent = false): Effect.Effect<A, never, R> {
    return Effect.flatMap(Requester, (requester) => {
      const turn: QueuedTask = {
        key: requester.key,
        isUrgent: isUrgent || requester.isUrgent,
        granted: false,
        resume: () => {}
      }
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
        this.#grant(turn)
        return Effect.void
      }
      this.#waiting.push(turn)
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
      this.#return(turn)
      const next = this.#takeNext()
      if (next === undefined) this.#free += 1
      else {
        this.#grant(next)
        fiber.currentDispatcher.scheduleTask(() => next.resume(), 0)
      }
      return Effect.void
    })
  }

  #grant(turn: QueuedTask): void {
    turn.granted = true
    this.#taken.set(turn.key, this.#takenBy(turn) + 1)
  }

  #return(turn: QueuedTask): void {
    const remaining = this.#takenBy(turn) - 1
    if (remaining === 0) this.#taken.delete(turn.key)
    else this.#taken.set(turn.key, remaining)
  }

  #takenBy({ key }: QueuedTask): number {
    return this.#taken.get(key) ?? 0
  }

  /** The first urgent task, else the first of the requester with the fewest turns. */
  #takeNext(): QueuedTask | undefined {
    let next = 0
    for (let at = 0; at < this.#waiting.length; at++) {
      const task = this.#waiting[at]!
      if (task.isUrgent) {
        next = at
        break
      }
      if (this.#takenBy(task) < this.#takenBy(this.#waiting[next]!)) next = at
    }
    return this.#waiting.splice(next, 1)[0]
  }
}

interface QueuedTask {
  readonly key: string
  readonly isUrgent: boolean
  granted: boolean
  resume: () => void
}
