/**
 * Locks on roots inside one process, first come first served: a reader waits behind a writer that asked earlier, so
 * neither starves. A transaction stands here before it takes a connection; one hot project cannot hold the pool.
 */
import { Effect, type Fiber } from "effect"
import type { Root } from "./storage.ts"

export class RootQueue {
  readonly #lines = new Map<string, Line>()

  /** Holds the roots, taken in the order given, while `use` runs. What is urgent goes ahead of all that wait. */
  hold<A, E, R>(roots: ReadonlyArray<Root>, use: Effect.Effect<A, E, R>, isUrgent = false): Effect.Effect<A, E, R> {
    if (roots.length === 0) return use
    return Effect.suspend(() => {
      const places: Array<Place> = []
      const takeAll = Effect.forEach(roots, (root) => this.take(root, places, isUrgent), { discard: true })
      return Effect.onExit(Effect.andThen(takeAll, use), () => this.leave(places))
    })
  }

  /** Takes one root and adds it to `places`, which must be left on every exit, also where this wait is interrupted. */
  take(root: Root, places: Array<Place>, isUrgent = false): Effect.Effect<void> {
    return Effect.suspend(() => {
      const place = this.stand(root, isUrgent)
      places.push(place)
      return place.granted ? Effect.void : granted(place)
    })
  }

  /** Joins the line for a root; where nobody is before us it is granted at once. */
  stand(root: Root, isUrgent = false): Place {
    const key = `${root.kind} ${root.id}`
    const line = this.#lines.get(key) ?? { shared: 0, exclusive: 0, waiting: [] }
    this.#lines.set(key, line)
    const place: Place = { key, mode: root.mode, isUrgent, granted: false, resume: () => {} }
    line.waiting.splice(placeInLine(line.waiting, isUrgent), 0, place)
    admit(line)
    return place
  }

  /** Gives up places, held or still waited for, and lets the next in line go on. */
  leave(places: Array<Place>): Effect.Effect<void> {
    return Effect.withFiber((fiber: Fiber.Fiber<unknown, unknown>) => {
      const admitted = places.splice(0).flatMap((place) => this.#remove(place))
      // Resuming runs the other fiber at once; from the dispatcher a long line does not become a deep stack.
      for (const next of admitted) fiber.currentDispatcher.scheduleTask(() => next.resume(), 0)
      return Effect.void
    })
  }

  #remove(place: Place): ReadonlyArray<Place> {
    const line = this.#lines.get(place.key)!
    if (place.granted) line[place.mode] -= 1
    else line.waiting.splice(line.waiting.indexOf(place), 1)
    const admitted = admit(line)
    if (line.shared === 0 && line.exclusive === 0 && line.waiting.length === 0) this.#lines.delete(place.key)
    return admitted
  }
}

export interface Place {
  readonly key: string
  readonly mode: Root["mode"]
  readonly isUrgent: boolean
  granted: boolean
  resume: () => void
}

/** Waits until a place comes to the front of its line. */
export const granted = (place: Place): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    place.resume = () => resume(Effect.void)
    if (place.granted) place.resume()
  })

interface Line {
  shared: number
  exclusive: number
  readonly waiting: Array<Place>
}

/** Behind everyone, or, where it is urgent, behind those that are urgent too. */
export const placeInLine = (waiting: ReadonlyArray<{ readonly isUrgent: boolean }>, isUrgent: boolean): number => {
  const ahead = isUrgent ? waiting.findIndex((place) => !place.isUrgent) : -1
  return ahead < 0 ? waiting.length : ahead
}

const admit = (line: Line): ReadonlyArray<Place> => {
  const admitted: Array<Place> = []
  while (line.waiting.length > 0) {
    const next = line.waiting[0]!
    if (line.exclusive > 0 || (next.mode === "exclusive" && line.shared > 0)) break
    line.waiting.shift()
    line[next.mode] += 1
    next.granted = true
    admitted.push(next)
  }
  return admitted
}
