/** Cases on the status of a payment beside its Commerce Record: its file, its record, its times and its observations. */
import { allObservations, observed, payment } from "../sample-commerce.ts"
import { neverRead, otherBinding } from "../sample-commerce-status.ts"
import { at } from "../signing.ts"
import type { Case } from "./case.ts"
import { component, later, notReplayed, observation, status, statusFail, statusOk } from "./commerce-status-inputs.ts"
import { statusObservationCases } from "./commerce-status-observation-cases.ts"
import { signedBy } from "./passport-inputs.ts"

const complete: ReadonlyArray<Case> = [
  statusOk("payment/unchanged_ok", "Nothing was captured after the record, and every component was read again."),
  statusOk("payment/extended_ok", "A refund was captured after the record; the record does not show it.", later),
  statusOk("payment/whole_ok", "Every component has an observation, all of them within the record.", {
    record: { observations: () => [...allObservations()] }
  }),
  statusOk("payment/beyond-an-empty-record_ok", "The record has no entries, and the payment came after it.", {
    record: { observations: () => [] },
    later: allObservations()
  }),
  statusOk("payment/shown-by-record_ok", "The record shows the last read of every component.", {
    record: {
      observations: (all) => {
        for (const one of all) one["observedAt"] = at(20)
      }
    }
  }),
  statusOk(
    "payment/never-read_ok",
    "No component was ever read: nothing fails, and nothing current is proven.",
    neverRead
  ),
  statusOk("payment/one-never-read_ok", "Payouts were never read; the other components are fresh.", {
    lastObservedAt: { PAYOUT: null }
  }),
  statusOk("payment/last-millisecond_ok", "Every component is fresh for one more millisecond.", {
    checkedAt: "2026-11-21T10:19:59.999Z"
  }),
  statusOk("payment/lost-label_ok", "The payment was canceled after the record, and is verified no longer.", {
    later: [observed(10, "PAYMENT", payment({ state: "CANCELED" }), null)]
  })
]

const files: ReadonlyArray<Case> = [
  statusFail(
    "payment/of-a-result_fail",
    "The status file is the service's answer on a result.",
    "commerce-status-signature",
    "STATUS_KIND",
    { given: ({ statusFile }) => ({ status: statusFile["status"] }) }
  ),
  statusFail(
    "payment/jws-alone_fail",
    "The status file is the JWS without its envelope.",
    "commerce-status-signature",
    "STATUS_KIND",
    { given: ({ statusFile }) => statusFile["status"] }
  ),
  statusFail(
    "payment/unknown-member_fail",
    "The file has one member more, beside the signed ones.",
    "commerce-status-signature",
    "UNKNOWN_MEMBER",
    { statusFile: (file) => void (file["refunded"] = false) }
  ),
  statusFail(
    "payment/forged_fail",
    "A key outside the key file signed the status under the name of the issuer's key.",
    "commerce-status-signature",
    "SIGNATURE_INVALID",
    { signStatus: signedBy("stranger", "COMMERCE") }
  ),
  statusFail(
    "payment/purpose_fail",
    "The issuer's key for the status of results signed that of a payment.",
    "commerce-status-signature",
    "KEY_ROLE",
    { signStatus: signedBy("STATUS") }
  ),
  statusFail(
    "payment/record-as-status_fail",
    "The JWS in the file is that of the record.",
    "commerce-status-signature",
    "JWS_TYPE",
    { given: ({ file, statusFile }) => ({ ...statusFile, status: file["record"] }) }
  ),
  statusFail(
    "payment/future_fail",
    "The status is dated after the time of the check.",
    "commerce-status-signature",
    "TIME_FUTURE",
    status((one) => (one["issuedAt"] = at(22)))
  ),
  statusFail(
    "payment/bank-receipt_fail",
    "The status claims that a bank received the money.",
    "commerce-status-form",
    "FIELD_TYPE",
    status((one) => (one["bankReceiptVerified"] = true))
  ),
  statusFail(
    "payment/facts-of-another-component_fail",
    "An observation of the checkout has the facts of a payment.",
    "commerce-status-form",
    "FIELD_TYPE",
    observation(0, { facts: payment() })
  ),
  statusFail(
    "payment/seven-components_fail",
    "A component is there twice.",
    "commerce-status-form",
    "LIMIT_SIZE",
    status((one) => one["components"].push(one["components"][5]))
  ),
  statusFail(
    "payment/other-environment_fail",
    "The status is of the issuer's live environment, and the record of the test environment.",
    "commerce-status-issuer",
    "ENVIRONMENT_MISMATCH",
    status((one) => (one["environment"] = "LIVE"))
  )
]

