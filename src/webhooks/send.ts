/**
 * One send from its lease to what came of it: connect, record, send, under one deadline. What fails on the way to the
 * receiver is an attempt; what fails on our own side is none.
 */
import { Cause, Effect, Exit, Option, Result } from "effect"
import { CallbackSender, type CallbackFailed, type ResolverUnreachable } from "../ports/callback-sender.ts"
import { Storage } from "../ports/storage.ts"
import { addMilliseconds, earlier, now as currentTime, toMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { recordAttempt, refusalOf, type Planned, type Refusal } from "./attempt.ts"
import type { LeasedSend } from "./claim.ts"
import { outcomeOf } from "./delivery.ts"
import { endWithAuthority } from "./end.ts"
import { countAttempt, countOwnFailure, noteExhausted, noteLag } from "./metrics.ts"
import { CallbackPace } from "../ports/callback-pace.ts"
import { Settling } from "./settle-together.ts"
import type { Attempted, Ending } from "./settle.ts"
import { WebhookDeliveries, WebhookEvents, WebhookSubscriptions } from "./store.ts"

/** Makes an attempt and settles it. A worker that is stopped meanwhile gives the send back at once. */
export const sendCallback = Effect.fn("webhooks.send")((send: LeasedSend) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.exit(restore(attempt(send))), (exit) =>
      Effect.flatMap(endingOf(exit), (ending) => (ending === "LOST" ? Effect.void : settle(send, ending)))
    )
  ).pipe(
    // The lease ends by itself, and another pass finds what could not be settled.
    Effect.catchCause((cause) => Effect.logWarning("a callback could not be settled", cause))
  )
)

/** What an attempt came to, or that the send is somebody else's by now. */
type SendEnd = Ending | "LOST"

const attempt = Effect.fnUntraced(function* (send: LeasedSend) {
  const { timeout } = yield* CallbackPace
  const planned = yield* plan(send)
  if (planned === undefined) return "LOST"
  // What was read before took our time, and none of the target's.
  const began = yield* currentTime
  const { subscription, event, refusal } = planned
  if (refusal !== undefined) return yield* refusedBy(refusal, planned, began)
  const flight = new Flight(began, timeout)
  const deadline = earlier(addMilliseconds(began, timeout), send.until)
  const left = toMilliseconds(deadline) - toMilliseconds(began)
  const reached = yield* reach(send, { subscription, event, deadline, note: flight.note }, flight).pipe(
    Effect.scoped,
    Effect.timeoutOption(Math.max(0, left)),
    Effect.result
  )
  if (Result.isFailure(reached)) return yield* failedBy(reached.failure, flight)
  return Option.isSome(reached.success) ? reached.success.value : yield* flight.timedOut
})

/** One attempt on its way: when it began, how far it is, and its number once it was recorded. */
class Flight {
  readonly #began: Instant
  readonly #timeout: number
  #opened: Instant | undefined
  #recorded: number | undefined

  constructor(began: Instant, timeout: number) {
    this.#began = began
    this.#timeout = timeout
  }

