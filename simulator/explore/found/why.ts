/** Why a run goes wrong, in a few plain sentences: what struck, what was answered last, and who committed after it. */
import type { Observed } from "../../observation.ts"
import type { Violation } from "../../invariants/monitors.ts"

/** What was observed from the point on at which orders begin to matter, up to what must not be. */
export const whyOf = (observations: ReadonlyArray<Observed>, violation: Violation): ReadonlyArray<string> => {
  const begins = observations.findIndex((one) => one.kind === "step" && one.operation === "explore")
  const seen = observations.slice(Math.max(begins, 0), violation.at)
  const told = new Teller()
  const sentences = [...seen.flatMap((one) => told.mishap(one) ?? []), ...told.order(seen)]
  return [...sentences.slice(-sentencesMax), sentenceOf(violation.words)]
}

const sentencesMax = 3

class Teller {
  /** What is asked, by the number of its step, and what somebody asked last. */
  readonly #asked = new Map<number | string, string>()

  mishap(one: Observed): string | undefined {
    if (one.kind === "fault") {
      const point = [one.where, ...one.what].join(" ")
      return `What ${one.actor} asked for was struck by ${one.fault}, at ${point}.`
    }
    if (one.kind === "worker" && one.did === "CRASHED") return `The process ${one.actor} was gone at once.`
    if (one.kind === "reply" && (typeof one.answer === "string" || one.answer >= 300)) {
      return `${capitalized(one.receiver)} answered a callback with ${one.answer}.`
    }
    return undefined
  }

  /** What came last, and the last of what came before it and belongs to somebody else. */
  order(seen: ReadonlyArray<Observed>): ReadonlyArray<string> {
    const telling = seen.flatMap((one) => {
      if (one.kind === "step") this.#begins(one)
      const words = this.#event(one)
      return words === undefined || !("actor" in one) ? [] : [{ whose: one.actor, words, at: one.at }]
    })
    const last = telling.at(-1)
    if (last === undefined) return []
    const before = telling.findLast(({ whose }) => whose !== last.whose)
    if (before === undefined) return [capitalized(`${last.words}.`)]
    const moment = before.at === last.at ? "" : `, at ${last.at}`
    return [capitalized(`${before.words}. After that, ${last.words}${moment}.`)]
  }

  #begins({ step, actor, operation }: Extract<Observed, { readonly kind: "step" }>): void {
    if (actor === undefined) return
    for (const key of [step, actor]) this.#asked.set(key, `${possessive(actor)} ${operation}`)
  }

  #event(one: Observed): string | undefined {
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
        return `${one.actor} called ${one.receiver} back`
      default:
        return undefined
    }
  }

  #whose({ actor, step }: { readonly actor: string; readonly step?: number | undefined }): string {
    return this.#asked.get(step ?? actor) ?? actor
  }
}

const tablesMax = 3

const refusalOf = ({ status, body }: Extract<Observed, { readonly kind: "response" }>): string => {
  const error = typeof body === "object" && body !== null && "error" in body ? body["error"] : undefined
  return typeof error === "string" ? error : String(status)
}

const possessive = (name: string): string => (name.endsWith("s") ? `${name}'` : `${name}'s`)

const capitalized = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`

export const sentenceOf = (words: string): string => capitalized(/[.!?]$/.test(words) ? words : `${words}.`)
