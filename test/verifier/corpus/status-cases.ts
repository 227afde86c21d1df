/** Cases on the current status: it never changes the verdict on the history, and only a valid, fresh one is proven. */
import { hex } from "../forgeries.ts"
import { afterIssuance, concern, supplier, withdraw, buyer } from "../sample-steps.ts"
import { ids } from "../sample-ids.ts"
import type { Forgery } from "../sample.ts"
import { at, type Members, uuid } from "../signing.ts"
import { repackEvents, statusSays } from "./samples.ts"
import { briefSample, chainForgeries } from "./brief-sample.ts"
import type { Case } from "./case.ts"
import { failCase, type CaseInputs, okCase, recordAlone } from "./case-builders.ts"

const edit = (change: (status: Members) => unknown): Forgery => ({ status: (status) => void change(status) })

/** This status with a record alone. */
const beside = (change: (status: Members) => unknown): CaseInputs => ({
  artifact: recordAlone,
  status: (sample) => sample.status,
  forgery: edit(change)
})

const contested = chainForgeries(afterIssuance(concern(supplier)), statusSays("CONFIRMATION_CONTESTED", "PAUSED"))

const times: ReadonlyArray<Case> = [
  okCase("status/fresh_ok", "A status a minute old about exactly this package."),
  okCase("status/about-to-expire_ok", "The check is one millisecond before the status expires.", {
    checkedAt: at(24, 59_999)
  }),
  failCase(
    "status/expired_fail",
    "The check is at the millisecond in which the status expires; the history stays proven, the state is unknown.",
    "status-fresh",
    "STATUS_STALE",
    { checkedAt: at(25) }
  ),
  failCase(
    "status/window-too-long_fail",
    "The status claims to be good for five minutes and one millisecond; five minutes are the most.",
    "status-window",
    "STATUS_TIME",
    beside((status) => (status["expiresAt"] = at(25, 1)))
  ),
  failCase(
    "status/ends-before-it-begins_fail",
    "The status expires one millisecond before it was issued; it never held.",
    "status-window",
    "STATUS_TIME",
    beside((status) => (status["expiresAt"] = at(19, 59_999)))
  ),
  failCase(
    "status/from-the-future_fail",
    "The status was issued one millisecond after the time of the check; nobody can have had it.",
    "status-signature",
    "TIME_FUTURE",
    beside((status) => Object.assign(status, { issuedAt: at(21, 1), expiresAt: at(26) }))
  )
]

const missing: ReadonlyArray<Case> = [
  okCase("status/absent_ok", "The package comes without a status; its current state is unknown, and never good.", {
    artifact: (sample) => sample.review["record"]
  }),
  failCase(
    "status/null_fail",
    "In the place of the status is null; what is no status is not the same as none.",
    "status-signature",
    "JWS_FORM",
    { forgery: { review: (file) => void (file["status"] = null) } }
  ),
  failCase(
    "status/file-without-status_fail",
    "The file of the status holds an empty object, which is no status.",
    "status-signature",
    "JWS_FORM",
    {
      status: () => "{}\n"
    }
  ),
  failCase(
    "status/file-of-publications_fail",
    "The status file holds a list of statements, as for a passport; none of them is on a result.",
    "status-signature",
    "STATUS_KIND",
    {
      status: () => "[]\n"
    }
  ),
  failCase(
    "status/file-member-twice_fail",
    "The service's answer names two statuses; two readers could take either.",
    "status-signature",
    "DUPLICATE_KEY",
    { status: (sample) => `{"status":"${sample.status}","status":"${briefSample(contested).status}"}` }
  ),
  okCase("status/file-is-an-answer_ok", "The file of the status is the service's answer, with the status in it.", {
    status: (sample) => ({ status: sample.status })
  })
]

