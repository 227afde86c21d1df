/**
 * Cases of closures whose parts are each signed by the issuer and consistent in themselves, and differ in one value that
 * ties them together.
 */
import { allObservations, dispute, observed, opened, refund } from "../sample-commerce.ts"
import { at, digest, uuid } from "../signing.ts"
import type { Case } from "./case.ts"
import { binding, body, closureFail, type ClosureInputs, closureOk, order, terms } from "./closure-inputs.ts"
import { anotherAttempt, firstRound, ofRevision, otherOrder, paidWith, thirdParty } from "./closure-samples.ts"
import { twoRounds } from "./samples.ts"

const bindingFail = (check: string, code: string) => (name: string, why: string, inputs: ClosureInputs) =>
  closureFail(name, why, `closure-${check}`, code, inputs)

const agreementFail = bindingFail("agreement", "AGREEMENT_MISMATCH")
const partyFail = bindingFail("parties", "PARTY_MISMATCH")
const deliveryFail = bindingFail("delivery", "SUBMISSION_MISMATCH")
const reviewFail = bindingFail("review", "REVIEW_MISMATCH")
const resultFail = bindingFail("result", "RESULT_MISMATCH")
const attemptFail = bindingFail("attempt", "ATTEMPT_MISMATCH")
const itemFail = bindingFail("item", "ITEM_MISMATCH")
const accountFail = bindingFail("account", "ACCOUNT_MISMATCH")
const timeFail = bindingFail("times", "JOURNAL_TIME")
const assuranceFail = bindingFail("assurance", "ASSURANCE_MISMATCH")

const anotherDigest = digest("another object")
const rounds = firstRound(twoRounds().package)

const deliveries: ReadonlyArray<Case> = [
  agreementFail(
    "terms-of-another-project",
    "The terms name another project.",
    terms((one) => (one["projectId"] = `delivery_${uuid(400)}`))
  ),
  agreementFail(
    "terms-of-another-agreement",
    "The terms name the same version with another digest.",
    terms((one) => (one["agreement"].digest = anotherDigest))
  ),
  agreementFail("agreement-of-revision", "The package is of the revised agreement, and the terms of the first.", {
    result: ofRevision,
    terms: (one) => void (one["agreement"] = { version: 1, digest: digest("the first version of the agreement") })
  }),
  deliveryFail("earlier-submission", "The terms name the submission of the first round, which was not accepted.", {
    base: twoRounds,
    terms: (one) =>
      void (one["submission"] = { id: rounds.submission["submissionId"], digest: digest(rounds.submission) })
  }),
  deliveryFail(
    "submission-changed",
    "The terms name the submission by its id, with the digest of another content.",
    terms((one) => (one["submission"].digest = anotherDigest))
  ),
  reviewFail("earlier-review", "The terms name the review of the first round, which asked for changes.", {
    base: twoRounds,
    terms: (one) => void (one["review"] = { id: rounds.review["reviewId"], digest: digest(rounds.review) })
  }),
  reviewFail(
    "another-confirmation",
    "The terms name another confirmation than the review made.",
    terms((one) => (one["confirmation"].id = `confirmation_${uuid(88)}`))
  ),
  resultFail(
    "another-record",
    "The terms name another Result Record, and what is paid for is that other one.",
    terms((one) => {
      one["record"].id = `record_${uuid(88)}`
      one["item"].id = `record_${uuid(88)}`
    })
  ),
  resultFail(
    "record-digest",
    "The terms name the record by its id, with the digest of another content.",
    terms((one) => (one["record"].digest = anotherDigest))
  ),
  closureFail(
    "package-digest",
    "The terms name another package than the enclosed one.",
    "closure-package",
    "PACKAGE_MISMATCH",
    terms((one) => (one["packageDigest"] = anotherDigest))
  )
]

const parties: ReadonlyArray<Case> = [
  partyFail(
    "parties-exchanged",
    "Buyer and supplier are exchanged in the terms, and the payment with them.",
    terms((one) => ([one["buyer"], one["supplier"]] = [one["supplier"], one["buyer"]]))
  ),
  partyFail(
    "third-party-as-supplier",
    "A third organization offers the supplier's result and is paid for it.",
    terms((one) => (one["supplier"].organizationId = thirdParty))
  ),
  partyFail(
    "third-party-as-buyer",
    "A third organization approves and pays in the place of the buyer.",
    terms((one) => (one["buyer"].organizationId = thirdParty))
  ),
  partyFail(
    "buyer-renamed",
    "The terms name the buyer's organization by its id, with another name.",
    terms((one) => (one["buyer"].name = "Bigger GmbH"))
  ),
  partyFail(
    "supplier-renamed",
    "The terms name the supplier's organization by its id, with another name.",
    terms((one) => (one["supplier"].name = "Bigger Ltd"))
  ),
  partyFail(
    "paid-by-third-party",
    "The payment is bound to a third organization as its buyer.",
    binding((one) => (one["buyerScope"] = thirdParty))
  ),
  partyFail(
    "paid-to-third-party",
    "The payment is bound to a third organization as its recipient.",
    binding((one) => (one["recipientScope"] = thirdParty))
  ),
  partyFail(
    "payment-parties-exchanged",
    "Buyer and recipient are exchanged in the payment alone.",
    binding((one) => ([one["buyerScope"], one["recipientScope"]] = [one["recipientScope"], one["buyerScope"]]))
  )
]

