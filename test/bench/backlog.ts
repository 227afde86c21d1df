/** A backlog of webhooks: subscriptions of a real agent, and due deliveries of each. */
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { makeArena, nextCommand } from "../processes/arena.ts"
import { fanOutDue } from "../../src/webhooks/fan-out.ts"
import { subscribeAsAgent } from "../support/webhooks.ts"
import { sendCommand } from "../support/parties.ts"

/** One project with subscriptions of one agent, and one event queued for each. */
export const makeSubscriptions = Effect.fnUntraced(function* (subscriptions: number) {
  const arena = yield* makeArena(1)
  const lane = arena.lanes[0]!
  const made = yield* Effect.forEach(Array.from({ length: subscriptions }), () =>
    Effect.map(subscribeAsAgent(arena.buyerAgent.token, [lane.projectId]), ({ subscription }) => subscription.id)
  )
  const next = nextCommand(arena, lane)
  yield* sendCommand(next.token, lane.projectId, next.operation, next.body)
  while ((yield* fanOutDue()).isAny);
  return made
})

/** Due deliveries of these subscriptions, as copies of an existing one. */
export const queueDeliveries = (database: ConnectionOptions, subscriptionIds: ReadonlyArray<string>, count: number) =>
  inDatabase(database, [
    `insert into webhook_deliveries
     select copy.* from webhook_subscriptions join lateral (
         select webhook_deliveries as real from webhook_deliveries
         where webhook_deliveries.subscription_id = webhook_subscriptions.subscription_id limit 1) as model on true,
       generate_series(1, ${Math.ceil(count / subscriptionIds.length)}) as step,
       lateral (select encode(sha256(convert_to(subscription_id || clock_timestamp() || step, 'UTF8')), 'hex') as key) as keys,
       lateral jsonb_populate_record(real, jsonb_build_object(
         'delivery_id', 'whd_' || key, 'checkpoint', 'whc1_whd_' || key, 'number', delivery_count + step,
         'state', 'PENDING', 'scheduled_attempts', 0, 'total_attempts', 0, 'last_attempt', null,
         'leased_until', now(), 'lease_token', '', 'due_at', now())) as copy
     where webhook_subscriptions.subscription_id in (${subscriptionIds.map((id) => `'${id}'`).join(", ")})`,
    `update webhook_subscriptions set due_at = now(), flights = '[]',
       delivery_count = delivery_count + ${Math.ceil(count / subscriptionIds.length)}
     where subscription_id in (${subscriptionIds.map((id) => `'${id}'`).join(", ")})`,
    "analyze",
    "checkpoint"
  ])

/** Runs statements without foreign-key checks, which would take most of the time. */
export const inDatabase = Effect.fnUntraced(function* (database: ConnectionOptions, statements: ReadonlyArray<string>) {
  const session = yield* PgConnection.make(database)
  yield* session.query("set session_replication_role = replica", [], false)
  for (const statement of statements) yield* session.query(statement, [], false)
}, Effect.scoped)