const subjects: ReadonlyArray<Case> = [
  failCase(
    "status/of-another-project_fail",
    "The status is of another project and says nothing about this record.",
    "status-subject",
    "STATUS_SUBJECT",
    beside((status) => (status["projectId"] = ids.successor))
  ),
  failCase(
    "status/of-another-agreement_fail",
    "The status is of other terms than those that the record names.",
    "status-subject",
    "STATUS_SUBJECT",
    beside((status) => (status["agreementDigest"] = hex("1")))
  ),
  failCase(
    "status/of-another-record_fail",
    "The status names another record and says nothing about this one.",
    "status-subject",
    "STATUS_SUBJECT",
    beside((status) => (status["recordId"] = `record_${uuid(88)}`))
  ),
  failCase(
    "status/unknown-state_fail",
    "The status names a state that does not exist; it must not be taken for a good one.",
    "status-issuer",
    "STATUS_VALUE",
    beside((status) => Object.assign(status, { state: "ARCHIVED", reliance: "NONE" }))
  ),
  failCase(
    "status/reliance-of-another-state_fail",
    "The status names a confirmation that stands, and says that it cannot be relied on; one of the two is wrong.",
    "status-issuer",
    "STATUS_VALUE",
    beside((status) => (status["reliance"] = "PAUSED"))
  ),
  failCase(
    "status/unknown-reliance_fail",
    "The status names a reliance that does not exist; it must not be taken for a good one.",
    "status-form",
    "FIELD_TYPE",
    beside((status) => (status["reliance"] = "MAYBE"))
  ),
  failCase(
    "status/without-nonce_fail",
    "The status has no nonce, so nobody can tell which question it answers.",
    "status-form",
    "MISSING_MEMBER",
    beside((status) => delete status["nonce"])
  )
]

const heads: ReadonlyArray<Case> = [
  failCase(
    "status/of-hidden-concern_fail",
    "The concern after the issuance was taken out of the package; its own status knows a head that is not there.",
    "status-head",
    "STATUS_ROLLBACK",
    {
      forgery: chainForgeries(
        contested,
        repackEvents((events) => events.pop())
      )
    }
  ),
  failCase(
    "status/older-than-package_fail",
    "A status from before the concern is given with a package that holds the concern; old news must not replace it.",
    "status-head",
    "STATUS_ROLLBACK",
    { forgery: contested, status: () => briefSample().status }
  ),
  failCase(
    "status/of-an-earlier-head_fail",
    "The package's own status names an event of the middle of its history, and so is older than the package.",
    "status-head",
    "STATUS_ROLLBACK",
    {
      forgery: ((): Forgery => {
        let earlier = ""
        return {
          event: (event, index) => void (index === 3 && (earlier = event["previous"])),
          status: (status) => void (status["headEventHash"] = earlier)
        }
      })()
    }
  ),
  failCase(
    "status/issued-before-its-head_fail",
    "The package's own status was issued one millisecond before the event that it names as the last one.",
    "status-head",
    "STATUS_ROLLBACK",
    {
      forgery: edit((status) => Object.assign(status, { issuedAt: at(17, 59_999), expiresAt: at(22) }))
    }
  ),
  failCase(
    "status/beyond-package-but-older_fail",
    "A status given beside the package names a head that is not in it, and was issued before the package's last event.",
    "status-head",
    "STATUS_ROLLBACK",
    {
      forgery: edit((status) =>
        Object.assign(status, { headEventHash: hex("1"), issuedAt: at(17, 59_999), expiresAt: at(22) })
      ),
      status: (sample) => sample.status
    }
  ),
  failCase(
    "status/beyond-the-end_fail",
    "The package ends with a withdrawal, which nothing follows; a status given beside it names a later event.",
    "status-head",
    "STATUS_ROLLBACK",
    {
      forgery: chainForgeries(
        afterIssuance(withdraw(buyer)),
        edit((status) => (status["headEventHash"] = hex("1")))
      ),
      status: (sample) => sample.status
    }
  ),
  failCase(
    "status/state-is-not-of-its-head_fail",
    "The status names the package's last event and a withdrawal, which this history does not hold.",
    "status-head",
    "STATUS_VALUE",
    { forgery: statusSays("CONFIRMATION_WITHDRAWN", "STOPPED") }
  ),
  okCase(
    "status/newer-than-package_ok",
    "The package ends with the issuance; a status given with it knows of a later withdrawal, which is not enclosed.",
    {
      status: () =>
        briefSample(chainForgeries(afterIssuance(withdraw(buyer)), statusSays("CONFIRMATION_WITHDRAWN", "STOPPED")))
          .status
    }
  ),
  okCase(
    "status/file-over-travelled-status_ok",
    "The status that travelled with the package is of another record; the one given beside it counts.",
    { forgery: edit((status) => (status["recordDigest"] = hex("1"))), status: () => briefSample().status }
  ),
  failCase(
    "status/of-another-record-for-record-alone_fail",
    "A record alone is given with a status of another record, which says nothing about it.",
    "status-subject",
    "STATUS_SUBJECT",
    {
      artifact: recordAlone,
      forgery: edit((status) => (status["recordDigest"] = hex("1"))),
      status: (sample) => sample.status
    }
  )
]

export const statusCases: ReadonlyArray<Case> = [...times, ...missing, ...subjects, ...heads]
