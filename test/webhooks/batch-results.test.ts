import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Storage } from "../../src/ports/storage.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { now } from "../../src/vocabulary/instant.ts"
import { claimSends, type LeasedSend } from "../../src/webhooks/claim.ts"
import { fanOutDue } from "../../src/webhooks/fan-out.ts"
import { makeBatchedSteps } from "../../src/webhooks/send-steps.ts"
import { WebhookDeliveries, WebhookSubscriptions } from "../../src/webhooks/store.ts"
import { subscribeAsAgent } from "../support/webhooks.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { startProject, runToSubmitted } from "../support/parties.ts"

const subscriptions = 3

/** Claimed sends of several subscriptions for the events of one project. */
const claimed = Effect.gen(function* () {
  const started = yield* startProject()
  yield* Effect.forEach(Array.from({ length: subscriptions }), () =>
    subscribeAsAgent(started.buyerAgent.token, [started.projectId])
  )
  yield* runToSubmitted(started)
  yield* fanOutDue()
  const { sends } = yield* claimSends({ places: limits.webhookBatch, failing: limits.webhookBatch })
  assert.isAtLeast(sends.length, 2 * subscriptions)
  return sends
})

const attempted = { kind: "ATTEMPTED", durationMs: 1, statusCode: 204, recorded: undefined } as const

/** The service's storage, which records the subscriptions of each transaction; some transactions fail. */
const recordingStorage = (fails: (subscriptionIds: ReadonlyArray<string>) => boolean) =>
  Effect.map(Storage, (storage) => {
    const taken: Array<number> = []
    const transaction: Storage["Service"]["transaction"] = (plan, body) => {
      const ids = plan.locks.map(({ id }) => id)
      taken.push(ids.length)
      // As over a network, other sends end in the meantime.
      const answer = fails(ids) ? Effect.die(new Error("this root cannot be had")) : storage.transaction(plan, body)
      return Effect.andThen(Effect.yieldNow, answer)
    }
    return { taken, storage: { ...storage, transaction } }
  })

const settleAll = Effect.fnUntraced(function* (sends: ReadonlyArray<LeasedSend>, storage: Storage["Service"]) {
  const { settle } = yield* makeBatchedSteps
  const at = yield* now
  const result = { ...attempted, at, outcome: "ACKNOWLEDGED" } as const
  return yield* Effect.forEach(sends, (send) => Effect.exit(settle({ send, result })), {
    concurrency: "unbounded"
  }).pipe(Effect.provideService(Storage, storage))
})

const statesOf = (sends: ReadonlyArray<LeasedSend>) =>
  Effect.flatMap(Storage, (storage) =>
    storage.view((reader) =>
      Effect.forEach(sends, ({ deliveryId }) =>
        Effect.map(reader.get(WebhookDeliveries, [deliveryId]), (delivery) => delivery?.state)
      )
    )
  )

layer(memoryTestService, { excludeTestServices: true })("batching of results", (it) => {
  it.effect("Results of concurrent sends share a transaction, and each is fenced separately.", () =>
    Effect.gen(function* () {
      const sends = yield* claimed
      const [lost, ...others] = sends
      const { taken, storage } = yield* recordingStorage(() => false)
      const exits = yield* settleAll([{ ...lost!, token: "another worker's" }, ...others], storage)
      assert.deepStrictEqual(
        exits.map((exit) => exit._tag === "Success" && exit.value.isSettled),
        sends.map((send) => send !== lost)
      )
      assert.strictEqual(taken.length, 1)
      const states = yield* statesOf(sends)
      assert.deepStrictEqual(states, [...(["PENDING"] as const), ...others.map(() => "DELIVERED" as const)])
      const rows = yield* (yield* Storage).view((reader) =>
        Effect.forEach(sends, (send) => reader.get(WebhookSubscriptions, [send.subscriptionId]))
      )
      const inAir = new Set(rows.flatMap((row) => row!.flights.map(({ deliveryId }) => deliveryId)))
      assert.deepStrictEqual([...inAir], [lost!.deliveryId])
    })
  )

  it.effect("A failure to record one result does not prevent others in its batch from being recorded.", () =>
    Effect.gen(function* () {
      const sends = yield* claimed
      const stuck = sends.at(-1)!.subscriptionId
      const { storage } = yield* recordingStorage((ids) => ids.includes(stuck))
      const exits = yield* settleAll(sends, storage)
      const isStuck = sends.map(({ subscriptionId }) => subscriptionId === stuck)
      assert.deepStrictEqual(
        exits.map(({ _tag }) => _tag),
        isStuck.map((stays) => (stays ? "Failure" : "Success"))
      )
      const states = yield* statesOf(sends)
      assert.deepStrictEqual(
        states,
        isStuck.map((stays) => (stays ? "PENDING" : "DELIVERED"))
      )
    })
  )
})
