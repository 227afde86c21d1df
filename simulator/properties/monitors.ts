/** Checks all properties against the observations of one run and reports the first violation. */
import type { NameRegistry } from "../clients/name-registry.ts"
import type { Content } from "../storage/memory-storage/content.ts"
import type { TimedObservation } from "../observation/observation.ts"
import type { Json } from "../vocabulary/json.ts"
import { JudgedProperties } from "./judged-properties.ts"
import {
  pendingRequestKey,
  PropertyViolation,
  type MonitoredProperty,
  type Moment,
  Witness,
  type RequestObservation,
  Rows
} from "./property.ts"
import { withNames } from "./support/names.ts"

export interface Violation {
  readonly property: string
  /** The violation, one sentence. */
  readonly words: string
  /** The number of observations so far. */
  readonly at: number
}

export class Monitors {
  readonly #properties: ReadonlyArray<MonitoredProperty>
  readonly #states: Array<Json>
  readonly #reached = new Set<string>()
  /** Pending requests by actor and step. */
  readonly #pending = new Map<string, RequestObservation>()
  #rows: Rows
  #last: Moment | undefined
  #observations = 0
  #violation: Violation | undefined

  readonly #keys: Moment["keys"]
  readonly #judged: JudgedProperties

  constructor(
    properties: ReadonlyArray<MonitoredProperty>,
    content: Content,
    keys: Moment["keys"],
    judged: JudgedProperties = new JudgedProperties(properties)
  ) {
    this.#properties = properties
    this.#judged = judged
    this.#keys = keys
    this.#states = properties.map(({ initial }) => initial)
    this.#rows = new Rows(content)
  }

  /** An independent copy with the same state. */
  fork(): Monitors {
    const forked = new Monitors(this.#properties, this.#rows.content, this.#keys, this.#judged)
    forked.#states.splice(0, forked.#states.length, ...this.#states)
    for (const name of this.#reached) forked.#reached.add(name)
    for (const [key, request] of this.#pending) forked.#pending.set(key, request)
    forked.#last = this.#last
    forked.#observations = this.#observations
    forked.#violation = this.#violation
    return forked
  }

  /** The current rows. */
  get content(): Content {
    return this.#rows.content
  }

  /** Reports a defect in the service or a step that does not end. */
  fail(words: string): void {
    this.#violation ??= { property: "every step terminates", words, at: this.#observations }
  }

  get violation(): Violation | undefined {
    return this.#violation
  }

  /** The names of the satisfied reachability properties. */
  get reached(): ReadonlySet<string> {
    return this.#reached
  }

  /** The state of all properties: two runs with equal worlds and equal states get equal verdicts from here on. */
  get state(): Json {
    return [...this.#states, [...this.#pending.keys()].sort()]
  }

  /** `delay`: virtual time in milliseconds that passed while a runnable actor was delayed. */
  observe(observed: TimedObservation, content: Content, directory: NameRegistry, delay = 0): void {
    this.#observations += 1
    const before = this.#rows
    if (before.content !== content) this.#rows = new Rows(content)
    const request = this.#requestOf(observed)
    const moment: Moment = { observed, request, before, rows: this.#rows, directory, keys: this.#keys, delayed: delay }
    this.#last = moment
    for (const index of this.#judged.of(observed)) {
      const { name, next } = this.#properties[index]!
      const result = next(this.#states[index] ?? null, moment)
      if (result instanceof PropertyViolation) this.#report(name, result, directory)
      else if (result instanceof Witness) {
        this.#reached.add(name)
        if (result.remembered !== undefined) this.#states[index] = result.remembered
      } else this.#states[index] = result
    }
  }

  /** Called at the end of the scenario. */
  end(): void {
    const moment = this.#last
    if (moment === undefined) return
    for (const [index, { name, atEnd }] of this.#properties.entries()) {
      const result = atEnd?.(this.#states[index] ?? null, moment)
      if (result instanceof PropertyViolation) this.#report(name, result, moment.directory)
      else if (result !== undefined) this.#reached.add(name)
    }
  }

  #report(property: string, { words }: PropertyViolation, directory: NameRegistry): void {
    this.#violation ??= { property, words: withNames(words, directory), at: this.#observations }
  }

  #requestOf(observed: TimedObservation): RequestObservation | undefined {
    if (observed.kind === "request") {
      this.#pending.set(pendingRequestKey(observed), observed)
      return observed
    }
    if (observed.kind !== "commit" && observed.kind !== "response") return undefined
    // An act commits without a request, such as a sign-in after a request that was never answered.
    if (observed.kind === "commit" && observed.ofStep === undefined) return undefined
    // A request of a detached step has no number.
    const step = observed.kind === "commit" ? observed.ofStep : observed.step
    const found = [
      pendingRequestKey({ actor: observed.actor, step }),
      pendingRequestKey({ actor: observed.actor, step: undefined })
    ]
    const key = found.find((one) => this.#pending.has(one))
    const request = key === undefined ? undefined : this.#pending.get(key)
    if (key !== undefined && observed.kind === "response") this.#pending.delete(key)
    return request
  }
}
