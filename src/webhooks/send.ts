/**
 * One send, from its lease to its result: connect, record, send, under one deadline. A failure at the receiver is an
 * attempt; a failure inside this service is not.
 */
import { Cause, Effect, Exit, Option, Result } from "effect"
import {
  WebhookSender,
  type PendingResponse,
  type ResolverUnreachable,
  type WebhookConnection,
  type WebhookFailure,
  type WebhookRequest
} from "../ports/webhook-sender.ts"
import type { Storage } from "../ports/storage.ts"
import { addMilliseconds, earlier, now as currentTime, toMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import type { LeasedSend } from "./claim.ts"
import { outcomeOf, type NumberedAttempt } from "./delivery.ts"
import { endIfUnauthorized } from "./subscription-end.ts"
import { countAttempt, countOwnFailure, reportExhausted, recordLag } from "./metrics.ts"
import { ConfiguredWebhookTiming } from "../ports/webhook-timing.ts"
import type { AttemptPlan } from "./plan.ts"
import type { SendRefusal } from "./send-refusal.ts"
import { CurrentSendSteps } from "./send-steps.ts"
import type { AttemptResult, SendResult } from "./settle.ts"

/** Makes an attempt and settles it. An interrupted worker releases the send immediately. */
export const sendWebhook = Effect.fn("webhooks.send")(function* (send: LeasedSend) {
  const { timeout } = yield* ConfiguredWebhookTiming
  const flight = new AttemptProgress(timeout)
  yield* Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.exit(restore(attempt(send, flight))), (exit) =>
      Effect.flatMap(resultOf(exit), (ending) => (ending === "LOST" ? Effect.void : settle(send, ending, flight)))
    )
  ).pipe(
    // The lease expires, and another pass finds the unsettled send.
    Effect.catchCause((cause) =>
      Effect.logWarning("a webhook result could not be recorded; its lease will expire", cause)
    )
  )
})

/** The result of an attempt, or `LOST` if another worker has the lease. */
type AttemptEnd = SendResult | "LOST"

const attempt = Effect.fnUntraced(function* (send: LeasedSend, flight: AttemptProgress) {
  const planned = yield* (yield* CurrentSendSteps).plan(send)
  if (planned === undefined) return "LOST"
  // The reads above do not count towards the target's time.
  const began = yield* flight.start
  const { subscription, event, refusal } = planned
  if (refusal !== undefined) return yield* resultOfRefusal(refusal, planned, flight)
  const deadline = earlier(addMilliseconds(began, flight.timeout), send.until)
  const left = toMilliseconds(deadline) - toMilliseconds(began)
  const reached = yield* connectAndSend(send, { subscription, event, deadline, note: flight.note }, flight).pipe(
    Effect.scoped,
    Effect.timeoutOption(Math.max(0, left)),
    Effect.result
  )
  if (Result.isFailure(reached)) return yield* resultOfFailure(reached.failure, flight)
  return Option.isSome(reached.success) ? reached.success.value : yield* flight.timedOut
})

/** The progress of one attempt: its start, its connection, its record, and its response once the request has begun. */
class AttemptProgress {
  readonly timeout: number
  #started: Instant | undefined
  #opened: Instant | undefined
  #recorded: NumberedAttempt | undefined
  #hasBegun = false
  #response: PendingResponse | undefined

  constructor(timeout: number) {
    this.timeout = timeout
  }