const payments: ReadonlyArray<Case> = [
  attemptFail(
    "another-attempt",
    "The payment is bound to another attempt at the order, over the same source.",
    binding((one) => (one["commerceOrderId"] = anotherAttempt))
  ),
  attemptFail(
    "another-order",
    "The payment is bound to another order, over the same source.",
    binding((one) => (one["resultOrderId"] = otherOrder))
  ),
  attemptFail(
    "another-source",
    "The payment is bound to another source than the order record states.",
    binding((one) => (one["acceptedSourceDigest"] = anotherDigest))
  ),
  itemFail(
    "item-of-terms",
    "The terms name the record, and sell another item.",
    terms((one) => (one["item"].id = `record_${uuid(88)}`))
  ),
  itemFail(
    "item-of-payment",
    "The payment is bound to another item than was offered.",
    binding((one) => (one["item"] = { ...one["item"], id: `record_${uuid(88)}` }))
  ),
  itemFail(
    "item-digest",
    "The payment is bound to the item by its id, with the digest of another content.",
    binding((one) => (one["item"] = { ...one["item"], digest: anotherDigest }))
  ),
  accountFail(
    "another-account",
    "The payment went to another account of the recipient than the buyer approved.",
    paidWith("recipientAccount", "acct_sim_1", "acct_sim_2")
  ),
  accountFail(
    "another-provider",
    "The payment was made at another provider than the buyer approved.",
    paidWith("provider", "SIMULATED", "STRIPE")
  ),
  closureFail(
    "payment-environment",
    "The order is for live money, and the payment was made in the provider's test environment.",
    "closure-environment",
    "PAYMENT_ENVIRONMENT_MISMATCH",
    { ...terms((one) => (one["environment"] = "LIVE")), ...paidWith("environment", "LIVE", "TEST") }
  ),
  closureFail(
    "another-currency",
    "The payment is of the same number in another currency.",
    "closure-currency",
    "CURRENCY_MISMATCH",
    paidWith("currency", "EUR", "JPY")
  ),
  closureFail(
    "another-amount",
    "The payment is of another amount than the buyer approved, and of its own amount in full.",
    "closure-amount",
    "AMOUNT_MISMATCH",
    paidWith("amountMinor", 125_000, 1_250)
  )
]

const times: ReadonlyArray<Case> = [
  timeFail("package-after-offer", "The package was signed one millisecond after the offer over it.", {
    result: { content: (content) => void (content["issuedAt"] = at(18, 2_001)) }
  }),
  timeFail(
    "order-before-approval",
    "The order record was signed one millisecond before the approval that it holds.",
    order((one) => (one["issuedAt"] = at(18, 2_999)))
  ),
  timeFail(
    "observed-before-order",
    "The provider was asked one millisecond before the attempt was opened.",
    order((one) => (one["issuedAt"] = at(19, 1)))
  ),
  timeFail(
    "closure-before-payment",
    "The closure was signed one millisecond before the Commerce Record that it encloses.",
    body((one) => (one["issuedAt"] = at(19, 59_999)))
  ),
  timeFail(
    "closure-before-order",
    "Nothing was captured, and the closure was signed one millisecond before the order record.",
    {
      payment: { observations: () => [] },
      ...order((one) => (one["issuedAt"] = at(20, 10_001)))
    }
  )
]

const assurance = (member: string, value: unknown): ClosureInputs =>
  body(({ data }) => (data.assurance[member] = value))
const returned: ClosureInputs = { payment: { observations: () => [...allObservations()].map((one) => ({ ...one })) } }
const unpaid: ClosureInputs = { payment: { observations: () => [{ ...opened }] } }

const pendingRefund = observed(10, "REFUND", refund({ state: "PENDING" }), null)
const closedDispute = observed(11, "DISPUTE", dispute({ disputed: false, status: "won" }), null)

const assurances: ReadonlyArray<Case> = [
  assuranceFail("assurance-raised", "The checkout is open, and the assurance states a verified payment.", {
    ...unpaid,
    ...assurance("payment", "PROVIDER_VERIFIED_PAYMENT")
  }),
  assuranceFail("assurance-of-nothing", "Nothing was captured, and the assurance states a verified payment.", {
    payment: { observations: () => [] },
    ...assurance("payment", "PROVIDER_VERIFIED_PAYMENT")
  }),
  assuranceFail("assurance-lowered", "The payment is verified, and the assurance states none.", {
    ...assurance("payment", null)
  }),
  assuranceFail("refund-hidden", "The payment was refunded in part, and the assurance states no refund.", {
    ...returned,
    ...assurance("refundedMinor", 0)
  }),
  assuranceFail("refund-invented", "Nothing was refunded, and the assurance states a refund.", {
    ...assurance("refundedMinor", 125_000)
  }),
  assuranceFail("pending-refund-counted", "A refund is pending, and the assurance states it as refunded.", {
    payment: { observations: (all) => [...all, { ...pendingRefund }] },
    ...assurance("refundedMinor", 25_000)
  }),
  closureOk("pending-refund", "A refund is pending and a dispute was closed; the assurance counts neither.", {
    payment: { observations: (all) => [...all, { ...pendingRefund }, { ...closedDispute }] }
  }),
  assuranceFail("reversal-hidden", "The transfer was reversed in part, and the assurance states no reversal.", {
    ...returned,
    ...assurance("reversedMinor", 0)
  }),
  assuranceFail("dispute-hidden", "The payment is disputed, and the assurance states no dispute.", {
    ...returned,
    ...assurance("disputed", false)
  })
]

export const closureBindingCases: ReadonlyArray<Case> = [deliveries, parties, payments, times, assurances].flat()
