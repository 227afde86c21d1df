/**
 * Locks inside one process, first come first served: a reader waits behind a writer that asked earlier, so neither
 * starves. A transaction waits here before it takes a connection, so one hot project cannot exhaust the pool.
 */
import { Effect, type Fiber } from "effect"
import type { Root } from "./storage.ts"

export class RootQueue {
  readonly #queues = new Map<string, Queue>()

  /** Holds the locks, taken in the order given, while `use` runs. An urgent request is queued ahead of all others. */
  hold<A, E, R>(roots: ReadonlyArray<Root>, use: Effect.Effect<A, E, R>, isUrgent = false): Effect.Effect<A, E, R> {
    if (roots.length === 0) return use
    return Effect.suspend(() => {
      const places: Array<Place> = []
      const takeAll = Effect.forEach(roots, (root) => this.take(root, places, isUrgent), { discard: true })
      return Effect.onExit(Effect.andThen(takeAll, use), () => this.leave(places))
    })
  }

  /** Takes one lock and adds it to `places`, which must be released on every exit, also when this wait is interrupted. */
  take(root: Root, places: Array<Place>, isUrgent = false): Effect.Effect<void> {
    return Effect.suspend(() => {
      const place = this.stand(root, isUrgent)
      places.push(place)
      return place.granted ? Effect.void : granted(place)
    })
  }

  /** Queues a request; it is granted at once where no other is ahead. */
  stand(root: Root, isUrgent = false): Place {
    const key = `${root.kind} ${root.id}`
    const queue = this.#queues.get(key) ?? { shared: 0, exclusive: 0, waiting: [] }
    this.#queues.set(key, queue)
    const place: Place = { key, mode: root.mode, isUrgent, granted: false, resume: () => {} }
    queue.waiting.splice(placeInLine(queue.waiting, isUrgent), 0, place)
    grantNext(queue)
    return place
  }

  /** Releases requests, granted or still waiting, and grants the next ones. */
  leave(places: Array<Place>): Effect.Effect<void> {
    return Effect.withFiber((fiber: Fiber.Fiber<unknown, unknown>) => {
      const grantedNext = places.splice(0).flatMap((place) => this.#remove(place))
      // Resuming runs the other fiber at once; through the dispatcher a long queue does not become a deep stack.
      for (const next of grantedNext) fiber.currentDispatcher.scheduleTask(() => next.resume(), 0)
      return Effect.void
    })
  }

  #remove(place: Place): ReadonlyArray<Place> {
    const queue = this.#queues.get(place.key)!
    if (place.granted) queue[place.mode] -= 1
    else queue.waiting.splice(queue.waiting.indexOf(place), 1)
    const grantedNext = grantNext(queue)
    if (queue.shared === 0 && queue.exclusive === 0 && queue.waiting.length === 0) this.#queues.delete(place.key)
    return grantedNext
  }
}

export interface Place {
  readonly key: string
  readonly mode: Root["mode"]
  readonly isUrgent: boolean
  granted: boolean
  resume: () => void
}

/** Waits until a request is granted. */
export const granted = (place: Place): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    place.resume = () => resume(Effect.void)
    if (place.granted) place.resume()
  })

interface Queue {
  shared: number
  exclusive: number
  readonly waiting: Array<Place>
}

/** Behind all others; an urgent request goes behind the urgent ones only. */
export const placeInLine = (waiting: ReadonlyArray<{ readonly isUrgent: boolean }>, isUrgent: boolean): number => {
  const ahead = isUrgent ? waiting.findIndex((place) => !place.isUrgent) : -1
  return ahead < 0 ? waiting.length : ahead
}

const grantNext = (queue: Queue): ReadonlyArray<Place> => {
  const grantedNext: Array<Place> = []
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
