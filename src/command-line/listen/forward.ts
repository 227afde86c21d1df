/**
 * Posts one event of a delivery history to a program of the developer, with the headers, the body and the signature that an
 * attempt at this moment would have, until it is acknowledged with a 2xx.
 */
import { Console, Effect, Redacted } from "effect"
import { canonicalText } from "../../canonical/jcs.ts"
import { now as currentTime, toMilliseconds } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { signedHeaders } from "../../webhooks/signature.ts"
import { type AgentApi, type HistoryDelivery, ReadRefused, readNextAction } from "./agent-api.ts"
import { exchange } from "./exchange.ts"

export interface ForwardTarget {
  readonly url: string
  /** The secret of the subscription. */
  readonly secret: Redacted.Redacted
}

/** Ends when the event is acknowledged, given up, or no longer readable; a program that is down is waited for. */
export const forwardDelivery = Effect.fnUntraced(function* (
  api: AgentApi,
  target: ForwardTarget,
  delivery: HistoryDelivery
): Effect.fn.Return<void, ReadRefused> {
  const name = `${String(delivery.event["type"])} ${String(delivery.event["projectId"])} ${String(delivery.event["id"])}`
  for (let attempt = 1, isDown = false; ;) {
    const nextAction = yield* Effect.result(readNextAction(api, String(delivery.event["projectId"])))
    if (nextAction._tag === "Failure") {
      if (!withoutProject.has(nextAction.failure.code)) return yield* Effect.fail(nextAction.failure)
      return yield* Console.log(`${name} not forwarded: ${nextAction.failure.code}`)
    }
    const began = yield* currentTime
    const sent = yield* Effect.result(
      exchange(target.url, requestOf(delivery, nextAction.success, target.secret, began), limits.webhookTimeout)
    )
    if (sent._tag === "Failure" && sent.failure.isUnreachable) {
      if (!isDown) yield* Console.log(`${name} waits: ${target.url} is not reachable (${sent.failure.reason})`)
      isDown = true
      yield* Effect.sleep(limits.listenRetry)
      continue
    }
    isDown = false
    const took = `${toMilliseconds(yield* currentTime) - toMilliseconds(began)} ms`
    const outcome = sent._tag === "Failure" ? sent.failure.reason : `${sent.success.status} in ${took}`
    if (sent._tag === "Success" && sent.success.status >= 200 && sent.success.status < 300) {
      return yield* Console.log(`${name} -> ${outcome}`)
    }
    if (attempt === limits.webhookAttempts) return yield* Console.log(`${name} -> ${outcome}; given up`)
    const pause = Math.min(limits.listenRetry * 2 ** (attempt - 1), limits.listenRetryMost)
    yield* Console.log(
      `${name} -> ${outcome}; attempt ${attempt} of ${limits.webhookAttempts}, again in ${pause / 1000} s`
    )
    attempt++
    yield* Effect.sleep(pause)
  }
})

/** The project left the scope of the grant: a real delivery would be cancelled. */
const withoutProject: ReadonlySet<string> = new Set(["FORBIDDEN_AGENT_PROJECT_SCOPE", "NOT_FOUND"])

const requestOf = (
  { deliveryId, event }: HistoryDelivery,
  currentNextAction: object,
  secret: Redacted.Redacted,
  now: Parameters<typeof toMilliseconds>[0]
): RequestInit => {
  const body = canonicalText({ ...event, currentNextAction })
  const timestamp = String(Math.floor(toMilliseconds(now) / 1000))
  const named = { eventId: String(event["id"]), deliveryId, timestamp }
  return { method: "POST", headers: signedHeaders(Redacted.value(secret), named, body), body }
}
