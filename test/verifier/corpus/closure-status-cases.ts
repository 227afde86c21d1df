/** Cases of the current status of a closure: each half fails for itself, and never touches the verdict on the history. */
import { makeClosure } from "../sample-closure.ts"
import { charge, observed, payment, refund } from "../sample-commerce.ts"
import { at, digest, jcs, type Members } from "../signing.ts"
import type { Case } from "./case.ts"
import { closureFail, type ClosureInputs, closureOk } from "./closure-inputs.ts"
import { other, secondAttempt } from "./closure-samples.ts"
import { signedBy } from "./passport-inputs.ts"
import { statusSays } from "./samples.ts"

const both: ClosureInputs = { status: ({ statusFile }) => statusFile }
const file = (edit: (file: Members) => unknown): ClosureInputs => ({ ...both, statusFile: (one) => void edit(one) })

const laterRefund = [
  observed(30, "PAYMENT", payment({ charge: charge({ amountRefundedMinor: 25_000 }) }), "PROVIDER_VERIFIED_PAYMENT"),
  observed(30, "REFUND", refund(), "PROVIDER_VERIFIED_REFUND")
]

const changedLater = (state: string, reliance: string): ClosureInputs => ({
  ...both,
  result: {
    status: (status) => {
      statusSays(state, reliance).status!(status)
      status["headEventHash"] = digest("a later event")
    }
  }
})

const complete: ReadonlyArray<Case> = [
  closureOk("status", "Both halves of the status hold for the transaction.", both),
  closureOk(
    "status-contested",
    "A concern was raised after the payment; the status says so, and the closure verifies.",
    {
      ...changedLater("CONFIRMATION_CONTESTED", "PAUSED")
    }
  ),
  closureOk("status-withdrawn", "The confirmation was withdrawn after the payment; the status says so.", {
    ...changedLater("CONFIRMATION_WITHDRAWN", "STOPPED")
  }),
  closureOk("status-superseded", "The agreement was superseded after the payment; the status says so.", {
    ...changedLater("SUPERSEDED", "STOPPED")
  }),
  closureOk("status-refunded", "The payment was refunded after the closure; the status shows what it does not.", {
    ...both,
    paymentStatus: { later: laterRefund, lastObservedAt: {} }
  })
]

const results: ReadonlyArray<Case> = [
  closureFail(
    "status-result-forged",
    "A stranger signed the half on the result; the half on the payment holds.",
    "status-signature",
    "SIGNATURE_INVALID",
    { ...both, result: { signStatus: signedBy("stranger", "STATUS") } }
  ),
  closureFail(
    "status-result-unknown-member",
    "The half on the result has one member more.",
    "status-form",
    "UNKNOWN_MEMBER",
    { ...both, result: { status: (status) => void (status["paid"] = true) } }
  ),
  closureFail(
    "status-result-of-another",
    "The half on the result is that of another transaction.",
    "status-subject",
    "STATUS_SUBJECT",
    file((one) => (one["result"] = other.statusFile["result"]))
  ),
  closureFail(
    "status-result-stale",
    "The half on the result has expired; the half on the payment is fresh.",
    "status-fresh",
    "STATUS_STALE",
    { ...both, checkedAt: at(25) }
  ),
  closureFail(
    "status-result-older",
    "The half on the result is older than the last event of the package.",
    "status-head",
    "STATUS_ROLLBACK",
    { ...both, result: { status: (status) => void Object.assign(status, { issuedAt: at(17), expiresAt: at(22) }) } }
  ),
  closureFail(
    "status-halves-exchanged",
    "Each half stands in the place of the other.",
    "status-signature",
    "JWS_TYPE",
    file((one) => ([one["result"], one["commerce"]] = [one["commerce"], one["result"]]))
  )
]

const payments: ReadonlyArray<Case> = [
  closureFail(
    "status-payment-forged",
    "A stranger signed the half on the payment; the half on the result holds.",
    "commerce-status-signature",
    "SIGNATURE_INVALID",
    { ...both, paymentStatus: { signStatus: signedBy("stranger", "COMMERCE") } }
  ),
  closureFail(
    "status-payment-of-another-attempt",
    "The half on the payment is that of another attempt at the same order.",
    "commerce-status-record",
    "STATUS_SUBJECT",
    file((one) => (one["commerce"] = secondAttempt.statusFile["commerce"]))
  ),
  closureFail(
    "status-payment-of-another-order",
    "The half on the payment is that of another order.",
    "commerce-status-record",
    "STATUS_SUBJECT",
    file((one) => (one["commerce"] = other.statusFile["commerce"]))
  ),
  closureFail(
    "status-payment-of-earlier-record",
    "The half on the payment names an earlier Commerce Record of the same attempt.",
    "commerce-status-record",
    "STATUS_SUBJECT",
    file(
      (one) =>
        (one["commerce"] = makeClosure({ payment: { observations: (all) => all.slice(0, 1) } }).statusFile["commerce"])
    )
  ),
  closureFail(
    "status-payment-of-closure",
    "The half on the payment names the digest of the closure in place of the Commerce Record's.",
    "commerce-status-record",
    "STATUS_SUBJECT",
    { ...both, paymentStatus: { status: (status) => void (status["record"].digest = digest(makeClosure().body)) } }
  ),
  closureFail(
    "status-payment-rolled-back",
    "The half on the payment was signed before the Commerce Record.",
    "commerce-status-latest",
    "STATUS_ROLLBACK",
    { ...both, paymentStatus: { status: (status) => void (status["issuedAt"] = at(19, 59_999)) } }
  ),
  closureFail(
    "status-payment-stale",
    "Disputes were last asked for over an hour ago; the half on the result is fresh.",
    "commerce-status-fresh",
    "STATUS_STALE",
    { ...both, paymentStatus: { lastObservedAt: { DISPUTE: at(-40) } } }
  )
]

const files: ReadonlyArray<Case> = [
  closureFail(
    "status-of-payment-alone",
    "The status file is that of a Commerce Record alone.",
    "status-signature",
    "STATUS_KIND",
    { status: ({ statusFile }) => ({ schema: "service.commerce-status/v1", status: statusFile["commerce"] }) }
  ),
  closureFail(
    "status-of-result-alone",
    "The status file is that of a result alone.",
    "status-signature",
    "STATUS_KIND",
    { status: ({ statusFile }) => statusFile["result"] }
  ),
  closureFail("status-list", "The status file is a list of both halves.", "status-signature", "STATUS_KIND", {
    status: ({ statusFile }) => jcs([statusFile["result"], statusFile["commerce"]])
  }),
  closureFail(
    "status-unknown-member",
    "The status file has one member more.",
    "status-signature",
    "UNKNOWN_MEMBER",
    file((one) => (one["closure"] = "CURRENT"))
  ),
  closureFail(
    "status-without-payment",
    "The status file has no half on the payment.",
    "status-signature",
    "MISSING_MEMBER",
    file((one) => delete one["commerce"])
  ),
  closureFail(
    "status-payment-null",
    "The half on the payment is null.",
    "status-signature",
    "FIELD_TYPE",
    file((one) => (one["commerce"] = null))
  ),
  closureFail(
    "status-truncated",
    "The last byte of the status file is missing.",
    "status-signature",
    "INPUT_NOT_JSON",
    { status: ({ statusFile }) => jcs(statusFile).slice(0, -1) }
  )
]

export const closureStatusCases: ReadonlyArray<Case> = [complete, results, payments, files].flat()
