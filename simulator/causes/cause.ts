/**
 * The cause of a failing run: after which of its moments, which are choices or steps, how many continuations fail, and what
 * would have prevented the failure on its own.
 */

/** The continuations of a run from one moment on. */
export interface Continuations {
  readonly runs: number
  readonly failed: number
  /** False if they are a sample. */
  readonly areAll: boolean
}

/** A choice or a step of the run. */
export interface Moment {
  /** Such as `choice 2: courier:view, before sam:transaction`. */
  readonly what: string
  /** The continuations after it. */
  readonly after: Continuations
}

/** The run with one thing changed, and everything else as similar as possible. */
export interface Change {
  readonly what: string
  readonly stillFails: boolean
}

export interface Cause {
  /** What is violated. */
  readonly property: string
  readonly words: string
  /** The continuations of the start. */
  readonly before: Continuations
  /** Up to the first one after which every continuation fails; all of them if there is none. */
  readonly moments: ReadonlyArray<Moment>
  /** What happened from the last of the moments to the violation, one line each. */
  readonly events: ReadonlyArray<string>
  readonly changes: ReadonlyArray<Change>
}

/** A failing run as its cause is found from it. */
export interface ExplainedRun extends Pick<Cause, "property" | "words"> {
  /** In words, in order. */
  readonly moments: ReadonlyArray<string>
  /** What happened from this moment, by its index, to the violation. */
  readonly eventsFrom: (moment: number) => ReadonlyArray<string>
  /** The continuations after so many moments. */
  readonly continuationsAfter: (moments: number) => Continuations
  /** Changes of one of so many first moments, and of one fault. */
  readonly changesUntil: (moments: number) => ReadonlyArray<Change>
}

/** The last moments are found by bisection: once all continuations fail, they fail after every later moment too. */
export const causeOf = ({ property, words, moments, ...run }: ExplainedRun): Cause => {
  const known = new Map<number, Continuations>()
  const after = (count: number): Continuations => {
    const continuations = known.get(count) ?? run.continuationsAfter(count)
    known.set(count, continuations)
    return continuations
  }
  const decisive = firstOf(moments.length, (count) => isLost(after(count)))
  return {
    property,
    words,
    before: after(0),
    moments: moments.slice(0, decisive).map((what, index) => ({ what, after: after(index + 1) })),
    events: run.eventsFrom(Math.max(decisive - 1, 0)),
    // Changes of later moments are among the continuations, all of which fail.
    changes: run.changesUntil(decisive)
  }
}

/** True if every continuation fails. */
export const isLost = ({ runs, failed }: Continuations): boolean => failed === runs

/** The first number of which it holds, if it holds of every larger one too; `most` if there is none below. */
const firstOf = (most: number, holds: (count: number) => boolean): number => {
  let low = 0
  let high = most
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
