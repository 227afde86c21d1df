/**
 * Bounds the number of concurrent transactions and the wait of each. A free turn goes to the waiting requester with the
 * fewest turns, among equals to the first to wait. With a share, a requester has at most that many turns while another one
 * has asked within the last second: many transactions of one would slow down those of all.
 */
import { Clock, Effect, Option, type Duration, type Fiber } from "effect"
import { limits } from "../../vocabulary/limits.ts"
import { Requester, theService } from "./requester.ts"

export class BoundedConcurrency {
  #free: number
  readonly #waitMax: Duration.Duration
  readonly #share: number
  readonly #waiting: Array<QueuedTask> = []
  /** The turns of each requester that has any. */
  readonly #taken = new Map<string, number>()
  /** The urgent turn of each requester that has one. */
  readonly #urgent = new Map<string, QueuedTask>()
  /** The two requesters that asked last, the latest first. */
  #latest: ReadonlyArray<{ readonly key: string; readonly at: number }> = []

  constructor(atOnce: number, waitMax: Duration.Duration, share = atOnce) {
    this.#free = atOnce
    this.#waitMax = waitMax
    this.#share = share
  }

  /** Runs `work` when it is its turn, or returns `tooLate` where the wait is too long. */
  run<A, R>(work: Effect.Effect<A, never, R>, tooLate: A, isUrgent = false): Effect.Effect<A, never, R> {
    return Effect.flatMap(Requester, (requester) => {
      const turn: QueuedTask = {
        key: requester.key,
        isUrgent: isUrgent || requester.isUrgent,
        granted: false,
        resume: undefined
      }
      return Effect.onExit(
        Effect.flatMap(this.#wait(turn), () => (turn.granted ? work : Effect.succeed(tooLate))),
        () => this.#leave(turn)
      )
    })
  }

  #wait(turn: QueuedTask): Effect.Effect<void> {
    const queued = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      this.#latest = [{ key: turn.key, at: now }, ...this.#latest.filter(({ key }) => key !== turn.key)].slice(0, 2)
      this.#waiting.push(turn)
      return this.#grantFree(now)
    })
    const granted = Effect.suspend(() => {
      if (turn.granted) return Effect.void
      const wakeUp = Effect.callback<void>((resume) => {
        turn.resume = () => resume(Effect.void)
        if (turn.granted) turn.resume()
      })
      return Effect.map(Effect.timeoutOption(wakeUp, this.#waitMax), Option.getOrUndefined)
    })
    return Effect.andThen(queued, granted)
  }

  #leave(turn: QueuedTask): Effect.Effect<void> {
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (!turn.granted) {
        const at = this.#waiting.indexOf(turn)
        if (at >= 0) this.#waiting.splice(at, 1)
        return Effect.void
      }
      const remaining = this.#takenBy(turn) - 1
      if (remaining === 0) this.#taken.delete(turn.key)
      else this.#taken.set(turn.key, remaining)
      this.#free += 1
      if (this.#urgent.get(turn.key) === turn) this.#urgent.delete(turn.key)
      return this.#grantFree(now)
    })
  }

  /** Grants free turns and resumes their tasks, which may have waited for the end of a share. */
  #grantFree(now: number): Effect.Effect<void> {
    return Effect.withFiber((fiber: Fiber.Fiber<unknown, unknown>) => {
      while (this.#free > 0) {
        const next = this.#next(now)
        if (next === undefined) break
        this.#waiting.splice(this.#waiting.indexOf(next), 1)
        this.#free -= 1
        this.#taken.set(next.key, this.#takenBy(next) + 1)
        next.granted = true
        if (next.isUrgent && !this.#urgent.has(next.key)) this.#urgent.set(next.key, next)
        const { resume } = next
        if (resume !== undefined) fiber.currentDispatcher.scheduleTask(resume, 0)
      }
      return Effect.void
    })
  }

  /**
   * The first urgent task of a requester without an urgent turn, so that many of one are no queue for those of others; else
   * the first task of the requester with the fewest turns, unless these are its share.
   */
  #next(now: number): QueuedTask | undefined {
    let next: QueuedTask | undefined
    for (const task of this.#waiting) {
      if (task.isUrgent && !this.#urgent.has(task.key)) return task
      if (next === undefined || this.#takenBy(task) < this.#takenBy(next)) next = task
    }
    if (next === undefined || this.#takenBy(next) < this.#share || !this.#isShared(next, now)) return next
    return undefined
  }

  #takenBy({ key }: QueuedTask): number {
    return this.#taken.get(key) ?? 0
  }

  /**
   * Whether another requester has asked lately. The work of the service itself comes all the time and has limits of its own:
   * it limits no request, and has no share.
   */
  #isShared({ key }: QueuedTask, now: number): boolean {
    if (key === theService) return false
    return this.#latest.some(
      (other) => other.key !== key && other.key !== theService && now - other.at < limits.connectionsShared
    )
  }
}

interface QueuedTask {
  readonly key: string
  readonly isUrgent: boolean
  granted: boolean
  /** Undefined before it waits. */
  resume: (() => void) | undefined
}
