/** Finished webhooks: outbox rows, deliveries and subscriptions of years of use, inserted by SQL. */
import { PgConnection } from "@effect/sql-pg"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { Effect } from "effect"
import { columnsOf, parameter, quoted } from "../../src/adapters/postgres-storage/columns.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { listed } from "../../src/adapters/postgres-storage/statements.ts"
import type { AnyTable, RowOf } from "../../src/ports/table.ts"
import { never, type Instant } from "../../src/vocabulary/instant.ts"
import {
  WebhookDeliveries,
  WebhookEvents,
  WebhookSubscriptions,
  type DeliveryRow,
  type EventRow,
  type SubscriptionRow
} from "../../src/webhooks/store.ts"

export interface HistorySize {
  /** Ended subscriptions, numbered outbox rows, and acknowledged deliveries: this many of each. */
  readonly finished: number
  /** The number of due ones of each. */
  readonly due: number
}

/** Inserts the rows without the rows they refer to, and analyzes the tables. */
export const fillHistory = Effect.fnUntraced(function* (database: ConnectionOptions, { finished, due }: HistorySize) {
  const session = yield* PgConnection.make(database)
  yield* session.query("set session_replication_role = replica", [], false)
  const total = finished + due
  const dueAt = `case when number <= ${due} then now() - interval '1 minute' else '${never}' end`
  // Due rows are spread among the others by their ids.
  const id = (prefix: string) => `'${prefix}_' || md5(number::text)`
  const long = (prefix: string) => `'${prefix}_' || encode(sha256(number::text::bytea), 'hex')`
  yield* fill(session, WebhookSubscriptions, subscription, { subscriptionId: id("webhook"), dueAt }, total)
  yield* fill(session, WebhookEvents, event, { eventId: id("event"), sequence: "number", dueAt }, total)
  yield* fill(
    session,
    WebhookDeliveries,
    delivery,
    {
      deliveryId: long("whd"),
      checkpoint: long("whc1_whd"),
      number: "number",
      eventId: id("event"),
      state: `case when number <= ${due} then 'PENDING' else 'DELIVERED' end`,
      dueAt
    },
    total
  )
  // Vacuum writes the visibility map and the hint bits now, and not during a measurement.
  yield* session.query("vacuum analyze", [], false)
  yield* session.query("checkpoint", [], false)
}, Effect.scoped)

/** The subscription of all of these deliveries. */
export const historySubscriptionId = "webhook_c4ca4238a0b923820dcc509a6f75849b"

/** That many rows; `own` gives SQL for the columns that differ, over `number` from 1. */
export const fill = <T extends AnyTable>(
  session: PgConnection.PgConnection,
  table: T,
  model: RowOf<T>,
  own: { readonly [C in keyof RowOf<T>]?: string },
  count: number
) => {
  const columns = columnsOf(table)
  const alike = columns.filter((column) => own[column] === undefined)
  const values = columns.map((column) => own[column] ?? `$${alike.indexOf(column) + 1}`)
  return session.query(
    `insert into ${quoted(table.name)} (${listed(columns)})` +
      ` select ${values.join(", ")} from generate_series(1, ${count}) as number`,
    alike.map((column) => parameter(table, column, model[column])),
    false
  )
}

const long = "2026-01-01T00:00:00.000Z" as Instant
const leased = { leasedUntil: long, leaseToken: "" }

const subscription: SubscriptionRow = {
  subscriptionId: "",
  owner: "grant_1",
  grantId: "grant_1",
  personId: "person_1",
  membershipId: "membership_1",
  target: "https://hooks.example.com/",
  projectIds: ["delivery_1"],
  eventTypes: ["delivery.submitted"],
  isPaused: false,
  createdAt: long,
  expiresAt: long,
  revokedAt: null,
  secretVersion: 1,
  sealedSecret: "sealed".repeat(20),
  deliveryCount: 0,
  failures: 0,
  exhausted: 0,
  flights: [],
  dueAt: never,
  ...leased
}

const event: EventRow = {
  eventId: "",
  projectId: "delivery_1",
  sequence: 1,
  type: "delivery.submitted",
  event: canonicalText({ text: "event".repeat(100) } as never),
  subscriptionIds: [historySubscriptionId],
  committedAt: long,
  dueAt: never,
  ...leased
}

const delivery: DeliveryRow = {
  deliveryId: "",
  subscriptionId: historySubscriptionId,
  number: 1,
  checkpoint: "",
  eventId: "",
  eventType: "delivery.submitted",
  projectId: "delivery_1",
  state: "DELIVERED",
  scheduledAttempts: 0,
  totalAttempts: 0,
  lastAttempt: { at: long, outcome: "ACKNOWLEDGED", statusCode: 204, durationMs: 12, envelopeDigest: "0".repeat(64) },
  dueAt: never,
  ...leased
}
