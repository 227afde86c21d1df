/**
 * The caches of an instance of the service: values of the store that are true forever, or that name the version they belong
 * to. A cache is bounded, and empty after a start. No answer depends on what it holds, with one exception: a project whose
 * cached history the store has lost is refused (`projects/history.ts`).
 */
import { Context, Layer } from "effect"
import { LRUCache } from "lru-cache"

/** The declaration of one cache. */
export interface CacheDeclaration<out V extends object> {
  readonly name: string
  /** The sum of the sizes of its values, in bytes; the least recently used value is dropped first. */
  readonly maxBytes: number
  readonly Value?: V
}

export const cache = <V extends object>(name: string, maxBytes: number): CacheDeclaration<V> => ({ name, maxBytes })

export interface Cache<V extends object> {
  get(key: string): V | undefined
  /** `bytes` is the approximate size of the value. */
  set(key: string, value: V, bytes: number): void
  delete(key: string): void
}

export class Caches extends Context.Service<
  Caches,
  { of<V extends object>(declared: CacheDeclaration<V>): Cache<V> }
>()("countersign/ports/Caches") {}

/** The caches of one instance. */
export class InstanceCaches {
  readonly #caches = new Map<string, LRUCache<string, object>>()

  of<V extends object>({ name, maxBytes }: CacheDeclaration<V>): Cache<V> {
    const found = this.#caches.get(name) ?? new LRUCache<string, object>({ maxSize: maxBytes })
    this.#caches.set(name, found)
    return {
      get: (key) => found.get(key) as V | undefined,
      set: (key, value, bytes) => void found.set(key, value, { size: Math.max(1, bytes) }),
      delete: (key) => void found.delete(key)
    }
  }

  /** Every value with the names of its cache and its key. */
  get entries(): ReadonlyArray<readonly [cache: string, key: string, value: object]> {
    return [...this.#caches].flatMap(([name, values]) =>
      [...values.entries()].map(([key, value]) => [name, key, value] as const)
    )
  }
}

export const instanceCaches = Layer.sync(Caches, () => new InstanceCaches())
