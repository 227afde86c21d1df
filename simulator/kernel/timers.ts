/** What waits for a moment of virtual time, in the order of those moments. */

import type { Owner } from "./actor.ts"

export interface Timer {
  readonly at: number
  readonly name: string
  /** Whose it is: it never fires once that is gone. */
  readonly owner: Owner
  readonly happen: () => void
  /** Breaks ties for the order of insertion; the driver offers equal moments as a choice. */
  readonly order: number
}

export class Timers {
  // Sorted with the earliest last, so that taking one costs nothing.
  readonly #waiting: Array<Timer> = []
  #inserted = 0

  insert(at: number, name: string, owner: Owner, happen: () => void): Timer {
    const timer = { at, name, owner, happen, order: this.#inserted++ }
    this.#waiting.splice(this.#position(timer), 0, timer)
    return timer
  }

  remove(timer: Timer): void {
    const position = this.#position(timer)
    if (this.#waiting[position] === timer) this.#waiting.splice(position, 1)
  }

  /** When the next timer is due. */
  get next(): number | undefined {
    for (let last = this.#waiting.at(-1); last?.owner.isGone === true; last = this.#waiting.at(-1)) this.#waiting.pop()
    return this.#waiting.at(-1)?.at
  }

  /** All timers due at or before a moment, earliest first. They stay until removed. */
  dueBy(moment: number): ReadonlyArray<Timer> {
    const due: Array<Timer> = []
    for (let index = this.#waiting.length - 1; index >= 0; index--) {
      const timer = this.#waiting[index]
      if (timer === undefined || timer.at > moment) break
      if (!timer.owner.isGone) due.push(timer)
    }
    return due
  }

  #position(timer: Timer): number {
    let low = 0
    let high = this.#waiting.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(timer, this.#waiting[middle])) low = middle + 1
      else high = middle
    }
    return low
  }
}

const isBefore = (timer: Timer, other: Timer | undefined): boolean =>
  other !== undefined && (timer.at < other.at || (timer.at === other.at && timer.order < other.order))
