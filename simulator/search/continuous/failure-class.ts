/** The failure class of a violation, without ids, numbers and script names; it deduplicates findings. */
import type { TimedObservation } from "../../observation/observation.ts"
import type { Violation } from "../../properties/monitors.ts"

/** The class of a run, minimized or not: property, last operation, concurrent operations and faults. */
export const failureClassOf = (observations: ReadonlyArray<TimedObservation>, violation: Violation): string => {
  const begins = observations
    .slice(0, violation.at)
    .findIndex((one) => one.kind === "step" && one.operation === "explore")
  const reader = new EventReader()
  const events: Array<Event> = []
  for (const [index, one] of observations.slice(0, violation.at).entries()) {
    const event = reader.read(one)
    if (event !== undefined && index > begins) events.push(event)
  }
  // A violation before the explore step does not depend on the operations before it.
  if (begins < 0) events.splice(0, events.length - 1)
  const last = events.findLast(({ isFault }) => !isFault)
  const others = events.filter(({ isFault, operation }) => !isFault && operation !== last?.operation)
  return [
    violation.property,
    last === undefined ? "" : `${last.operation} ${last.what}`.trim(),
    ...listed(
      "concurrent with",
      others.map(({ operation }) => operation)
    ),
    ...listed(
      "faults",
      events.flatMap(({ isFault, what }) => (isFault ? [what] : []))
    )
  ]
    .filter((part) => part !== "")
    .join("; ")
}

interface Event {
  readonly operation: string
  readonly what: string
  readonly isFault: boolean
}

class EventReader {
  /** The operations, by step number and by actor. */
  readonly #asked = new Map<number | string, string>()

  read(one: TimedObservation): Event | undefined {
    switch (one.kind) {
      case "step":
        for (const key of one.actor === undefined ? [] : [one.step, one.actor]) this.#asked.set(key, one.operation)
        return undefined
      case "commit": {
        const tables = [...new Set(one.writes.map(({ table }) => table))].sort()
        return this.#event(one.actor, one.ofStep, `commits ${tables.join(", ")}`)
      }
      case "response":
        return this.#event(one.actor, one.step, one.status < 300 ? "is answered" : `is refused with ${one.status}`)
      case "callback":
        return { operation: "the worker", what: "sends a webhook", isFault: false }
      case "fault":
        return { operation: "", what: one.fault, isFault: true }
      case "reply":
        return one.answer === "RESET" || one.answer === "LOST" || one.answer >= 300
          ? { operation: "", what: `a webhook answered with ${one.answer}`, isFault: true }
          : undefined
      default:
        return undefined
    }
  }

  #event(actor: string, step: number | undefined, what: string): Event {
    const known = (step === undefined ? undefined : this.#asked.get(step)) ?? this.#asked.get(actor)
    return { operation: known ?? "the worker", what, isFault: false }
  }
}

const listed = (word: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const each = [...new Set(names)].sort()
  return each.length === 0 ? [] : [`${word} ${each.join(", ")}`]
}
