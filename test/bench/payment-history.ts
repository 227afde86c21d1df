/** Payment attempts of years of use, inserted by SQL: those that are never read back again, and due ones. */
import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { canonicalText } from "../../src/canonical/jcs.ts"
import type { ConnectionOptions } from "../../src/adapters/postgres-storage/connections.ts"
import { CommerceOrders, type CommerceOrderRow } from "../../src/commerce/store.ts"
import { never, type Instant } from "../../src/vocabulary/instant.ts"
import { binding } from "../support/payment-facts.ts"
import { fill, type HistorySize } from "./webhook-history.ts"

/** Inserts the rows without the orders that they refer to, and analyzes the table. */
export const fillAttempts = Effect.fnUntraced(function* (database: ConnectionOptions, { finished, due }: HistorySize) {
  const session = yield* PgConnection.make(database)
  yield* session.query("set session_replication_role = replica", [], false)
  const own = {
    commerceOrderId: "'commerce_' || md5(number::text)",
    resultOrderId: "'order_' || md5(number::text)",
    // Due rows are spread among the others by their ids.
    dueAt: `case when number <= ${due} then now() - interval '1 minute' else '${never}' end`
  }
  yield* fill(session, CommerceOrders, attempt, own, finished + due)
  yield* session.query("vacuum analyze commerce_orders", [], false)
  yield* session.query("checkpoint", [], false)
}, Effect.scoped)

const long = "2026-01-01T00:00:00.000Z" as Instant

const { commerceOrderId, acceptedSourceDigest, currency, amountMinor, recipientAccount } = binding

const attempt: CommerceOrderRow = {
  commerceOrderId: "",
  resultOrderId: "",
  projectId: "delivery_1",
  number: 1,
  state: "PAID",
  binding: canonicalText(binding),
  orderRecord: "record".repeat(50),
  checkoutRequest: {
    commerceOrderId,
    acceptedSourceDigest,
    currency,
    amountMinor,
    recipientAccount,
    title: "A sea chart",
    expiresAt: long,
    returnUrl: "https://countersign.test/workspace/orders/order_1"
  },
  openedAt: long,
  expiresAt: "2026-01-01T01:00:00.000Z" as Instant,
  checkoutId: "cs_sim_1",
  checkoutUrl: "https://payments.simulated.test/checkouts/cs_sim_1",
  hintedCheckoutId: null,
  journalCount: 1,
  journalBytes: 1_000,
  journalHead: "0".repeat(64),
  lastEntryAt: long,
  releasedAt: null,
  captureRevision: 1,
  failures: 0,
  dueAt: never,
  leasedUntil: long,
  leaseToken: ""
}
