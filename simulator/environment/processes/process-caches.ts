/** The caches of the processes of a world: each process starts with empty ones, and loses them when it ends. */
import { type Caches, InstanceCaches } from "../../../src/ports/caches.ts"
import type { Process } from "./process.ts"

/** A value in a cache, with the names of its process and its cache. */
export type CachedValue = readonly [process: string, cache: string, key: string, value: object]

export class ProcessCaches {
  readonly #caches = new Map<Process, InstanceCaches>()

  startEmpty(process: Process): Caches["Service"] {
    this.#caches.set(process, new InstanceCaches())
    return { of: (declared) => this.#caches.get(process)!.of(declared) }
  }

  /** After rows were rolled back: a process must not take what it has seen of them for a loss. */
  empty(): void {
    for (const process of this.#caches.keys()) this.#caches.set(process, new InstanceCaches())
  }

  /** What the caches of the running processes hold: it is part of the state of the world. */
  get values(): ReadonlyArray<CachedValue> {
    return [...this.#caches].flatMap(([process, { entries }]) =>
      process.hasEnded ? [] : entries.map((entry): CachedValue => [process.name, ...entry])
    )
  }
}