const subjects: ReadonlyArray<Case> = [
  statusFail(
    "payment/of-another-record_fail",
    "The status names another record of the same payment.",
    "commerce-status-record",
    "STATUS_SUBJECT",
    status((one) => (one["record"].digest = "0".repeat(64)))
  ),
  statusFail(
    "payment/of-another-payment_fail",
    "The status is of a payment to another account, under the digest of this record.",
    "commerce-status-record",
    "STATUS_SUBJECT",
    status((one) => (one["binding"] = otherBinding()))
  ),
  statusFail(
    "payment/other-count_fail",
    "The status binds the record with one entry less.",
    "commerce-status-record",
    "STATUS_SUBJECT",
    status((one) => (one["record"].count = 3))
  ),
  statusFail(
    "payment/other-head_fail",
    "The status binds the record with the hash of another entry as its head.",
    "commerce-status-record",
    "STATUS_SUBJECT",
    status((one) => (one["record"].head = one["components"][1].observations[0].hash))
  ),
  statusFail(
    "payment/shorter-journal_fail",
    "The latest journal is shorter than that of the record.",
    "commerce-status-latest",
    "STATUS_ROLLBACK",
    status((one) => (one["latest"].count = 3))
  ),
  statusFail(
    "payment/older-than-record_fail",
    "The status was signed before the record that it names.",
    "commerce-status-latest",
    "STATUS_ROLLBACK",
    { status: (one) => void (one["issuedAt"] = at(19)), lastObservedAt: {} }
  ),
  statusFail(
    "payment/forked-journal_fail",
    "The latest journal has as many entries as the record, and another head.",
    "commerce-status-latest",
    "STATUS_VALUE",
    status((one) => (one["latest"].head = "0".repeat(64)))
  ),
  statusFail(
    "payment/extension-hidden_fail",
    "The journal goes beyond the record, and the status says nothing of that.",
    "commerce-status-latest",
    "STATUS_VALUE",
    { ...later, ...status((one) => (one["historyExtension"] = null)) }
  ),
  statusFail(
    "payment/extension-claimed_fail",
    "The status says that the journal goes beyond the record, where both end alike.",
    "commerce-status-latest",
    "STATUS_VALUE",
    status((one) => (one["historyExtension"] = notReplayed))
  )
]

const components: ReadonlyArray<Case> = [
  statusFail(
    "payment/components-in-another-order_fail",
    "The components stand in another order.",
    "commerce-status-form",
    "FIELD_TYPE",
    status((one) => one["components"].reverse())
  ),
  statusFail(
    "payment/component-left-out_fail",
    "The disputes are left out.",
    "commerce-status-form",
    "FIELD_TYPE",
    status((one) => one["components"].splice(3, 1))
  ),
  statusFail(
    "payment/expiry-from-signing_fail",
    "The hour of a component begins with the signature, and not with its last read.",
    "commerce-status-components",
    "STATUS_TIME",
    component(1, (one) => (one["expiresAt"] = at(80, 30)))
  ),
  statusFail(
    "payment/expiry-without-read_fail",
    "A component that was never read has an hour of its own.",
    "commerce-status-components",
    "STATUS_VALUE",
    component(5, (one) => (one["lastObservedAt"] = null))
  ),
  statusFail(
    "payment/observation-without-read_fail",
    "A component has an observation, and was never read.",
    "commerce-status-components",
    "STATUS_VALUE",
    component(1, (one) => Object.assign(one, { lastObservedAt: null, expiresAt: null }))
  ),
  statusFail(
    "payment/read-after-signing_fail",
    "A component was read after the status was signed.",
    "commerce-status-components",
    "STATUS_TIME",
    component(2, (one) => Object.assign(one, { lastObservedAt: at(20, 31), expiresAt: at(80, 31) }))
  ),
  statusFail(
    "payment/observed-after-last-read_fail",
    "An observation is later than the last read of its component.",
    "commerce-status-components",
    "STATUS_TIME",
    observation(4, { observedAt: at(20, 1) })
  ),
  statusFail(
    "payment/entity-twice_fail",
    "An entity has two observations, so that a reader could pick one.",
    "commerce-status-components",
    "STATUS_VALUE",
    component(4, (one) => one["observations"].push({ ...one["observations"][0], sequence: 5 }))
  ),
  statusFail(
    "payment/entity-left-out_fail",
    "The record has a payment, and the status none.",
    "commerce-status-components",
    "STATUS_VALUE",
    component(1, (one) => (one["observations"] = []))
  ),
  statusFail(
    "payment/last-entry-left-out_fail",
    "The journal ends with a refund that the status does not show.",
    "commerce-status-components",
    "STATUS_VALUE",
    { ...later, ...component(2, (one) => (one["observations"] = [])) }
  ),
  statusFail(
    "payment/observation-beyond-journal_fail",
    "An observation has a number that the journal has not reached.",
    "commerce-status-components",
    "STATUS_VALUE",
    observation(4, { sequence: 9 })
  ),
  statusFail(
    "payment/times-against-numbers_fail",
    "A later entry was observed earlier than the one before it.",
    "commerce-status-components",
    "STATUS_TIME",
    { ...later, ...observation(1, { observedAt: at(-30) }) }
  )
]

const freshness: ReadonlyArray<Case> = [
  statusFail(
    "payment/one-hour_fail",
    "Exactly one hour after the last read every component is stale.",
    "commerce-status-fresh",
    "STATUS_STALE",
    { checkedAt: at(80) }
  ),
  statusFail(
    "payment/one-component-stale_fail",
    "The disputes were read an hour before the check, the other components a minute before it.",
    "commerce-status-fresh",
    "STATUS_STALE",
    { lastObservedAt: { DISPUTE: at(-39) } }
  )
]

export const commerceStatusCases: ReadonlyArray<Case> = [
  ...complete,
  ...files,
  ...subjects,
  ...components,
  ...statusObservationCases,
  ...freshness
]
