/** The tables of recipient accounts, Result Orders, payment attempts, their journals and exported Commerce Records. */
import type { CanonicalText } from "../canonical/jcs.ts"
import type { CheckoutRequest, ReadFailure } from "../ports/payments.ts"
import { instant, integer, json, nullable, table, text, type RowOf } from "../ports/table.ts"
import type { Facts } from "../vocabulary/payment-facts.ts"
import type { CommerceBinding, Component, PaymentEnvironment, Provider } from "../vocabulary/payments.ts"
import type { AttemptState } from "./attempt.ts"
import type { FinancialEvent } from "./financial-event.ts"
import type { JournalEntry } from "./journal.ts"
import type { OrderState } from "./moves.ts"
import type { OrderTerms } from "./terms.ts"

/** The account of an organization at a provider; two first requests may race. */
export const RecipientAccounts = table("recipient_accounts", {
  columns: {
    organizationId: text(),
    provider: text<Provider>(),
    environment: text<PaymentEnvironment>(),
    accountId: text(),
    createdAt: instant
  },
  key: ["organizationId", "provider", "environment"],
  guard: "append-only",
  raced: true
})

/** Terms and events are canonical text, since their bytes are hashed. */
export const ResultOrders = table("result_orders", {
  columns: {
    resultOrderId: text(),
    projectId: text(),
    recordId: text(),
    buyerOrganizationId: text(),
    supplierOrganizationId: text(),
    state: text<OrderState>(),
    terms: text<CanonicalText<OrderTerms>>(),
    offeredAt: instant
  },
  key: ["resultOrderId"],
  guard: { lock: "project", by: "projectId" },
  ordered: {
    byProject: ["projectId", "offeredAt", "resultOrderId"],
    byBuyer: ["buyerOrganizationId", "offeredAt", "resultOrderId"],
    bySupplier: ["supplierOrganizationId", "offeredAt", "resultOrderId"]
  }
})

/** The financial chain of an order. */
export const FinancialEvents = table("financial_events", {
  columns: {
    resultOrderId: text(),
    sequence: integer,
    projectId: text(),
    hash: text(),
    /** The event with its hash. */
    event: text<CanonicalText<FinancialEvent>>()
  },
  key: ["resultOrderId", "sequence"],
  guard: { lock: "project", by: "projectId" },
  provesCommit: true
})

/** The Result Package that was signed with an offer, as compact JWS. */
export const ResultOrderPackages = table("result_order_packages", {
  columns: { resultOrderId: text(), digest: text(), package: text() },
  key: ["resultOrderId"],
  guard: "append-only"
})

/** The payment attempts of Result Orders. */
export const CommerceOrders = table("commerce_orders", {
  columns: {
    commerceOrderId: text(),
    resultOrderId: text(),
    projectId: text(),
    number: integer,
    state: text<AttemptState>(),
    binding: text<CanonicalText<CommerceBinding>>(),
    /** The Result Order record that was signed at the opening, as compact JWS. */
    orderRecord: text(),
    /** The parameters of the checkout: every repetition sends the same ones. */
    checkoutRequest: json<CheckoutRequest>(),
    openedAt: instant,
    expiresAt: instant,
    /** Null while the answer to the opening is unknown. */
    checkoutId: nullable(text()),
    /** Null too for a checkout that was adopted: its address was never learned. */
    checkoutUrl: nullable(text()),
    /** A checkout that a notification named before any was learned; adopted if a readback shows that it is this attempt's. */
    hintedCheckoutId: nullable(text()),
    journalCount: integer,
    /** The canonical bytes of all entries. */
    journalBytes: integer,
    journalHead: text(),
    lastEntryAt: nullable(instant),
    releasedAt: nullable(instant),
    /** Raised with every change of the attempt: a readback that began before it is discarded. */
    captureRevision: integer,
    /** The readbacks in a row in which a component failed. */
    failures: integer,
    /** `never` after the last readback. */
    dueAt: instant,
    leasedUntil: instant,
    leaseToken: text()
  },
  key: ["commerceOrderId"],
  guard: { lock: "project", by: "projectId" },
  ordered: {
    byOrder: ["resultOrderId", "number", "commerceOrderId"],
    byDue: ["dueAt", "commerceOrderId"]
  },
  lease: { dueAt: "dueAt", leasedUntil: "leasedUntil", token: "leaseToken" }
})

/**
 * The journals of attempts: what was captured of the provider, as hash chains. Two captures could only write an equal entry
 * with the same facts at the same time, so that either proves what the other one wanted to commit.
 */
export const CommerceEntries = table("commerce_entries", {
  columns: { commerceOrderId: text(), sequence: integer, hash: text(), entry: text<CanonicalText<JournalEntry>>() },
  key: ["commerceOrderId", "sequence"],
  guard: "append-only",
  provesCommit: true
})

/** The latest captured facts of each entity of the provider. */
export const CommerceEntities = table("commerce_entities", {
  columns: {
    commerceOrderId: text(),
    component: text<Component>(),
    entity: text(),
    projectId: text(),
    /** The entry with these facts. */
    sequence: integer,
    facts: json<Facts>()
  },
  key: ["commerceOrderId", "component", "entity"],
  guard: { lock: "project", by: "projectId" },
  ordered: { byEntity: ["entity", "commerceOrderId", "component"] }
})

/** When each component of an attempt was last read, and why the last readback failed. */
export const CommerceComponents = table("commerce_components", {
  columns: {
    commerceOrderId: text(),
    component: text<Component>(),
    projectId: text(),
    lastObservedAt: nullable(instant),
    /** Null where the last readback succeeded. */
    failure: nullable(text<ReadFailure>())
  },
  key: ["commerceOrderId", "component"],
  guard: { lock: "project", by: "projectId" }
})

/** Exported Commerce Records: one for each length of a journal, signed once. */
export const CommerceExports = table("commerce_exports", {
  columns: {
    commerceOrderId: text(),
    count: integer,
    projectId: text(),
    recordDigest: text(),
    /** As compact JWS. */
    record: text(),
    exportedAt: instant
  },
  key: ["commerceOrderId", "count"],
  guard: { lock: "project", by: "projectId" },
  unique: { byDigest: ["recordDigest"] }
})

export type ResultOrderRow = RowOf<typeof ResultOrders>
export type CommerceOrderRow = RowOf<typeof CommerceOrders>
export type CommerceComponentRow = RowOf<typeof CommerceComponents>
