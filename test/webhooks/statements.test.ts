/** What a batch of webhooks asks of Postgres, from its numbering to its settlement. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { claimSends } from "../../src/webhooks/claim.ts"
import { fanOutDue } from "../../src/webhooks/fan-out.ts"
import { sendWebhook } from "../../src/webhooks/send.ts"
import { CurrentSendSteps, makeBatchedSteps } from "../../src/webhooks/send-steps.ts"
import { makeSubscriptions } from "../bench/backlog.ts"
import { Counted, countingService, statementsOf } from "../support/counting-service.ts"
import { projectWithEvent } from "../support/queued-deliveries.ts"
import { acknowledgingSender, storedOf } from "../support/webhooks.ts"

layer(countingService, { excludeTestServices: true })("the statements of webhooks", (it) => {
  it.effect("Twenty sends in flight share their views and transactions.", () =>
    Effect.gen(function* () {
      const { observed } = yield* Counted
      yield* makeSubscriptions(20)
      const steps = yield* makeBatchedSteps
      observed.length = 0
      const { sends } = yield* claimSends({ places: 20, failing: 10 })
      assert.lengthOf(sends, 20)
      const send = (one: (typeof sends)[number]) =>
        Effect.provide(Effect.provideService(sendWebhook(one), CurrentSendSteps, steps), acknowledgingSender)
      yield* Effect.forEach(sends, send, { concurrency: "unbounded", discard: true })
      // The claim's authority and its leases; the plan; the next actions, the attempts, the first bytes and the settlements.
      assert.deepStrictEqual(statementsOf(observed), [1, 4, 3, 1, 3, 3, 5])
    })
  )

  it.effect("An event is numbered for forty subscriptions with as many statements as for two.", () =>
    Effect.gen(function* () {
      const { observed } = yield* Counted
      for (const count of [2, 40]) {
        const { ids } = yield* projectWithEvent(count)
        observed.length = 0
        yield* fanOutDue()
        // The unnumbered events; their deliveries, cursors and subscriptions; the event itself.
        assert.deepStrictEqual(statementsOf(observed), [4, 4, 3])
        for (const id of ids) assert.lengthOf((yield* storedOf(id)).deliveries, 1)
      }
    })
  )
})
