/** Checks after everything has been sent, over the receiver's log and the stored rows. */
import type { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { sha256Hex } from "../../src/canonical/digest.ts"
import { limits } from "../../src/vocabulary/limits.ts"
import { formatDeliveryId } from "../../src/webhooks/opaque-ids.ts"
import { signatureOf } from "../../src/webhooks/signature.ts"
import type { LoggedRequest } from "../processes/webhook-processes.ts"
import { deliveryOf } from "./webhook-receiver.ts"

export interface CheckInput {
  readonly session: PgConnection.PgConnection
  readonly log: ReadonlyArray<LoggedRequest>
  /** The secret of each subscription. */
  readonly secrets: ReadonlyMap<string, string>
  /** The number of events committed since the subscriptions were created. */
  readonly events: number
}

export const checkWebhooks = Effect.fnUntraced(function* ({ session, log, secrets, events }: CheckInput) {
  const query = (sql: string) => Effect.orDie(session.queryValues(sql))
  const attempts = yield* query("select delivery_id, attempt, envelope_digest, timestamp from webhook_attempts")
  const recorded = new Set(attempts.map(([id, , digest, timestamp]) => `${String(id)} ${String(digest)} ${timestamp}`))
  const queued = (yield* query("select event_id from webhook_events")).map(([eventId]) => String(eventId))
  const owners = new Map(
    [...secrets].flatMap(([subscriptionId, secret]) =>
      queued.map((eventId) => [formatDeliveryId(subscriptionId, eventId), secret] as const)
    )
  )
  const arrived = new Set(log.map(deliveryOf))
  const missing = [...owners.keys()].filter((deliveryId) => !arrived.has(deliveryId))
  const badlySigned = log.filter(({ headers, body }) => {
    const secret = owners.get(headers["service-delivery-id"] ?? "")
    return (
      secret === undefined || headers["service-signature"] !== signatureOf(secret, headers["service-timestamp"]!, body)
    )
  })
  const unrecorded = log.filter(
    (logged) => !recorded.has(`${deliveryOf(logged)} ${sha256Hex(logged.body)} ${logged.headers["service-timestamp"]}`)
  )
  return [
    queued.length === events ? [] : [`${queued.length} of ${events} events are in the outbox`],
    missing.map((deliveryId) => `${deliveryId} never arrived`),
    badlySigned.map((logged) => `a request of ${deliveryOf(logged)} is not signed by its subscription`),
    unrecorded.map((logged) => `a request of ${deliveryOf(logged)} was sent without a recorded attempt`),
    (yield* query(storedFlaws)).map(([flaw]) => String(flaw))
  ].flat()
})

const storedFlaws = `
  select delivery_id || ' is unfinished' from webhook_deliveries
    where state not in ('DELIVERED', 'EXHAUSTED') or lease_token <> ''
  union all
  select delivery_id || ' was attempted too often' from webhook_deliveries
    where scheduled_attempts > ${limits.webhookAttempts} or total_attempts > ${limits.webhookAttemptsTotal}
  union all
  select d.delivery_id || ' has gaps in its attempts' from webhook_deliveries d
    left join webhook_attempts a using (delivery_id) group by d.delivery_id, d.total_attempts
    having count(a.attempt) <> d.total_attempts or count(distinct a.attempt) <> d.total_attempts
      or max(a.attempt) <> d.total_attempts or min(a.attempt) <> 1
  union all
  select s.subscription_id || ' has gaps in its numbers' from webhook_subscriptions s
    left join webhook_deliveries d using (subscription_id) group by s.subscription_id, s.delivery_count
    having count(distinct d.number) <> s.delivery_count or max(d.number) <> s.delivery_count
  union all
  select subscription_id || ' has sends in progress' from webhook_subscriptions where flights <> '[]'
  union all
  select event_id || ' is still in the outbox' from webhook_events where due_at < now() + interval '1 day'`

/** A summary of the run in numbers. */
export const figuresOf = Effect.fnUntraced(function* ({ session, log, events }: CheckInput) {
  const rows = yield* Effect.orDie(
    session.queryValues(`
      select (select count(*) from webhook_deliveries), (select count(*) from webhook_attempts),
        (select count(*) from webhook_attempts where outcome is null), (select max(total_attempts) from webhook_deliveries),
        (select count(*) from webhook_deliveries where state = 'EXHAUSTED')`)
  )
  const [deliveries, attempts, lost, most, exhausted] = rows[0]!.map(Number)
  return (
    `${events} events, ${deliveries} deliveries, ${log.length} requests, ${attempts} attempts` +
    ` (${lost} whose worker died, at most ${most} of one delivery), ${exhausted} exhausted`
  )
})
