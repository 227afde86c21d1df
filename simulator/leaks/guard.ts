/**
 * Watches a synchronous piece of work for everything that the seed does not decide: real time, real randomness, real
 * timers, the network, and the zone, language and environment of the machine. The work goes on with real answers, and
 * whoever asked is named with its line; packages are held to the same. A value that a module took before, at import,
 * cannot be seen here: `simulate verify` compares runs on other machines for that.
 */
import { putDoubles } from "./doubles.ts"
import { callerIn, type Place } from "./place.ts"
import type { LeakKind } from "./source.ts"

export interface Leak extends Place {
  readonly kind: LeakKind
  /** As a reader would write it: `Date.now()`. */
  readonly call: string
}

export interface Guarded<A> {
  readonly result: A
  /** Each place once, in the order of their first use. */
  readonly leaks: ReadonlyArray<Leak>
}

/** Where guards are nested, the innermost one is told. Everything is as it was before once the outermost has ended. */
export const guardLeaks = <A>(work: () => A): Guarded<A> => {
  const outer = listening
  const found: Found = new Map()
  listening = found
  const takeAway = outer === undefined ? putDoubles(note) : undefined
  try {
    return { result: work(), leaks: [...found.values()] }
  } finally {
    takeAway?.()
    listening = outer
  }
}

/** `real time: Date.now() at src/projects/commit.ts:57:13` */
export const describeLeak = ({ kind, call, at, behind }: Leak): string =>
  `${kind}: ${call} at ${at}${behind === undefined ? "" : `, for ${behind}`}`

/** Enough to see the pattern. */
const leaksMax = 50
const framesMax = 200

/** By what is said of each. */
type Found = Map<string, Leak>

// The functions of the runtime have no other way to know for whom they are watched.
let listening: Found | undefined

const note = (kind: LeakKind, call: string, double: Function): void => {
  if (listening === undefined || listening.size >= leaksMax) return
  const place = callerIn(stackAbove(double)) ?? { at: "the runtime", isPackage: false, behind: undefined }
  const leak: Leak = { kind, call, ...place }
  listening.set(describeLeak(leak), leak)
}

/** Effect keeps stacks short, and who asked may stand below many of its frames. */
const stackAbove = (double: Function): string => {
  const limit = Error.stackTraceLimit
  const holder = { stack: "" }
  Error.stackTraceLimit = framesMax
  Error.captureStackTrace(holder, double)
  // The text is made when it is first read.
  const { stack } = holder
  Error.stackTraceLimit = limit
  return stack
}
