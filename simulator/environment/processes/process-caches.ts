/** The caches of the processes of a world: each process starts with empty ones, and loses them when it ends. */
import { InstanceCaches } from "../../../src/ports/caches.ts"
import type { Process } from "./process.ts"

/** A value in a cache, with the names of its process and its cache. */
export type CachedValue = readonly [process: string, cache: string, key: string, value: object]

export class ProcessCaches {
  readonly #caches = new Map<Process, InstanceCaches>()

  startEmpty(process: Process): InstanceCaches {
    const caches = new InstanceCaches()
    this.#caches.set(process, caches)
    return caches
  }

  /** What the caches of the running processes hold: it is part of the state of the world. */
  get values(): ReadonlyArray<CachedValue> {
    return [...this.#caches].flatMap(([process, { entries }]) =>
      process.hasEnded ? [] : entries.map((entry): CachedValue => [process.name, ...entry])
    )
  }
}
