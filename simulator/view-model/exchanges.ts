/** Groups trace lines to exchanges: a request with its answer, a webhook with its reply, and their commits. */
import type { Json, JsonObject } from "../vocabulary/json.ts"
import { attemptInCommit } from "./attempts.ts"
import { deliveryOf, stringMember } from "./line-summary.ts"

/** Finds the exchange of each line of a trace, line by line. */
export class Exchanges {
  /** The requests without an answer, by actor. */
  readonly #requests = new Map<string, ReadonlyArray<PendingRequest>>()
  readonly #webhooks = new Webhooks()

  /** The first line of the line's exchange; undefined if it belongs to none. `index` is the number of the line. */
  add(line: JsonObject, index: number): number | undefined {
    const actor = stringMember(line, "actor") ?? ""
    switch (line["kind"]) {
      case "request":
      case "act":
        // A lost request has no answer.
        if (line["lost"] !== true) this.#requests.set(actor, [...this.#pending(actor), { index, step: line["step"] }])
        return index
      case "response":
      case "answer":
        return this.#answered(actor, line["step"])
      case "callback":
        return this.#webhooks.sent(line, index)
      case "received":
      case "reply":
        return this.#webhooks.find(deliveryOf(line))
      case "stalled":
      case "hangup":
        return this.#webhooks.find(this.#webhooks.latestTo(line)) ?? this.#pending(actor).at(-1)?.index
      case "commit": {
        const written = attemptInCommit(line)
        if (written?.isClaim === true) return this.#webhooks.begun(written.delivery, index)
        return this.#pending(actor).at(-1)?.index ?? this.#webhooks.find(written?.delivery)
      }
      default:
        return line["kind"] === "fault" ? this.#pending(actor).at(-1)?.index : undefined
    }
  }

  /** Lines of concurrent steps have the step number. */
  #answered(actor: string, step: Json | undefined): number | undefined {
    const pending = this.#pending(actor)
    const request = pending.findLast((one) => one.step === step)
    const rest = pending.filter((one) => one !== request)
    if (rest.length === 0) this.#requests.delete(actor)
    else this.#requests.set(actor, rest)
    return request?.index
  }

  #pending(actor: string): ReadonlyArray<PendingRequest> {
    return this.#requests.get(actor) ?? []
  }
}

interface PendingRequest {
  readonly index: number
  readonly step: Json | undefined
}

/** The pending attempts by delivery; a worker has several at a time. */
class Webhooks {
  readonly #attempts = new Map<string, { readonly begun: number; readonly isSent: boolean }>()
  readonly #latest = new Map<string, string>()

  begun(delivery: string, index: number): number {
    this.#attempts.set(delivery, { begun: index, isSent: false })
    return index
  }

  /** A send without a preceding claim begins an attempt. */
  sent(line: JsonObject, index: number): number {
    const delivery = deliveryOf(line) ?? ""
    const attempt = this.#attempts.get(delivery)
    const begun = attempt === undefined || attempt.isSent ? index : attempt.begun
    this.#attempts.set(delivery, { begun, isSent: true })
    this.#latest.set(between(line), delivery)
    return begun
  }

  find(delivery: string | undefined): number | undefined {
    return delivery === undefined ? undefined : this.#attempts.get(delivery)?.begun
  }

  latestTo(line: JsonObject): string | undefined {
    return this.#latest.get(between(line))
  }
}

const between = (line: JsonObject): string => JSON.stringify([line["actor"] ?? null, line["receiver"] ?? null])
