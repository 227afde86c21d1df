/** The ids of the webhook events that an agent has reported, also in earlier runs, so that a duplicate is recognized. */
import type { Store } from "./store.ts"

const idsMax = 10_000
const name = "webhook-events"

/** One line for each id, appended as it is reported. A start leaves the newest 10,000, as does every further 10,000. */
export class EventIds {
  readonly #store: Store
  /** Undefined until they are read. */
  #known: Set<string> | undefined
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

  /** Saves an id; false if it was known. One at a time, so that of two duplicates one is new. */
  add(id: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const known = await this.#read()
      if (known.has(id)) return false
      // After a failure the text may end with a part of a line, which the next reading removes.
      this.#known = undefined
      await this.#store.append(name, id)
      this.#known = known.size + 1 < 2 * idsMax ? known.add(id) : undefined
      return true
    })
  }

  async #read(): Promise<Set<string>> {
    if (this.#known !== undefined) return this.#known
    // A crash can leave a part of a line at the end.
    const lines = ((await this.#store.read(name)) ?? "").split("\n").slice(0, -1).slice(-idsMax)
    await this.#store.write(name, lines.map((line) => `${line}\n`).join(""))
    return (this.#known = new Set(lines))
  }

  #inTurn<A>(run: () => Promise<A>): Promise<A> {
    const turn = this.#last.then(run)
    this.#last = turn.catch(() => undefined)
    return turn
  }
}

const idsOfStores = new WeakMap<Store, EventIds>()