  readonly noteOpened: Effect.Effect<void> = Effect.map(currentTime, (now) => void (this.#opened = now))

  readonly note = (attempt: number): Effect.Effect<void> => Effect.sync(() => void (this.#recorded = attempt))

  attempted(outcome: Attempted["outcome"], statusCode: number | null = null): Effect.Effect<Attempted> {
    return Effect.map(currentTime, (now) => ({
      kind: "ATTEMPTED",
      at: this.#began,
      durationMs: Math.max(0, this.#since(now)),
      outcome,
      statusCode,
      recorded: this.#recorded
    }))
  }

  /** The target's, unless the time went by here: connected soon enough, it waited for our own store. */
  readonly timedOut: Effect.Effect<Ending> = Effect.suspend(() => {
    const wasOurs =
      this.#recorded === undefined && this.#opened !== undefined && this.#since(this.#opened) * 2 < this.#timeout
    return wasOurs ? Effect.andThen(countOwnFailure("STORE"), ownFailure) : this.attempted("TIMEOUT")
  })

  #since(moment: Instant): number {
    return toMilliseconds(moment) - toMilliseconds(this.#began)
  }
}

/** What is sent, and whether it may be, before anybody is connected to; undefined where it was taken over. */
const plan = Effect.fnUntraced(function* ({ subscriptionId, deliveryId, token }: LeasedSend) {
  const storage = yield* Storage
  const now = yield* currentTime
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const [subscription, delivery] = yield* Effect.all(
        [reader.get(WebhookSubscriptions, [subscriptionId]), reader.get(WebhookDeliveries, [deliveryId])],
        { concurrency: "unbounded" }
      )
      if (subscription === undefined || delivery?.leaseToken !== token) return undefined
      const [event, refusal] = yield* Effect.all(
        [reader.get(WebhookEvents, [delivery.eventId]), refusalOf(reader, subscription, delivery.projectId, now)],
        { concurrency: "unbounded" }
      )
      return event === undefined ? undefined : { subscription, event, refusal }
    })
  )
})

/** Connects, records the attempt under the authority of that moment, and sends it. */
const reach = Effect.fnUntraced(function* (send: LeasedSend, planned: Planned, flight: Flight) {
  const sender = yield* CallbackSender
  const connection = yield* sender.open(planned.subscription.target)
  yield* flight.noteOpened
  const recorded = yield* recordAttempt(send, planned)
  const now = yield* currentTime
  if (!recorded.isRecorded) {
    return recorded.refusal === "TOO_LATE" ? yield* flight.timedOut : yield* refusedBy(recorded.refusal, planned, now)
  }
  if (planned.deadline <= now) return yield* flight.timedOut
  if (recorded.attempt === 1) yield* noteLag(toMilliseconds(now) - toMilliseconds(planned.event.committedAt))
  const { statusCode } = yield* connection.send(recorded.request)
  return yield* flight.attempted(outcomeOf(statusCode), statusCode)
})

const refusedBy = Effect.fnUntraced(function* (
  refusal: Refusal,
  { subscription, event }: Pick<Planned, "subscription" | "event">,
  at: Instant
): Effect.fn.Return<SendEnd, never, Storage> {
  switch (refusal) {
    case "LOST":
      return "LOST"
    case "PUT_OFF":
      return { kind: "PUT_OFF", by: limits.callbackDeferral }
    case "KEY_GONE":
      yield* Effect.logWarning("a callback cannot be signed: SECRET_KEY_PREVIOUS lacks the key of its subscription", {
        subscriptionId: subscription.subscriptionId
      })
      yield* countOwnFailure("KEY")
      return { kind: "PUT_OFF", by: limits.callbackDeferral }
    case "TOO_LATE":
      return yield* ownFailure
    case "SUBSCRIPTION_ENDED":
      return { kind: "GIVEN_BACK" }
    case "AUTHORITY_ENDED":
      yield* endWithAuthority(subscription, event.projectId)
      return { kind: "AUTHORITY_ENDED", at }
  }
})

const failedBy = Effect.fnUntraced(function* (
  failure: CallbackFailed | ResolverUnreachable,
  flight: Flight
): Effect.fn.Return<SendEnd> {
  if (failure._tag === "CallbackFailed") return yield* flight.attempted(failure.fault)
  yield* Effect.logWarning("no resolver can be asked for the targets of callbacks", { reason: failure.reason })
  yield* countOwnFailure("RESOLVER")
  return yield* ownFailure
})

/** Tried again as soon as a target that failed once. */
const ownFailure = Effect.map(CallbackPace, ({ backoff }): Ending => ({ kind: "PUT_OFF", by: backoff }))

/** A store that cannot serve, and any other defect, is our own: nothing is counted. */
const endingOf = (exit: Exit.Exit<SendEnd>): Effect.Effect<SendEnd> => {
  if (Exit.isSuccess(exit)) return Effect.succeed(exit.value)
  if (Cause.hasInterruptsOnly(exit.cause)) return Effect.succeed({ kind: "GIVEN_BACK" })
  return Effect.logWarning("a callback failed on this side", exit.cause).pipe(
    Effect.andThen(countOwnFailure("STORE")),
    Effect.andThen(ownFailure)
  )
}

const settle = Effect.fnUntraced(function* (send: LeasedSend, ending: Ending) {
  const { isSettled, isExhausted } = yield* (yield* Settling)(send, ending)
  if (!isSettled) return
  if (ending.kind === "ATTEMPTED") yield* countAttempt(ending.outcome)
  if (ending.kind === "AUTHORITY_ENDED") yield* countAttempt(ending.kind)
  if (isExhausted) yield* noteExhausted(send)
})
