/** The operations of people on Result Orders, their payment attempts and records, and recipient accounts. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { roles } from "../access/actions.ts"
import { EmptyBody, StrictBody } from "../http/body.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { forPeople, SessionAuthentication } from "../people/session-authentication.ts"
import { OrganizationId } from "../people/wire.ts"
import { readFailures } from "../ports/payments.ts"
import { ProjectPath } from "../projects/answer.ts"
import { Digest, idOf, UuidV4 } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { isCurrency } from "../vocabulary/money.ts"
import { components, currency, orderAmount, paymentEnvironments, providers } from "../vocabulary/payments.ts"
import { textUpTo } from "../vocabulary/text.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { attemptStates } from "./attempt.ts"
import { CommerceRecordFile } from "./commerce-record.ts"
import { CommerceStatusFile } from "./commerce-status.ts"
import { FinancialEvent, JournalPosition } from "./financial-event.ts"
import { orderActions, type OrderAction } from "./guards.ts"
import { orderStates } from "./moves.ts"
import { OrderTerms } from "./terms.ts"

export const PaymentAttempt = Schema.Struct({
  commerceOrderId: Schema.String,
  number: Schema.Int,
  state: Schema.Literals(attemptStates).annotate({
    description:
      "All but RELEASED are live. UNVERIFIED: the provider reports a payment with other values than the terms. An attempt that was paid after its release is PAID."
  }),
  expiresAt: Instant,
  checkoutUrl: Schema.NullOr(Schema.String).annotate({
    description: "The checkout at the provider, for the buyer while the attempt is OPEN and no other one was paid."
  }),
  journal: JournalPosition,
  components: Schema.Array(
    Schema.Struct({
      component: Schema.Literals(components),
      lastObservedAt: Schema.NullOr(Instant).annotate({
        description: "When the provider was asked for the facts that are known; null if it was never read."
      }),
      failure: Schema.NullOr(Schema.Literals(readFailures)).annotate({
        description: "Why the last readback could not read it; the facts that are known stay."
      })
    })
  )
}).annotate({ identifier: "PaymentAttempt" })

const actionNames = Object.keys(orderActions) as ReadonlyArray<OrderAction>

export const ResultOrderView = Schema.Struct({
  resultOrderId: Schema.String,
  projectId: Schema.String,
  side: Schema.Literals(roles),
  state: Schema.Literals(orderStates),
  terms: OrderTerms,
  termsDigest: Schema.String.annotate({
    description: "SHA-256 over the canonical form (RFC 8785) of `terms`; every command names it."
  }),
  financialHead: Schema.String.annotate({ description: "The hash of the last event; every command names it." }),
  financialEvents: Schema.Array(FinancialEvent),
  attempts: Schema.Array(PaymentAttempt),
  attention: Schema.Array(
    Schema.Struct({ commerceOrderId: Schema.String, reason: Schema.Literals(["UNVERIFIED", "LATE_PAYMENT"]) })
  ).annotate({ description: "Payments that people have to settle outside of this service." }),
  availableActions: Schema.Array(Schema.Literals(actionNames)),
  replayed: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "ResultOrder" })

const ResultOrderList = Schema.Struct({
  resultOrders: Schema.Array(ResultOrderView),
  availableActions: Schema.Array(Schema.Literals(["OFFER_RESULT_ORDER"]))
}).annotate({ identifier: "ResultOrderList" })

const ResultOrderPage = Schema.Struct({
  resultOrders: Schema.Array(ResultOrderView),
  next: Schema.NullOr(Schema.String).annotateKey({
    description: "The `after` of the next page; null on the last one. A page can hold fewer orders than its limit."
  })
}).annotate({ identifier: "ResultOrderPage" })

const knownCurrency = currency.check(
  Schema.makeFilter(isCurrency, { message: "Expected the ISO 4217 code of a payment currency" })
)

const OfferResultOrder = Schema.Struct({
  requestId: UuidV4,
  agreementDigest: Digest,
  recordId: idOf("record"),
  currency: knownCurrency.annotate({ description: "One of the provider's currencies." }),
  amountMinor: orderAmount.annotate({
    description: "The fixed inclusive total, in the currency's minor unit: 125000 is EUR 1250.00 and JPY 125000."
  })
}).annotate({ identifier: "OfferResultOrder" })

const preconditions = { requestId: UuidV4, termsDigest: Digest, financialHead: Digest }
const OrderCommand = Schema.Struct(preconditions).annotate({ identifier: "ResultOrderCommand" })
const ReasonedOrderCommand = Schema.Struct({ ...preconditions, reason: textUpTo(limits.textCharacters) }).annotate({
  identifier: "ReasonedResultOrderCommand"
})

const OrderPath = { orderId: idOf("order") }

const commandCodes = [
  ...checks.person,
  ...checks.requestId,
  "TERMS_DIGEST_MISMATCH",
  "STALE_FINANCIAL_HEAD",
  "STATE_CONFLICT"
] as const satisfies ReadonlyArray<RefusalCode>

export const RecipientAccount = Schema.Struct({
  accountId: Schema.String.annotate({ description: "The provider's id of the account." }),
  provider: Schema.Literals(providers),
  environment: Schema.Literals(paymentEnvironments),
  payable: Schema.Boolean.annotate({ description: "True if the provider lets the account receive payments now." }),
  onboardingUrl: Schema.NullOr(Schema.String).annotate({
    description:
      "Where the supplier completes the account at the provider; it expires soon and belongs in no e-mail. Null for members without FINANCIAL_MANAGE, and where nothing is to be completed."
  })
}).annotate({ identifier: "RecipientAccount" })

const AccountPath = { organizationId: OrganizationId }
const accountCodes = [...checks.person, "PAYMENTS_NOT_CONFIGURED"] as const satisfies ReadonlyArray<RefusalCode>

export class ResultOrdersGroup extends HttpApiGroup.make("resultOrders", { topLevel: true })
  .add(
    HttpApiEndpoint.post("offerResultOrder", "/projects/:id/result-orders", {
      params: ProjectPath,
      payload: OfferResultOrder,
      success: ResultOrderView.pipe(HttpApiSchema.status(201)),
      error: refuses(
        ...checks.person,
        ...checks.requestId,
        ...checks.signer,
        ...checks.signedHead,
        "AGREEMENT_DIGEST_MISMATCH",
        "RESULT_NOT_ISSUED",
        "STATE_CONFLICT",
        "ALREADY_EXISTS",
        "RESULT_ORDER_LIMIT",
        "RECIPIENT_NOT_PAYABLE",
        "PAYMENTS_NOT_CONFIGURED"
      )
    }).annotateMerge(
      titled(
        "Offer the issued result for a fixed total, for the supplier's representative",
        "The whole Result Package is signed and kept with the offer. A record has at most one order that is neither declined nor withdrawn."
      )
    ),
    HttpApiEndpoint.get("listProjectResultOrders", "/projects/:id/result-orders", {
      params: ProjectPath,
      success: ResultOrderList,
      error: refuses(...checks.person)
    }).annotateMerge(titled("The Result Orders of a project, newest first, declined and withdrawn ones too")),
    HttpApiEndpoint.get("listResultOrders", "/result-orders", {
      query: { organizationId: OrganizationId, after: Schema.optionalKey(OrderPath.orderId) },
      success: ResultOrderPage,
      error: refuses(...checks.person)
    }).annotateMerge(
      titled(
        `The Result Orders of an organization as buyer or supplier, newest first, ${limits.resultOrdersOnPage} on a page`
      )
    ),
    HttpApiEndpoint.get("readResultOrder", "/result-orders/:orderId", {
      params: OrderPath,
      success: ResultOrderView,
      error: refuses(...checks.person)
    }).annotateMerge(titled("Read a Result Order with its payment attempts, for either side")),
    HttpApiEndpoint.post("approveResultOrder", "/result-orders/:orderId/approve", {
      params: OrderPath,
      payload: OrderCommand,
      success: ResultOrderView,
      error: refuses(...commandCodes)
    }).annotateMerge(titled("Approve the terms with this digest, for the buyer")),
    HttpApiEndpoint.post("declineResultOrder", "/result-orders/:orderId/decline", {
      params: OrderPath,
      payload: ReasonedOrderCommand,
      success: ResultOrderView,
      error: refuses(...commandCodes)
    }).annotateMerge(titled("Decline an offered Result Order, for the buyer")),
    HttpApiEndpoint.post("withdrawResultOrder", "/result-orders/:orderId/withdraw", {
      params: OrderPath,
      payload: ReasonedOrderCommand,
      success: ResultOrderView,
      error: refuses(...commandCodes, "PAYMENT_ATTEMPT_OPEN")
    }).annotateMerge(
      titled(
        "Withdraw a Result Order, for the supplier's representative",
        "Final. It is refused while the buyer may pay: until the provider reports the end of the open attempt, or a payment with other values than the terms."
      )
    ),
    HttpApiEndpoint.post("payResultOrder", "/result-orders/:orderId/payments", {
      params: OrderPath,
      payload: OrderCommand,
      success: ResultOrderView.pipe(HttpApiSchema.status(201)),
      error: refuses(
        ...commandCodes,
        ...checks.signer,
        "PAYMENT_ATTEMPT_OPEN",
        "ATTEMPT_LIMIT",
        "RECIPIENT_NOT_PAYABLE",
        "PAYMENTS_NOT_CONFIGURED"
      )
    }).annotateMerge(
      titled(
        "Open a payment attempt with a checkout at the provider, for the buyer",
        "An attempt is OPENING while the provider does not answer: the service repeats the request. The order takes another attempt only once the provider has reported the end of this one."
      )
    )
  )
  .pipe(forPeople) {}

export class RecipientAccountsGroup extends HttpApiGroup.make("recipientAccounts", { topLevel: true })
  .add(
    HttpApiEndpoint.post("openRecipientAccount", "/organizations/:organizationId/recipient-account", {
      params: AccountPath,
      success: RecipientAccount,
      error: refuses(...accountCodes)
    }).annotateMerge(
      titled(
        "Open the organization's account at the payment provider, or continue with the one that it has",
        "Each answer has a new address at which the supplier completes the account. An organization has one account at one provider in one environment."
      )
    ),
    HttpApiEndpoint.get("readRecipientAccount", "/organizations/:organizationId/recipient-account", {
      params: AccountPath,
      success: RecipientAccount,
      error: refuses(...accountCodes)
    }).annotateMerge(titled("Read the organization's account at the payment provider"))
  )
  .pipe(forPeople) {}

export const RefreshedCommerceOrder = Schema.Struct({
  commerceOrderId: Schema.String,
  observedAt: Instant.annotate({ description: "When the provider was asked." }),
  coalesced: Schema.Boolean.annotate({
    description: `True if the attempt had been read back less than ${limits.refreshCoalescing / 1000} seconds before, so that this request did not ask the provider.`
  }),
  components: Schema.Array(
    Schema.Struct({
      component: Schema.Literals(components),
      outcome: Schema.Literals(["READ", "FAILED"]),
      lastObservedAt: Schema.NullOr(Instant).annotate({
        description: "The last successful read; a failed one does not change it. Null if there was none."
      }),
      newEntries: Schema.Int.annotate({ description: "The entries that this request added to the journal." })
    })
  ),
  journal: JournalPosition
}).annotate({ identifier: "RefreshedCommerceOrder" })

const CommercePath = { commerceOrderId: idOf("commerce") }

export class CommerceRecords extends HttpApiGroup.make("commerceRecords", { topLevel: true })
  .add(
    HttpApiEndpoint.get("exportCommerceRecord", "/orders/:commerceOrderId/record", {
      params: CommercePath,
      success: CommerceRecordFile.annotate({ identifier: "CommerceRecordFile" }),
      error: refuses(...checks.person, ...checks.signer, "COMMERCE_EXPORT_LIMIT")
    }).annotateMerge(
      titled(
        "The Commerce Record of one payment attempt, as the file commerce-record.json",
        "The captured journal as it is now, with its labels, signed once: equal journals give equal bytes. It proves what the provider reported to this service, and no receipt by a bank."
      )
    ),
    HttpApiEndpoint.get("readCommerceStatus", "/orders/:commerceOrderId/status", {
      params: CommercePath,
      query: {
        recordDigest: Schema.optionalKey(
          Digest.annotate({
            description: "The `recordDigest` of an exported record of this attempt; without it, the longest one."
          })
        )
      },
      success: CommerceStatusFile.annotate({ identifier: "CommerceStatusFile" }),
      error: refuses(...checks.person, ...checks.signer, "COMMERCE_RECORD_NOT_EXPORTED", "COMMERCE_EXPORT_LIMIT")
    }).annotateMerge(
      titled(
        "What became of an exported Commerce Record, as the file commerce-status.json",
        "The latest captured observation of every entity, signed now. Each component is fresh for one hour after its last successful read, which this request does not repeat: it never asks the provider. An earlier export keeps its status when the attempt has been captured further, and when another attempt has replaced it."
      )
    ),
    HttpApiEndpoint.post("refreshCommerceOrder", "/orders/:commerceOrderId/refresh", {
      params: CommercePath,
      payload: EmptyBody,
      success: RefreshedCommerceOrder,
      error: refuses(...checks.person, "STATE_CONFLICT", "PAYMENTS_NOT_CONFIGURED")
    }).annotateMerge(
      titled(
        "Ask the payment provider now about one attempt, instead of when it is due",
        "A component that cannot be read keeps its facts and the time of its last read. If none can be read, the answer is TEMPORARILY_UNAVAILABLE."
      )
    )
  )
  .middleware(StrictBody)
  .middleware(SessionAuthentication)
  .prefix("/api/commerce") {}
