/** What a violation comes from, without ids, numbers and the names of a script: two finds with one cause are one. */
import type { Observed } from "../../observation.ts"
import type { Violation } from "../../invariants/monitors.ts"

/** Of a run as it was found, or as it was shrunk: who did what last, what else was done, and what went wrong. */
export const causeOf = (observations: ReadonlyArray<Observed>, violation: Violation): string => {
  const begins = observations
    .slice(0, violation.at)
    .findIndex((one) => one.kind === "step" && one.operation === "explore")
  const reader = new Reader()
  const events: Array<Event> = []
  for (const [index, one] of observations.slice(0, violation.at).entries()) {
    const event = reader.read(one)
    if (event !== undefined && index > begins) events.push(event)
  }
  // What is wrong before orders matter is so whatever was done before it.
  if (begins < 0) events.splice(0, events.length - 1)
  const last = events.findLast(({ mishap }) => !mishap)
  const others = events.filter(({ mishap, operation }) => !mishap && operation !== last?.operation)
  return [
    violation.invariant,
    last === undefined ? "" : `${last.operation} ${last.what}`.trim(),
    ...listed(
      "beside",
      others.map(({ operation }) => operation)
    ),
    ...listed(
      "struck by",
      events.flatMap(({ mishap, what }) => (mishap ? [what] : []))
    )
  ]
    .filter((part) => part !== "")
    .join("; ")
}

interface Event {
  readonly operation: string
  readonly what: string
  readonly mishap: boolean
}

class Reader {
  /** What is asked, by the number of its step, and what somebody asked last. */
  readonly #asked = new Map<number | string, string>()

  read(one: Observed): Event | undefined {
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
        return { operation: "the worker", what: "calls back", mishap: false }
      case "fault":
        return { operation: "", what: one.fault, mishap: true }
      case "reply":
        return one.answer === "RESET" || one.answer === "LOST" || one.answer >= 300
          ? { operation: "", what: `a callback answered with ${one.answer}`, mishap: true }
          : undefined
      default:
        return undefined
    }
  }

  #event(actor: string, step: number | undefined, what: string): Event {
    const known = (step === undefined ? undefined : this.#asked.get(step)) ?? this.#asked.get(actor)
    return { operation: known ?? "the worker", what, mishap: false }
  }
}

const listed = (word: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const each = [...new Set(names)].sort()
  return each.length === 0 ? [] : [`${word} ${each.join(", ")}`]
}
