/** Timers in the order of their due times. */
import type { Owner } from "./actor.ts"
import type { FiberHistory } from "./fiber-history.ts"

export interface TimerRequest {
  readonly at: number
  readonly name: string
  readonly history: FiberHistory | undefined
  readonly wait: number | undefined
  /** The timer never fires after the end of its owner. */
  readonly owner: Owner
  readonly run: () => void
}

export interface Timer extends Omit<TimerRequest, "at"> {
  /** Later than requested after it was postponed. */
  at: number
  /** Insertion order of timers with equal due times; the scheduler offers these as a choice. */
  readonly order: number
}

export class Timers {
  // Sorted with the earliest last, so that removal is cheap.
  readonly #waiting: Array<Timer> = []
  #inserted = 0

  insert(wait: TimerRequest): Timer {
    const timer = { ...wait, order: this.#inserted++ }
    this.#waiting.splice(this.#position(timer), 0, timer)
    return timer
  }

  /** All pending timers, earliest first. */
  get all(): ReadonlyArray<Timer> {
    return this.#waiting.filter(({ owner }) => !owner.hasEnded).toReversed()
  }

  /** Postpones a pending timer, which keeps its place among timers with equal due times. */
  postpone(timer: Timer, milliseconds: number): void {
    this.remove(timer)
    timer.at += milliseconds
    this.#waiting.splice(this.#position(timer), 0, timer)
  }

  remove(timer: Timer): void {
    const position = this.#position(timer)
    if (this.#waiting[position] === timer) this.#waiting.splice(position, 1)
  }

  /** The due time of the next timer. */
  get next(): number | undefined {
    for (let last = this.#waiting.at(-1); last?.owner.hasEnded === true; last = this.#waiting.at(-1))
      this.#waiting.pop()
    return this.#waiting.at(-1)?.at
  }

  /** The due time of the first timer after a moment. */
  nextAfter(moment: number): number | undefined {
    return this.#waiting.findLast(({ at, owner }) => at > moment && !owner.hasEnded)?.at
  }

  /** All timers due at or before a moment, earliest first, without removing them. */
  dueBy(moment: number): ReadonlyArray<Timer> {
    const due: Array<Timer> = []
    for (let index = this.#waiting.length - 1; index >= 0; index--) {
      const timer = this.#waiting[index]
      if (timer === undefined || timer.at > moment) break
      if (!timer.owner.hasEnded) due.push(timer)
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
