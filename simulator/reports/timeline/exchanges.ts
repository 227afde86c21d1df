/** Groups trace lines to exchanges: a request with its answer, a webhook with its reply, and their commits. */
import type { JsonObject } from "../../vocabulary/json.ts"
import { attemptInCommit } from "./attempts.ts"
import { deliveryOf, stringMember } from "./line-summary.ts"

/** For each line, the first line of its exchange; undefined if it belongs to none. */
export const exchangesOf = (lines: ReadonlyArray<JsonObject>): ReadonlyArray<number | undefined> => {
  const requests = new Map<string, Array<number>>()
  const webhooks = new Webhooks()
  return lines.map((line, index) => {
    const actor = stringMember(line, "actor") ?? ""
    switch (line["kind"]) {
      case "request":
      case "act":
        // A lost request has no answer.
        if (line["lost"] !== true) requests.set(actor, [...(requests.get(actor) ?? []), index])
        return index
      case "response":
      case "answer": {
        // Lines of concurrent steps have the step number.
        const pending = requests.get(actor) ?? []
        const found = pending.findLast((request) => lines[request]?.["step"] === line["step"])
        requests.set(
          actor,
          pending.filter((request) => request !== found)
        )
        return found
      }
      case "callback":
        return webhooks.sent(line, index)
      case "received":
      case "reply":
        return webhooks.find(deliveryOf(line))
      case "stalled":
      case "hangup":
        return webhooks.find(webhooks.latestTo(line)) ?? requests.get(actor)?.at(-1)
      case "commit": {
        const written = attemptInCommit(line)
        if (written?.isClaim === true) return webhooks.begun(written.delivery, index)
        return requests.get(actor)?.at(-1) ?? webhooks.find(written?.delivery)
      }
      default:
        return line["kind"] === "fault" ? requests.get(actor)?.at(-1) : undefined
    }
  })
}

/** The pending attempts by delivery; a worker has several at a time. */
class Webhooks {
  private readonly attempts = new Map<string, { readonly begun: number; readonly isSent: boolean }>()
  private readonly latest = new Map<string, string>()

  begun(delivery: string, index: number): number {
    this.attempts.set(delivery, { begun: index, isSent: false })
    return index
  }

  /** A send without a preceding claim begins an attempt. */
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
