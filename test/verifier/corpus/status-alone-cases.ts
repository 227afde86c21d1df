/** Cases on a status as the artifact, without the record that it names. */
import { policyFor } from "../policy.ts"
import { at, jcs, keys, kid, type Members, signBytes } from "../signing.ts"
import type { Case, Expected } from "./case.ts"
import { failCase, type CaseInputs, okCase } from "./case-builders.ts"

const unrecorded = { reliance: "NONE", recordId: null, recordDigest: null }

/** The status of the brief result, with these changes before it is signed. */
const alone = (change: (status: Members) => unknown = () => undefined): CaseInputs => ({
  artifact: (sample) => sample.status,
  forgery: { status: (status) => void change(status) }
})

/** If a status is itself the artifact, its checks decide the verdict. */
const decided =
  (verdict: Expected["verdict"]) =>
  (...[name, why, check, code, making]: Parameters<typeof failCase>): Case => ({
    ...failCase(name, why, check, code, making),
    expected: { verdict, first: { check, code } }
  })
const refused = decided("REFUSED")
const misused = decided("UNREADABLE")

export const statusAloneCases: ReadonlyArray<Case> = [
  okCase(
    "status/alone_ok",
    "A status without the record that it speaks of: signed by the issuer, and not expired.",
    alone()
  ),
  okCase("status/alone-as-answer_ok", "The service's answer with a status in it, and no record.", {
    artifact: (sample) => ({ status: sample.status })
  }),
  okCase(
    "status/alone-before-a-record_ok",
    "A status of a project that has no record yet: nothing can be relied on.",
    alone((status) => Object.assign(status, { state: "SUBMITTED", ...unrecorded }))
  ),
  failCase(
    "status/alone-expired_fail",
    "The status is genuine and had expired; what was true then is proven, what is true now is not.",
    "status-fresh",
    "STATUS_STALE",
    { ...alone(), checkedAt: at(25) }
  ),
  refused(
    "status/alone-with-policy_fail",
    "A policy is given to be held against the authority of agents, and a status shows none.",
    "authority-anchor",
    "AUTHORITY_NOT_ENCLOSED",
    { ...alone(), policy: (sample) => policyFor(sample.package) }
  ),
  misused(
    "status/alone-with-another_fail",
    "A status is handed over as the artifact, and a second one beside it; one of them would go unread.",
    "status-file",
    "USAGE",
    { ...alone(), status: (sample) => sample.status }
  ),
  refused(
    "status/alone-of-another-environment_fail",
    "The status is of the live environment, and the key file of the test environment.",
    "status-issuer",
    "ENVIRONMENT_MISMATCH",
    alone((status) => (status["environment"] = "LIVE"))
  ),
  refused(
    "status/alone-unknown-state_fail",
    "The status of a project without a record names a state that does not exist.",
    "status-issuer",
    "STATUS_VALUE",
    alone((status) => Object.assign(status, { state: "ARCHIVED", ...unrecorded }))
  ),
  refused(
    "status/alone-record-without-digest_fail",
    "The status names a record, but not its digest, so that it could be any.",
    "status-issuer",
    "STATUS_VALUE",
    alone((status) => (status["recordDigest"] = null))
  ),
  refused(
    "status/alone-record-before-acceptance_fail",
    "The status names a record of a project in which nothing was accepted yet.",
    "status-issuer",
    "STATUS_VALUE",
    alone((status) => Object.assign(status, { state: "SUBMITTED", reliance: "NONE" }))
  ),
  refused(
    "status/alone-reliance_fail",
    "The status says that a withdrawn confirmation can be relied on; the one excludes the other.",
    "status-issuer",
    "STATUS_VALUE",
    alone((status) => (status["state"] = "CONFIRMATION_WITHDRAWN"))
  ),
  refused(
    "status/alone-window_fail",
    "The status claims to be good for a day; five minutes are the most.",
    "status-window",
    "STATUS_TIME",
    alone((status) => (status["expiresAt"] = "2026-11-22T09:20:00.000Z"))
  ),
  refused(
    "status/alone-unknown-member_fail",
    "The status has one member more, which could narrow what it says.",
    "status-form",
    "UNKNOWN_MEMBER",
    alone((status) => (status["exception"] = "CRITERIA"))
  ),
  refused(
    "status/alone-forged_fail",
    "A stranger signed the status under the name of the issuer's key; the signature is not that key's.",
    "status-signature",
    "SIGNATURE_INVALID",
    {
      artifact: (sample) => sample.status,
      forgery: {
        signStatus: (status) =>
          signBytes(
            jcs({ alg: "EdDSA", kid: kid("STATUS"), typ: status["schema"] }),
            jcs(status),
            keys.stranger.privateKey
          )
      }
    }
  ),
  refused(
    "status/alone-answer-with-more_fail",
    "The service's answer has a member beside the status, and so is no answer of the service.",
    "artifact-envelope",
    "MISSING_MEMBER",
    { artifact: (sample) => ({ status: sample.status, reliance: "CURRENT" }) }
  )
]
