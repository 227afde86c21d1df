import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { claimRows, selectRange } from "../../src/adapters/postgres-storage/statements.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { WebhookDeliveries, WebhookEvents, WebhookSubscriptions } from "../../src/webhooks/store.ts"
import { fillHistory, historySubscriptionId } from "../bench/webhook-history.ts"
import { genericPlanOf, planOf } from "../bench/plans.ts"
import { migratedDatabase } from "../support/postgres.ts"

/** Enough rows that a sequential scan costs more than an index scan. */
const finished = 5_000
const due = 200

const claims = Effect.map(now, (dueBy) => {
  const claim = {
    dueBy,
    leaseUntil: addMilliseconds(dueBy, limits.webhookLease),
    token: "token",
    limit: limits.webhookBatch
  }
  const upcoming = { prefix: [historySubscriptionId], limit: limits.webhookAttemptsPerSubscription + 1 }
  return [
    {
      what: "a claim of subscriptions",
      statement: claimRows(WebhookSubscriptions, claim),
      index: "webhook_subscriptions_by_due",
      rows: limits.webhookBatch
    },
    {
      what: "a claim of outbox rows",
      statement: claimRows(WebhookEvents, claim),
      index: "webhook_events_by_due",
      rows: limits.webhookBatch
    },
    {
      what: "a read of what is due of a subscription",
      statement: selectRange(WebhookDeliveries, WebhookDeliveries.ordered.byDue, upcoming),
      index: "webhook_deliveries_by_due",
      rows: limits.webhookAttemptsPerSubscription + 1
    }
  ]
})

describe("query plans of claims", () => {
  it.live("A claim reads due rows by an index, in its order, and reads no finished rows.", () =>
    Effect.gen(function* () {
      const database = yield* migratedDatabase
      yield* fillHistory(database, { finished, due })
      for (const { what, statement, index, rows } of yield* claims) {
        const plan = yield* planOf(database, statement)
        const found = plan.find((node) => node.index === index)
        assert.strictEqual(found?.rows, rows, what)
        for (const nodes of [plan, yield* genericPlanOf(database, statement)]) {
          const told = `${what}: ${nodes.map(({ type }) => type).join(" > ")}`
          assert.notMatch(told, /Seq Scan|Sort/)
          assert.include(
            nodes.map((node) => node.index),
            index,
            told
          )
        }
        assert.strictEqual(Math.max(...plan.map(({ dropped }) => dropped)), 0, what)
      }
    })
  )
})
