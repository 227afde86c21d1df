/** The refusals of Result Orders, payments and Commerce Records: rows of the table in `refusal-rules.ts`. */
import { limits } from "./limits.ts"
import type { RefusalRule } from "./refusal-rule.ts"

export const commerceRefusals = {
  TERMS_DIGEST_MISMATCH: {
    status: 409,
    section: "2.13",
    to: "PERSON",
    detail: "The terms digest of the request is not that of this Result Order; read the order again.",
    nextAction: "REREAD_ORDER"
  },
  STALE_FINANCIAL_HEAD: {
    status: 409,
    section: "2.13",
    to: "PERSON",
    detail: "The Result Order has changed since this request was prepared; read it again.",
    nextAction: "REREAD_ORDER"
  },
  RESULT_ORDER_LIMIT: {
    status: 409,
    section: "8",
    to: "PERSON",
    detail: `Limit reached: ${limits.resultOrders} Result Orders of one project, including declined and withdrawn ones; agree on the payment outside of this service.`,
    nextAction: "AGREE_OUTSIDE"
  },
  PAYMENT_ATTEMPT_OPEN: {
    status: 409,
    section: "2.13",
    to: "PERSON",
    detail: "A payment attempt of this Result Order has not ended; wait until the provider reports its end.",
    nextAction: "REREAD_ORDER"
  },
  ATTEMPT_LIMIT: {
    status: 409,
    section: "8",
    to: "PERSON",
    detail: `Limit reached: ${limits.paymentAttempts} payment attempts of one Result Order; ask the supplier to withdraw it and to offer a new one.`,
    nextAction: "ASK_FOR_NEW_ORDER"
  },
  RECIPIENT_NOT_PAYABLE: {
    status: 409,
    section: "2.13",
    to: "PERSON",
    detail:
      "The supplier's recipient account cannot take payments yet; wait until the supplier has completed it at the provider.",
    nextAction: "WAIT_FOR_OTHER_PARTY"
  },
  COMMERCE_EXPORT_LIMIT: {
    status: 409,
    section: "7",
    to: "PERSON",
    detail: `Limit reached: ${limits.commerceEntries} captured entries in one Commerce Record; use an earlier export.`,
    nextAction: "USE_EARLIER_EXPORT"
  },
  COMMERCE_RECORD_NOT_EXPORTED: {
    status: 409,
    section: "2.13",
    to: "PERSON",
    detail:
      "No Commerce Record of this payment attempt has been exported, and a status belongs to an exported record; export one first.",
    nextAction: "EXPORT_COMMERCE_RECORD"
  },
  PAYMENT_ATTEMPT_MISSING: {
    status: 409,
    section: "2.14",
    to: "PERSON",
    detail:
      "This Result Order has no payment attempt, and a closure is about one; ask the buyer to open one once the order is approved.",
    nextAction: "REREAD_ORDER"
  },
  HISTORY_REFERENCE_INVALID: {
    status: 409,
    section: "2.14",
    to: "PERSON",
    detail:
      "The passport, the result or the agreement does not allow this history reference; correct what the issues name.",
    nextAction: "CORRECT_REQUEST"
  },
  CLOSURE_LINEAGE_INVALID: {
    status: 409,
    section: "7",
    to: "PERSON",
    detail:
      "The passport and the next agreement are not the recorded history of this transaction; correct what the issues name, or export the closure without it.",
    nextAction: "CORRECT_REQUEST"
  },
  NOTIFICATION_INVALID: {
    status: 400,
    section: "4.7",
    detail:
      "The notification is not signed by the payment provider within the last five minutes; its sender must sign it again with a current secret.",
    nextAction: "CORRECT_REQUEST"
  },
  PAYMENTS_NOT_CONFIGURED: {
    status: 503,
    section: "4.7",
    to: "PERSON",
    detail: "The installation has no payment provider for this Result Order; ask its operator.",
    nextAction: "ASK_OPERATOR"
  }
} as const satisfies { readonly [code: string]: RefusalRule }
