/** The ids of the webhook events that an agent has reported, also in earlier runs, so that a duplicate is recognized. */
import type { Store } from "./store.ts"

/** A text that is written as a whole has this many ids at most. */
const idsKept = 10_000
const name = "webhook-events"

/**
 * One line for each id, appended as it is reported. The text is written as a whole, with the newest 10,000 ids, before the
 * first line that a run appends, after an append that failed, and when it has 20,000.
 */
export class EventIds {
  readonly #store: Store
  /** Undefined until they are read. */
  #known: Set<string> | undefined
  /** True where the text may have a part of a line, a line that is not known, or too many. */
  #isTextOutdated = true
  #last: Promise<unknown> = Promise.resolve()

  private constructor(store: Store) {
    this.#store = store
  }

  /** Those of a store: the same for every client that uses it. */
  static of(store: Store): EventIds {
    const ids = idsOfStores.get(store) ?? new EventIds(store)
    idsOfStores.set(store, ids)
    return ids
  }

  has(id: string): Promise<boolean> {
    return this.#inTurn(async () => (await this.#read()).has(id))
  }

  /** Saves an id; false if it was known. One at a time, so that of two duplicates one is new. After a failure it is not known. */
  add(id: string): Promise<boolean> {
    return this.#inTurn(async () => {
      if ((await this.#read()).has(id)) return false
      const known = await this.#writeOutdated()
      this.#isTextOutdated = true
      await this.#store.append(name, id)
      known.add(id)
      this.#isTextOutdated = known.size >= 2 * idsKept
      return true
    })
  }

  async #read(): Promise<Set<string>> {
    // A crash can leave a part of a line at the end.
    return (this.#known ??= newestOf(((await this.#store.read(name)) ?? "").split("\n").slice(0, -1)))
  }

  async #writeOutdated(): Promise<Set<string>> {
    const known = await this.#read()
    if (!this.#isTextOutdated) return known
    this.#known = newestOf([...known])
    await this.#store.write(name, [...this.#known].map((id) => `${id}\n`).join(""))
    return this.#known
  }

  #inTurn<A>(run: () => Promise<A>): Promise<A> {
    const turn = this.#last.then(run)
    this.#last = turn.catch(() => undefined)
    return turn
  }
}

const newestOf = (ids: ReadonlyArray<string>): Set<string> => new Set(ids.slice(-idsKept))

const idsOfStores = new WeakMap<Store, EventIds>()
