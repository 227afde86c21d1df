/**
 * Skips the passes of a background process that would find nothing: once every timer of the process has fired twice in
 * the same period without any change, the next periods repeat it, and virtual time advances over them to what is due.
 */
import type { RandomStreams } from "./prng.ts"
import type { Timer, Timers } from "./timers.ts"

/** The facts on which the passes depend. */
export interface PassProbe {
  /** True for a timer of the process that repeats its passes. */
  readonly isRepeated: (timer: Timer) => boolean
  /** Everything that a pass reads or changes, beside the time; undefined where passes must not be skipped. */
  readonly state: () => ReadonlyArray<unknown> | undefined
  /** The first moment at which a pass could find something; a moment in the past if it can find something now. */
  readonly nextDue: () => number
}

/** What the scheduler knows at quiescence. */
export interface Quiescence {
  readonly now: number
  /** The number of timers that have fired. */
  readonly fired: number
  readonly timers: Timers
  readonly streams: RandomStreams
  readonly horizon: number
}

/** The periods that are skipped: time and the number of fired timers advance by these. */
export interface SkippedPeriods {
  readonly milliseconds: number
  readonly fired: number
}

export class IdlePasses {
  readonly #probe: PassProbe
  #anchor: Anchor | undefined

  constructor(probe: PassProbe) {
    this.#probe = probe
  }

  /** Moves the repeated timers and the random streams as the skipped passes would have. */
  skip(world: Quiescence): SkippedPeriods | undefined {
    const { timers, streams } = world
    const anchor = this.#anchor
    const seen = this.#observe(world)
    if (anchor === undefined || seen === undefined || !isUnchanged(anchor, seen)) return this.#begin(seen, streams)
    const milliseconds = seen.now - anchor.now
    if (!isShifted(anchor, seen, milliseconds)) {
      const hasRepeated = seen.repeated.every(({ timer }) => anchor.repeated.every((one) => one.timer !== timer))
      return hasRepeated ? this.#begin(seen, streams) : undefined
    }
    const drawn = streams.drawnSinceMark
    const fired = seen.fired - anchor.fired
    this.#begin({ ...seen, period: milliseconds }, streams)
    // In the first period the order of timers with equal due times can still change.
    if (anchor.period !== milliseconds) return undefined
    const periods = Math.min(this.#periodsUntilDue(seen, milliseconds), periodsBefore(world, seen, milliseconds))
    if (periods <= 0) return undefined
    for (const { timer } of seen.repeated) timers.postpone(timer, periods * milliseconds)
    for (const [stream, bytes] of drawn) streams.skip(stream, periods * bytes)
    this.#anchor = undefined
    return { milliseconds: periods * milliseconds, fired: periods * fired }
  }

  #begin(anchor: Anchor | undefined, streams: RandomStreams): undefined {
    this.#anchor = anchor
    streams.mark()
  }

  #observe({ now, fired, timers }: Quiescence): Anchor | undefined {
    const state = this.#probe.state()
    if (state === undefined) return undefined
    const all = timers.all
    const repeated = all.filter(this.#probe.isRepeated).map((timer) => ({ timer, at: timer.at }))
    if (repeated.length === 0) return undefined
    const others = all.filter((timer) => !this.#probe.isRepeated(timer))
    return { now, fired, repeated, others, state, period: undefined }
  }

  /** The last pass that is skipped is a period before something is due, since a pass may wait for less than a period. */
  #periodsUntilDue({ now }: Anchor, period: number): number {
    return Math.floor((this.#probe.nextDue() - now) / period) - 1
  }
}

/** A moment at quiescence, with which later ones are compared. */
interface Anchor {
  readonly now: number
  readonly fired: number
  readonly repeated: ReadonlyArray<{ readonly timer: Timer; readonly at: number }>
  readonly others: ReadonlyArray<Timer>
  readonly state: ReadonlyArray<unknown>
  /** The length of the period that ended here, if one did. */
  readonly period: number | undefined
}

const isUnchanged = (anchor: Anchor, seen: Anchor): boolean =>
  areEqual(anchor.state, seen.state) && areEqual(anchor.others, seen.others)

const areEqual = (one: ReadonlyArray<unknown>, other: ReadonlyArray<unknown>): boolean =>
  one.length === other.length && one.every((value, index) => Object.is(value, other[index]))

/** True if every repeated timer is due exactly so much later. */
const isShifted = (anchor: Anchor, seen: Anchor, milliseconds: number): boolean =>
  milliseconds > 0 &&
  anchor.repeated.length === seen.repeated.length &&
  anchor.repeated.every(({ at }, index) => seen.repeated[index]?.at === at + milliseconds)

/** The periods that end before every other timer, and within the horizon. */
const periodsBefore = ({ horizon }: Quiescence, { now, others }: Anchor, period: number): number => {
  const until = Math.min(horizon, ...others.map(({ at }) => at - 1))
  return until === Number.POSITIVE_INFINITY ? 0 : Math.floor((until - now) / period)
}
