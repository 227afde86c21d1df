/** Collects what is observed in one world, and keeps its secrets out of everything that is shown. */
import { Cause, Effect, Logger, type LogLevel } from "effect"
import type { Instant } from "../src/vocabulary/instant.ts"
import type { UntracedContext, Observation, Observed } from "./observation.ts"

/** What is less than a warning is logged to nobody. */
export const leastLogged: LogLevel.LogLevel = "Warn"

export class Recorder {
  readonly observations: Array<Observed> = []
  /** Warnings and errors that the service logged: shown where a run fails, and no part of the trace. */
  readonly complaints: Array<string> = []
  readonly #now: () => Instant
  readonly #observed: (observed: Observed) => void
  readonly #secrets = new Map<string, string>()
  readonly #shown = new Map<string, number>()
  readonly #waiting = new Set<() => void>()

  constructor(now: () => Instant, observed: (observed: Observed) => void = () => {}) {
    this.#now = now
    this.#observed = observed
  }

  observe(observation: Observation, beside: UntracedContext = {}): Observed {
    const observed: Observed = { ...observation, at: this.#now(), ...beside }
    this.observations.push(observed)
    this.#observed(observed)
    if (asking.has(observation.kind)) return observed
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const goOn of waiting) goOn()
    return observed
  }

  /** Goes on once something has happened: more than that somebody asked and was answered. */
  readonly next: Effect.Effect<void> = Effect.callback<void>((resume) => {
    const goOn = () => resume(Effect.void)
    this.#waiting.add(goOn)
    return Effect.sync(() => void this.#waiting.delete(goOn))
  })

  get stepsBegun(): number {
    return this.observations.filter((observed) => observed.kind === "step").length
  }

  /** Takes the place of the service's log. */
  readonly logger: Logger.Logger<unknown, void> = Logger.make(({ message, cause }) => {
    const texts = (Array.isArray(message) ? message : [message]).map((part) =>
      typeof part === "string" ? part : JSON.stringify(part)
    )
    this.complaints.push([...texts, ...(cause.reasons.length === 0 ? [] : [Cause.pretty(cause)])].join(" "))
  })

  /** From now on `{shown}` stands wherever the secret would; the second that is shown alike is `{shown #2}`. */
  hide(secret: string, shown: string): void {
    if (this.#secrets.has(secret)) return
    const alike = (this.#shown.get(shown) ?? 0) + 1
    this.#shown.set(shown, alike)
    this.#secrets.set(secret, alike === 1 ? `{${shown}}` : `{${shown} #${alike}}`)
  }

  /** Tells on where an earlier one has stopped. */
  takeOver(earlier: Recorder): void {
    this.observations.push(...earlier.observations)
    this.complaints.push(...earlier.complaints)
    for (const [secret, shown] of earlier.#secrets) this.#secrets.set(secret, shown)
    for (const [shown, alike] of earlier.#shown) this.#shown.set(shown, alike)
  }

  readonly redact = (text: string): string => {
    let redacted = text
    for (const [secret, shown] of this.#secrets) redacted = redacted.replaceAll(secret, shown)
    return redacted
  }
}

const asking: ReadonlySet<Observation["kind"]> = new Set([
  "step",
  "request",
  "response",
  "act",
  "answer",
  "expectation"
])
