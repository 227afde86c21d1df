/** Which lines of a trace belong together: a request with its answer, a callback with its reply, and what they commit. */
import type { JsonObject } from "../script/json.ts"
import { attemptWritten } from "./attempts.ts"
import { deliveryOf, textMember } from "./words.ts"

/** For each line the first line of what it belongs to, itself included; undefined where it stands alone. */
export const exchangesOf = (lines: ReadonlyArray<JsonObject>): ReadonlyArray<number | undefined> => {
  const requests = new Map<string, Array<number>>()
  const callbacks = new Callbacks()
  return lines.map((line, index) => {
    const actor = textMember(line, "actor") ?? ""
    switch (line["kind"]) {
      case "request":
      case "act":
        // Nothing comes of a request that never arrives.
        if (line["lost"] !== true) requests.set(actor, [...(requests.get(actor) ?? []), index])
        return index
      case "response":
      case "answer": {
        // Where several steps go on beside each other, lines say which is meant.
        const asked = requests.get(actor) ?? []
        const found = asked.findLast((request) => lines[request]?.["step"] === line["step"])
        requests.set(
          actor,
          asked.filter((request) => request !== found)
        )
        return found
      }
      case "callback":
        return callbacks.sent(line, index)
      case "received":
      case "reply":
        return callbacks.find(deliveryOf(line))
      case "stalled":
      case "hangup":
        return callbacks.find(callbacks.latestTo(line)) ?? requests.get(actor)?.at(-1)
      case "commit": {
        const written = attemptWritten(line)
        if (written?.isClaim === true) return callbacks.begun(written.delivery, index)
        return requests.get(actor)?.at(-1) ?? callbacks.find(written?.delivery)
      }
      default:
        return line["kind"] === "fault" ? requests.get(actor)?.at(-1) : undefined
    }
  })
}

/** The attempts under way, each by its delivery; a worker has several at once. */
class Callbacks {
  private readonly attempts = new Map<string, { readonly begun: number; readonly isSent: boolean }>()
  private readonly latest = new Map<string, string>()

  begun(delivery: string, index: number): number {
    this.attempts.set(delivery, { begun: index, isSent: false })
    return index
  }

  /** A send without a claim before it begins an attempt by itself. */
  sent(line: JsonObject, index: number): number {
    const delivery = deliveryOf(line) ?? ""
    const attempt = this.attempts.get(delivery)
    const begun = attempt === undefined || attempt.isSent ? index : attempt.begun
    this.attempts.set(delivery, { begun, isSent: true })
    this.latest.set(between(line), delivery)
    return begun
  }

  find(delivery: string | undefined): number | undefined {
    return delivery === undefined ? undefined : this.attempts.get(delivery)?.begun
  }

  latestTo(line: JsonObject): string | undefined {
    return this.latest.get(between(line))
  }
}

const between = (line: JsonObject): string => JSON.stringify([line["actor"] ?? null, line["receiver"] ?? null])
