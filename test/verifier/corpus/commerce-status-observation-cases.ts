/** Cases on the observations in the status of a payment: their entries in the record, their labels, and what is replayed. */
import { checkout, dispute, observed, payment, payout, refund, transfer } from "../sample-commerce.ts"
import { at } from "../signing.ts"
import type { Case } from "./case.ts"
import { later, notReplayed, observation, statusFail } from "./commerce-status-inputs.ts"

export const statusObservationCases: ReadonlyArray<Case> = [
  statusFail(
    "payment/other-facts_fail",
    "An observation under the hash of the record's entry has another sum.",
    "commerce-status-observation",
    "STATUS_REPLAY",
    observation(1, { facts: payment({ amountReceivedMinor: 1 }) })
  ),
  statusFail(
    "payment/earlier-entry_fail",
    "The status repeats the opened checkout, which the record follows with the completed one.",
    "commerce-status-observation",
    "STATUS_REPLAY",
    observation(0, { sequence: 1, facts: checkout(), label: "PAYMENT_NOT_CONFIRMED" })
  ),
  statusFail(
    "payment/other-hash_fail",
    "An observation within the record has another hash than its entry.",
    "commerce-status-observation",
    "STATUS_REPLAY",
    observation(1, { hash: "0".repeat(64) })
  ),
  statusFail(
    "payment/other-entity_fail",
    "The payment has the record's entry under the id of another payment, which the record does not have.",
    "commerce-status-components",
    "STATUS_VALUE",
    observation(1, { entity: "pi_sim_2" })
  ),
  statusFail(
    "payment/replay-claimed_fail",
    "The status says that the record shows the last read, which is months after its entry.",
    "commerce-status-observation",
    "STATUS_REPLAY",
    observation(1, { statusObservation: null })
  ),
  statusFail(
    "payment/replay-of-later-entry-claimed_fail",
    "The status says that the record shows an entry that follows it.",
    "commerce-status-observation",
    "STATUS_REPLAY",
    { ...later, ...observation(2, { statusObservation: null }) }
  ),
  statusFail(
    "payment/replay-denied_fail",
    "The record shows the last read of the payment, and the status says that it does not.",
    "commerce-status-observation",
    "STATUS_REPLAY",
    {
      record: {
        observations: (all) => {
          for (const one of all) one["observedAt"] = at(20)
        }
      },
      ...observation(1, { statusObservation: notReplayed })
    }
  ),
  statusFail(
    "payment/raised-label_fail",
    "The completed checkout has the label of a verified payment, which the record does not give it.",
    "commerce-status-observation",
    "LABEL_MISMATCH",
    observation(0, { label: "PROVIDER_VERIFIED_PAYMENT" })
  ),
  statusFail(
    "payment/raised-later-label_fail",
    "A payment that was canceled after the record is still labelled as verified.",
    "commerce-status-observation",
    "LABEL_MISMATCH",
    { later: [observed(10, "PAYMENT", payment({ state: "CANCELED" }), "PROVIDER_VERIFIED_PAYMENT")] }
  ),
  statusFail(
    "payment/refund-of-another-charge_fail",
    "A later refund is of another charge than the payment of the status.",
    "commerce-status-observation",
    "LABEL_MISMATCH",
    { later: [observed(10, "REFUND", refund({ chargeId: "ch_sim_2" }), "PROVIDER_VERIFIED_REFUND")] }
  ),
  statusFail(
    "payment/hidden-dispute_fail",
    "A later dispute of the charge is not labelled.",
    "commerce-status-observation",
    "LABEL_MISMATCH",
    { later: [observed(10, "DISPUTE", dispute(), null)] }
  ),
  statusFail(
    "payment/transfer-to-another-account_fail",
    "A later transfer went to another account, and is labelled as one to the recipient.",
    "commerce-status-observation",
    "LABEL_MISMATCH",
    { later: [observed(10, "TRANSFER", transfer({ destinationAccount: "acct_sim_2" }), "PROVIDER_VERIFIED_TRANSFER")] }
  ),
  statusFail(
    "payment/payout-of-another-payment_fail",
    "A later payout is of a payment that no transfer of the status made.",
    "commerce-status-observation",
    "LABEL_MISMATCH",
    { later: [observed(10, "PAYOUT", payout({ destinationPaymentId: "py_sim_2" }), "PROVIDER_OBSERVED_PAYOUT")] }
  ),
  statusFail(
    "payment/later-entry-observed-earlier_fail",
    "An entry that follows the record was observed before the record's last one.",
    "commerce-status-components",
    "STATUS_TIME",
    { later: [observed(2, "REFUND", refund(), "PROVIDER_VERIFIED_REFUND")] }
  )
]
