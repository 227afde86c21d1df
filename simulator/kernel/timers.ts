/** What waits for a moment of virtual time, in the order of those moments. */
import type { Owner } from "./actor.ts"
import type { Line } from "./line.ts"

export interface Wait {
  readonly at: number
  readonly name: string
  readonly line: Line | undefined
  readonly wait: number | undefined
  /** Whose it is: it never fires once that is gone. */
  readonly owner: Owner
  readonly happen: () => void
}

export interface Timer extends Wait {
  /** Breaks ties for the order of insertion; the driver offers equal moments as a choice. */
  readonly order: number
}

export class Timers {
  // Sorted with the earliest last, so that taking one costs nothing.
  readonly #waiting: Array<Timer> = []
  #inserted = 0

  insert(wait: Wait): Timer {
    const timer = { ...wait, order: this.#inserted++ }
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

  /** When the first timer after a moment is due. */
  nextAfter(moment: number): number | undefined {
    return this.#waiting.findLast(({ at, owner }) => at > moment && !owner.isGone)?.at
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
