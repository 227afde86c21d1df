/** Collects the observations of one world and redacts secrets. */
import { Cause, Effect, Logger, type LogLevel } from "effect"
import type { Instant } from "../../src/vocabulary/instant.ts"
import type { UntracedContext, Observation, TimedObservation } from "./observation.ts"

/** The minimum log level. */
export const leastLogged: LogLevel.LogLevel = "Warn"

export class Recorder {
  readonly observations: Array<TimedObservation> = []
  /** Warnings and errors in the log of the service: shown for a failed run, not in the trace. */
  readonly complaints: Array<string> = []
  readonly #now: () => Instant
  readonly #observed: (observed: TimedObservation) => void
  readonly #secrets = new Map<string, string>()
  readonly #shown = new Map<string, number>()
  readonly #waiting = new Set<() => void>()

  constructor(now: () => Instant, observed: (observed: TimedObservation) => void = () => {}) {
    this.#now = now
    this.#observed = observed
  }

  observe(observation: Observation, beside: UntracedContext = {}): TimedObservation {
    const observed: TimedObservation = { ...observation, at: this.#now(), ...beside }
    this.observations.push(observed)
    this.#observed(observed)
    if (requestKinds.has(observation.kind)) return observed
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const resumeWaiter of waiting) resumeWaiter()
    return observed
  }

  /** Completes at the next observation other than a request or response. */
  readonly nextEvent: Effect.Effect<void> = Effect.callback<void>((resume) => {
    const resumeWaiter = () => resume(Effect.void)
    this.#waiting.add(resumeWaiter)
    return Effect.sync(() => void this.#waiting.delete(resumeWaiter))
  })

  get stepsBegun(): number {
    return this.observations.filter((observed) => observed.kind === "step").length
  }

  /** Replaces the log of the service. */
  readonly logger: Logger.Logger<unknown, void> = Logger.make(({ message, cause }) => {
    const texts = (Array.isArray(message) ? message : [message]).map((part) =>
      typeof part === "string" ? part : JSON.stringify(part)
    )
    this.complaints.push([...texts, ...(cause.reasons.length === 0 ? [] : [Cause.pretty(cause)])].join(" "))
  })

  /** Replaces the secret by `{shown}` from now on; the second secret with that label is `{shown #2}`. */
  hide(secret: string, shown: string): void {
    if (this.#secrets.has(secret)) return
    const count = (this.#shown.get(shown) ?? 0) + 1
    this.#shown.set(shown, count)
    this.#secrets.set(secret, count === 1 ? `{${shown}}` : `{${shown} #${count}}`)
  }

  /** Continues the observations of an earlier recorder. */
  copyStateFrom(earlier: Recorder): void {
    this.observations.push(...earlier.observations)
    this.complaints.push(...earlier.complaints)
    for (const [secret, shown] of earlier.#secrets) this.#secrets.set(secret, shown)
    for (const [shown, count] of earlier.#shown) this.#shown.set(shown, count)
  }

  readonly redact = (text: string): string => {
    let redacted = text
    for (const [secret, shown] of this.#secrets) redacted = redacted.replaceAll(secret, shown)
    return redacted
  }
}

const requestKinds: ReadonlySet<Observation["kind"]> = new Set([
  "step",
  "request",
  "response",
  "act",
  "answer",
  "expectation"
])
