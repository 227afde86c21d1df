/**
 * Locks inside one process, first come first served: a reader waits behind a writer that asked earlier, so neither
 * starves. A transaction waits here before it takes a connection, so one hot project cannot exhaust the pool.
 */
import { Effect, type Fiber } from "effect"
import type { LockKey } from "../storage.ts"

export class LockQueue {
  readonly #queues = new Map<string, Queue>()
  readonly #measure: MeasureWait

  /** `measure` wraps each wait of `hold` and `take`. */
  constructor(measure: MeasureWait = (_, wait) => wait) {
    this.#measure = measure
  }

  /** Holds the locks, taken in the order given, while `use` runs. */
  hold<A, E, R>(locks: ReadonlyArray<LockKey>, use: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    if (locks.length === 0) return use
    return Effect.suspend(() => {
      const places: Array<LockRequest> = []
      const takeAll = Effect.forEach(locks, (lockKey) => this.take(lockKey, places), { discard: true })
      return Effect.onExit(Effect.andThen(takeAll, use), () => this.release(places))
    })
  }

  /** Takes one lock and adds it to `places`, which must be released on every exit, also when this wait is interrupted. */
  take(lockKey: LockKey, places: Array<LockRequest>): Effect.Effect<void> {
    return Effect.suspend(() => {
      const place = this.enqueue(lockKey)
      places.push(place)
      return place.granted ? Effect.void : this.#measure(lockKey, awaitGrant(place))
    })
  }

  /** Queues a request; it is granted at once where no other is ahead. */
  enqueue(lockKey: LockKey): LockRequest {
    const key = `${lockKey.kind} ${lockKey.id}`
    const queue = this.#queues.get(key) ?? { shared: 0, exclusive: 0, waiting: [] }
    this.#queues.set(key, queue)
    const place: LockRequest = { key, mode: lockKey.mode, granted: false, resume: () => {} }
    queue.waiting.push(place)
    grantNext(queue)
    return place
  }

  /** Releases requests, granted or still waiting, and grants the next ones. */
  release(places: Array<LockRequest>): Effect.Effect<void> {
    return Effect.withFiber((fiber: Fiber.Fiber<unknown, unknown>) => {
      const grantedNext = places.splice(0).flatMap((place) => this.#remove(place))
      // Resuming runs the other fiber at once; through the dispatcher a long queue does not become a deep stack.
      for (const next of grantedNext) fiber.currentDispatcher.scheduleTask(() => next.resume(), 0)
      return Effect.void
    })
  }

  #remove(place: LockRequest): ReadonlyArray<LockRequest> {
    const queue = this.#queues.get(place.key)!
    if (place.granted) queue[place.mode] -= 1
    else queue.waiting.splice(queue.waiting.indexOf(place), 1)
    const grantedNext = grantNext(queue)
    if (queue.shared === 0 && queue.exclusive === 0 && queue.waiting.length === 0) this.#queues.delete(place.key)
    return grantedNext
  }
}

type MeasureWait = (lockKey: LockKey, wait: Effect.Effect<void>) => Effect.Effect<void>

export interface LockRequest {
  readonly key: string
  readonly mode: LockKey["mode"]
  granted: boolean
  resume: () => void
}

/** Waits until a request is granted. */
export const awaitGrant = (place: LockRequest): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    place.resume = () => resume(Effect.void)
    if (place.granted) place.resume()
  })

interface Queue {
  shared: number
  exclusive: number
  readonly waiting: Array<LockRequest>
}

const grantNext = (queue: Queue): ReadonlyArray<LockRequest> => {
  const grantedNext: Array<LockRequest> = []
  while (queue.waiting.length > 0) {
    const next = queue.waiting[0]!
    if (queue.exclusive > 0 || (next.mode === "exclusive" && queue.shared > 0)) break
    queue.waiting.shift()
    queue[next.mode] += 1
    next.granted = true
    grantedNext.push(next)
  }
  return grantedNext
}