  readonly start: Effect.Effect<Instant> = Effect.map(currentTime, (now) => (this.#started = now))

  readonly noteOpened: Effect.Effect<void> = Effect.map(currentTime, (now) => void (this.#opened = now))

  readonly note = (recorded: NumberedAttempt): Effect.Effect<void> =>
    Effect.sync(() => void (this.#recorded = recorded))

  /** Writes the request once: a transaction that runs again gets the same response. */
  readonly begin = (connection: WebhookConnection, request: WebhookRequest): Effect.Effect<PendingResponse> =>
    Effect.suspend(() => {
      if (this.#response !== undefined) return Effect.succeed(this.#response)
      this.#hasBegun = true
      return Effect.tap(connection.send(request), (response) => Effect.sync(() => void (this.#response = response)))
    })

  /** The attempt if it was recorded and nothing was sent. */
  get unsent(): NumberedAttempt | undefined {
    return this.#hasBegun ? undefined : this.#recorded
  }

  attempted(outcome: AttemptResult["outcome"], statusCode: number | null = null): Effect.Effect<AttemptResult> {
    return Effect.map(currentTime, (now) => ({
      kind: "ATTEMPTED",
      at: this.#started ?? now,
      durationMs: Math.max(0, this.#since(now)),
      outcome,
      statusCode,
      recorded: this.#recorded?.attempt
    }))
  }

  /** A timeout of the target, unless it connected early and the rest of the time was spent in this service's store. */
  readonly timedOut: Effect.Effect<SendResult> = Effect.suspend(() => {
    const isInternal = !this.#hasBegun && this.#opened !== undefined && this.#since(this.#opened) * 2 < this.timeout
    return isInternal
      ? Effect.andThen(countOwnFailure({ unreachable: "STORE" }), ownFailure)
      : this.attempted("TIMEOUT")
  })

  #since(moment: Instant): number {
    return toMilliseconds(moment) - toMilliseconds(this.#started ?? moment)
  }
}

/** Connects, records the attempt, and sends it under the authority of that moment. */
const connectAndSend = Effect.fnUntraced(function* (send: LeasedSend, plan: AttemptPlan, flight: AttemptProgress) {
  const sender = yield* WebhookSender
  const steps = yield* CurrentSendSteps
  const connection = yield* sender.open(plan.subscription.target)
  yield* flight.noteOpened
  const recorded = yield* steps.record({ send, plan })
  if (!recorded.isRecorded) return yield* resultOfRefusal(recorded.refusal, plan, flight)
  const begin = (request: WebhookRequest) => flight.begin(connection, request)
  const begun = yield* steps.begin({ send, plan, recorded, begin })
  if (!begun.hasBegun) return yield* resultOfRefusal(begun.refusal, plan, flight)
  if (recorded.attempt === 1) {
    yield* recordLag(toMilliseconds(yield* currentTime) - toMilliseconds(plan.event.committedAt))
  }
  const { statusCode } = yield* begun.response
  return yield* flight.attempted(outcomeOf(statusCode), statusCode)
})

const resultOfRefusal = Effect.fnUntraced(function* (
  refusal: SendRefusal,
  { subscription, event }: Pick<AttemptPlan, "subscription" | "event">,
  flight: AttemptProgress
): Effect.fn.Return<AttemptEnd, never, Storage> {
  switch (refusal) {
    case "LOST":
      return "LOST"
    case "DEFERRED":
      return { kind: "DEFERRED", by: limits.webhookDeferral }
    case "KEY_UNAVAILABLE":
      yield* Effect.logWarning(
        "a webhook cannot be signed: SECRET_KEY_PREVIOUS lacks the key that sealed its subscription's secret",
        {
          subscriptionId: subscription.subscriptionId
        }
      )
      yield* countOwnFailure({ unreachable: "KEY" })
      return { kind: "DEFERRED", by: limits.webhookDeferral }
    case "TOO_LATE":
      return yield* flight.timedOut
    case "SUBSCRIPTION_INACTIVE":
      return { kind: "RELEASED" }
    case "AUTHORITY_ENDED":
      yield* endIfUnauthorized(subscription, event.projectId)
      return { kind: "AUTHORITY_ENDED", at: yield* currentTime }
  }
})

const resultOfFailure = Effect.fnUntraced(function* (
  failure: WebhookFailure | ResolverUnreachable,
  flight: AttemptProgress
): Effect.fn.Return<AttemptEnd> {
  if (failure._tag === "WebhookFailure") return yield* flight.attempted(failure.fault)
  yield* Effect.logWarning("no DNS resolver is reachable for webhook targets", { reason: failure.reason })
  yield* countOwnFailure({ unreachable: "RESOLVER" })
  return yield* ownFailure
})

/** Retried after the same backoff as a first failure. */
const ownFailure = Effect.map(ConfiguredWebhookTiming, ({ backoff }): SendResult => ({ kind: "DEFERRED", by: backoff }))

/** An unavailable store, or any other defect, is internal: no attempt is counted. */
const resultOf = (exit: Exit.Exit<AttemptEnd>): Effect.Effect<AttemptEnd> => {
  if (Exit.isSuccess(exit)) return Effect.succeed(exit.value)
  if (Cause.hasInterruptsOnly(exit.cause)) return Effect.succeed({ kind: "RELEASED" })
  return Effect.logWarning("a webhook send failed inside this service", exit.cause).pipe(
    Effect.andThen(countOwnFailure({ unreachable: "STORE" })),
    Effect.andThen(ownFailure)
  )
}

const settle = Effect.fnUntraced(function* (send: LeasedSend, result: SendResult, { unsent }: AttemptProgress) {
  const { isSettled, isExhausted } = yield* (yield* CurrentSendSteps).settle({ send, result, unsent })
  if (!isSettled) return
  if (result.kind === "ATTEMPTED") yield* countAttempt({ outcome: result.outcome })
  if (result.kind === "AUTHORITY_ENDED") yield* countAttempt({ outcome: result.kind })
  if (isExhausted) yield* reportExhausted(send)
})
