/** Cases on the status of a payment as the artifact, without the Commerce Record that it names. */
import { observed, payment, payout } from "../sample-commerce.ts"
import { neverRead } from "../sample-commerce-status.ts"
import { at } from "../signing.ts"
import type { Case } from "./case.ts"
import { aloneFail, aloneOk, component, observation, status } from "./commerce-status-inputs.ts"
import { signedBy } from "./passport-inputs.ts"

export const commerceStatusAloneCases: ReadonlyArray<Case> = [
  aloneOk("payment/alone_ok", "A status without its record: signed by the issuer, and every component is fresh."),
  aloneOk("payment/alone-extended_ok", "The status goes beyond the record that it names.", {
    later: [observed(10, "PAYOUT", payout(), "PROVIDER_OBSERVED_PAYOUT")]
  }),
  aloneOk("payment/alone-never-read_ok", "The status of an attempt that was never read.", neverRead),
  aloneFail(
    "payment/alone-stale_fail",
    "The status is genuine, and every component is an hour old.",
    "commerce-status-fresh",
    "STATUS_STALE",
    { checkedAt: at(80) }
  ),
  aloneFail(
    "payment/alone-with-another_fail",
    "A second status is handed over beside the status, and would not be read.",
    "status-file",
    "USAGE",
    { given: ({ statusFile }) => statusFile },
    "UNREADABLE"
  ),
  aloneFail(
    "payment/alone-with-policy_fail",
    "A policy on the authority of agents was given, and a status holds none.",
    "authority-anchor",
    "AUTHORITY_NOT_ENCLOSED",
    { policy: { schema: "service.authority-policy/v1", authorityAnchors: [], authorityRevocations: [] } }
  ),
  aloneFail(
    "payment/alone-jws_fail",
    "The JWS of a status is no artifact without its envelope.",
    "artifact-envelope",
    "KIND",
    { artifact: ({ statusFile }) => statusFile["status"] }
  ),
  aloneFail(
    "payment/alone-forged_fail",
    "A key outside the key file signed the status under the name of the issuer's key.",
    "commerce-status-signature",
    "SIGNATURE_INVALID",
    { signStatus: signedBy("stranger", "COMMERCE") }
  ),
  aloneFail(
    "payment/alone-other-issuer_fail",
    "The status names another issuer than the key file.",
    "commerce-status-issuer",
    "ISSUER_MISMATCH",
    status((one) => (one["issuer"] = "Another"))
  ),
  aloneFail(
    "payment/alone-shorter-journal_fail",
    "The journal is shorter than the record that the status names.",
    "commerce-status-latest",
    "STATUS_ROLLBACK",
    status((one) => (one["latest"].count = 3))
  ),
  aloneFail(
    "payment/alone-expiry-from-signing_fail",
    "The hour of a component begins with the signature.",
    "commerce-status-components",
    "STATUS_TIME",
    component(0, (one) => (one["expiresAt"] = at(80, 30)))
  ),
  aloneFail(
    "payment/alone-empty-journal-with-other-head_fail",
    "A journal without entries ends at something else than the digest of its binding.",
    "commerce-status-latest",
    "STATUS_VALUE",
    {
      ...neverRead,
      ...status((one) => (one["latest"].head = one["record"].head = "0".repeat(64)))
    }
  ),
  aloneFail(
    "payment/alone-replay-claimed_fail",
    "The status says that its record shows a read that is later than the entry.",
    "commerce-status-observation",
    "STATUS_REPLAY",
    observation(1, { statusObservation: null })
  ),
  aloneFail(
    "payment/alone-raised-label_fail",
    "A payment that was canceled after the record is labelled as verified.",
    "commerce-status-observation",
    "LABEL_MISMATCH",
    { later: [observed(10, "PAYMENT", payment({ state: "CANCELED" }), "PROVIDER_VERIFIED_PAYMENT")] }
  ),
  aloneFail(
    "payment/alone-raised-label-within_fail",
    "A payment in part is labelled as verified, within the record that is absent.",
    "commerce-status-observation",
    "LABEL_MISMATCH",
    observation(1, { facts: payment({ amountReceivedMinor: 1 }) })
  )
]
