/**
 * The leak guard: it reports every use of a nondeterministic source by a synchronous function: real time, randomness and
 * timers, the network, and the time zone, locale and environment of the machine. The function gets real results, and each
 * leak is reported with its call site, also in packages. Values read at import are out of its scope: `simulate verify`
 * compares runs on other machines for them.
 */
import { interceptGlobals } from "./intercepted-globals.ts"
import { callSiteIn, type CallSite } from "./call-site.ts"
import type { LeakKind } from "./leak-source.ts"
import { isPermitted } from "./permitted-leaks.ts"

export interface Leak extends CallSite {
  readonly kind: LeakKind
  /** The call in source form: `Date.now()`. */
  readonly call: string
}

export interface GuardResult<A> {
  readonly result: A
  /** Each call site once, in the order of first use. */
  readonly leaks: ReadonlyArray<Leak>
}

/** With nested guards the innermost one reports. The outermost one restores all intercepted functions. */
export const guardLeaks = <A>(work: () => A): GuardResult<A> => {
  const outer = activeGuard
  const found: LeaksByDescription = new Map()
  activeGuard = found
  const restore = outer === undefined ? interceptGlobals(recordLeak) : undefined
  try {
    return { result: work(), leaks: [...found.values()] }
  } finally {
    restore?.()
    activeGuard = outer
  }
}

/** `real time: Date.now() at src/projects/commit.ts:57:13` */
export const describeLeak = ({ kind, call, at, behind }: Leak): string =>
  `${kind}: ${call} at ${at}${behind === undefined ? "" : `, for ${behind}`}`

/** Further leaks are not reported. */
const leaksMax = 50
const framesMax = 200

/** By description. */
type LeaksByDescription = Map<string, Leak>

// Module state, since the intercepted globals are shared by all guards of the process.
let activeGuard: LeaksByDescription | undefined

const recordLeak = (kind: LeakKind, call: string, double: Function): void => {
  if (activeGuard === undefined || activeGuard.size >= leaksMax) return
  const place = callSiteIn(stackAbove(double)) ?? { at: "the runtime", isPackage: false, behind: undefined }
  if (isPermitted(kind, place)) return
  const leak: Leak = { kind, call, ...place }
  activeGuard.set(describeLeak(leak), leak)
}

/** Effect limits stack traces, and the caller can be below many of its frames. */
const stackAbove = (double: Function): string => {
  const limit = Error.stackTraceLimit
  const holder = { stack: "" }
  Error.stackTraceLimit = framesMax
  Error.captureStackTrace(holder, double)
  // The stack is formatted at its first read.
  const { stack } = holder
  Error.stackTraceLimit = limit
  return stack
}
