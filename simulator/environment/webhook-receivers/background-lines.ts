/** One line per background event (workers, DNS, webhooks) for the story of a run. */
import type { Instant } from "../../../src/vocabulary/instant.ts"
import type { TimedObservation, WebhookObservation } from "../../observation/observation.ts"
import type { ReceiverVerdict } from "../../vocabulary/states.ts"

export interface StoryLine {
  readonly at: Instant
  readonly actor: string
  readonly operation: string
  readonly text: string
}

export const backgroundLines = (observations: ReadonlyArray<TimedObservation>): ReadonlyArray<StoryLine> => {
  const seen = observations.filter(isOfCallbacks)
  return seen.flatMap((observed, index) => lineOf(observed, seen[index - 1], seen[index + 1]))
}

type WebhookEvent = WebhookObservation & { readonly at: Instant }

const kinds: { readonly [K in WebhookObservation["kind"]]: true } = {
  worker: true,
  lookup: true,
  connection: true,
  unconnected: true,
  callback: true,
  received: true,
  reply: true,
  stalled: true,
  hangup: true
}

const isOfCallbacks = (observed: TimedObservation): observed is WebhookEvent => Object.hasOwn(kinds, observed.kind)

const lineOf = (
  seen: WebhookEvent,
  before: WebhookEvent | undefined,
  after: WebhookEvent | undefined
): ReadonlyArray<StoryLine> => {
  const line = (actor: string, text: string, operation = "callback") => [{ at: seen.at, actor, operation, text }]
  switch (seen.kind) {
    case "worker":
      return line(seen.actor, "", workerWords[seen.did])
    case "lookup": {
      const { actor, host, answers, refused } = seen
      if (answers === "UNREACHABLE") return line(actor, "no resolver answers", "lookup")
      if (answers === "NXDOMAIN") return line(actor, `${host} does not exist`, "lookup")
      return refused === undefined ? [] : line(actor, `${host}: ${refused}`, "lookup")
    }
    case "connection":
      return []
    case "unconnected":
      return line(seen.actor, `to ${seen.receiver}: ${connectWords[seen.why]}`)
    case "callback":
      return after?.kind === "received" || after?.kind === "reply"
        ? []
        : line(seen.actor, `to ${seen.receiver}, delayed`)
    case "received": {
      const { receiver, type, sequence, time, made } = seen
      const arrives = `${type} ${sequence}${time === 1 ? "" : " again"}`
      const answer = after?.kind === "reply" && isAtOnce(seen, after) ? `: ${answerWords(after.answer)}` : ""
      return line(receiver, `${arrives}${made === undefined ? "" : `, ${verdictWords[made]}`}${answer}`)
    }
    case "reply":
      return before?.kind === "received" && isAtOnce(before, seen) ? [] : line(seen.receiver, answerWords(seen.answer))
    case "stalled":
      return line(seen.receiver, seen.during === "HANDSHAKE" ? "stalls the handshake" : "delays its response")
    case "hangup":
      return line(seen.actor, `hangs up on ${seen.receiver}`)
  }
}

/** True if both go into one line. */
const isAtOnce = (
  received: WebhookEvent & { readonly kind: "received" },
  reply: WebhookEvent & { readonly kind: "reply" }
): boolean => received.delivery === reply.delivery && received.at === reply.at

const workerWords = { STARTED: "starts", STOPPED: "stops", CRASHED: "crashes" } as const

const verdictWords: { readonly [M in ReceiverVerdict]: string } = {
  TAKEN: "taken",
  REPEATED: "known already",
  OLDER: "older than the newest known",
  STALE: "too old or too early",
  FORGED: "invalid signature"
}

const answerWords = (answer: number | "RESET" | "LOST"): string =>
  answer === "RESET" ? "resets the connection" : answer === "LOST" ? "the response is lost" : String(answer)

const connectWords = { REFUSED: "no connection", UNTRUSTED: "its certificate is for another host" } as const
