/** Explains a violation in a few sentences: the injected faults, the last answer and the last commit. */
import type { TimedObservation } from "../../observation/observation.ts"
import type { Violation } from "../../properties/monitors.ts"

/** Explains the observations from the explore step to the violation. */
export const explainViolation = (
  observations: ReadonlyArray<TimedObservation>,
  violation: Violation
): ReadonlyArray<string> => {
  const begins = observations.findIndex((one) => one.kind === "step" && one.operation === "explore")
  const seen = observations.slice(Math.max(begins, 0), violation.at)
  const narrator = new Narrator()
  const sentences = [...seen.flatMap((one) => narrator.fault(one) ?? []), ...narrator.order(seen)]
  return [...sentences.slice(-sentencesMax), toSentence(violation.words)]
}

const sentencesMax = 3

class Narrator {
  /** The requests, by step number and by actor. */
  readonly #asked = new Map<number | string, string>()

  fault(one: TimedObservation): string | undefined {
    if (one.kind === "fault") {
      const point = [one.where, ...one.what].join(" ")
      return `The fault ${one.fault} was injected into ${one.actor} at ${point}.`
    }
    if (one.kind === "worker" && one.did === "CRASHED") return `The process ${one.actor} crashed.`
    if (one.kind === "reply" && (typeof one.answer === "string" || one.answer >= 300)) {
      return `${capitalized(one.receiver)} answered a webhook with ${one.answer}.`
    }
    return undefined
  }

  /** The last event, and the last event of another actor before it. */
  order(seen: ReadonlyArray<TimedObservation>): ReadonlyArray<string> {
    const events = seen.flatMap((one) => {
      if (one.kind === "step") this.#begins(one)
      const words = this.#event(one)
      return words === undefined || !("actor" in one) ? [] : [{ whose: one.actor, words, at: one.at }]
    })
    const last = events.at(-1)
    if (last === undefined) return []
    const before = events.findLast(({ whose }) => whose !== last.whose)
    if (before === undefined) return [capitalized(`${last.words}.`)]
    const moment = before.at === last.at ? "" : `, at ${last.at}`
    return [capitalized(`${before.words}. After that, ${last.words}${moment}.`)]
  }

  #begins({ step, actor, operation }: Extract<TimedObservation, { readonly kind: "step" }>): void {
    if (actor === undefined) return
    for (const key of [step, actor]) this.#asked.set(key, `${possessive(actor)} ${operation}`)
  }

  #event(one: TimedObservation): string | undefined {
    switch (one.kind) {
      case "response": {
        const outcome = one.status < 300 ? `answered with ${one.status}` : `refused with ${refusalOf(one)}`
        return `${this.#whose(one)} was ${outcome}${one.lost ? ", and the answer was lost" : ""}`
      }
      case "commit": {
        const tables = [...new Set(one.writes.map(({ table }) => table))]
        return `${this.#whose({ actor: one.actor, step: one.ofStep })} committed (${tables.slice(0, tablesMax).join(", ")}${tables.length > tablesMax ? ", …" : ""})`
      }
      case "callback":
        return `${one.actor} sent a webhook to ${one.receiver}`
      default:
        return undefined
    }
  }

  #whose({ actor, step }: { readonly actor: string; readonly step?: number | undefined }): string {
    return this.#asked.get(step ?? actor) ?? actor
  }
}

const tablesMax = 3

const refusalOf = ({ status, body }: Extract<TimedObservation, { readonly kind: "response" }>): string => {
  const error = typeof body === "object" && body !== null && "error" in body ? body["error"] : undefined
  return typeof error === "string" ? error : String(status)
}

const possessive = (name: string): string => (name.endsWith("s") ? `${name}'` : `${name}'s`)

const capitalized = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`

export const toSentence = (words: string): string => capitalized(/[.!?]$/.test(words) ? words : `${words}.`)
