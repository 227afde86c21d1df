/**
 * Cases on the current status of the publications in a passport: it never changes the verdict, and only a statement that
 * verifies, names the publication and its digest, and is valid now proves it.
 */
import { makeSample } from "../sample.ts"
import { statementOf, summaryOf } from "../sample-passport.ts"
import { at, jcs, type Members, signPayload } from "../signing.ts"
import type { Case } from "./case.ts"
import { passportFail, type PassportInputs, passportOk, signedBy } from "./passport-inputs.ts"

const check = "publication-status"

/** The second statement, before it is signed. */
const statement = (edit: (statement: Members) => unknown): PassportInputs => ({
  statement: (one, index) => void (index === 1 && edit(one))
})

/** A signed statement on the publication at this index, with these changes. */
const stated = (index: number, changes: Members = {}): string =>
  signPayload("STATUS", { ...statementOf(summaryOf(index)), ...changes })

/** A status file with these statements. */
const statuses = (...list: ReadonlyArray<unknown>): PassportInputs => ({ statuses: () => list })

const expired = { issuedAt: at(15), expiresAt: at(20) }
const unavailable = { status: "UNAVAILABLE" }

const proven: ReadonlyArray<Case> = [
  passportOk("publication/unavailable_ok", "One of the results is no longer public; its summary stays proven.", {
    statement: (one, index) => void (index === 1 && Object.assign(one, unavailable))
  }),
  passportOk("publication/file_ok", "The statements in the status file replace those in the passport.", {
    checkedAt: at(30),
    statuses: () => [0, 1].map((index) => stated(index, { issuedAt: at(29), expiresAt: at(34) }))
  }),
  passportOk("publication/another-order_ok", "A statement names its publication, so their order does not count.", {
    statuses: (sample) => sample.statuses.toReversed()
  }),
  passportOk("publication/twice_ok", "A publication has two statements that hold, and they agree.", {
    statuses: (sample) => [...sample.statuses, stated(1, { issuedAt: at(20, 1) })]
  }),
  passportOk("publication/expired-beside-fresh_ok", "An expired statement beside one that holds does not count.", {
    statuses: (sample) => [stated(1, { ...expired, ...unavailable }), ...sample.statuses]
  }),
  passportOk("publication/forged-beside-fresh_ok", "A forged statement beside one that holds does not count.", {
    statuses: (sample) => [
      signedBy("stranger", "STATUS")({ ...statementOf(summaryOf(1)), ...unavailable }),
      ...sample.statuses
    ]
  }),
  passportOk("publication/foreign-statement_ok", "A statement on a publication outside the passport is not used.", {
    statuses: (sample) => [...sample.statuses, stated(9, unavailable)]
  }),
  passportOk("publication/large-file_ok", "A status file for a passport may have more than 65,536 bytes.", {
    statuses: (sample) => [...sample.statuses, "a".repeat(65_536)]
  })
]

const unknown: ReadonlyArray<Case> = [
  passportOk(
    "publication/empty-file_ok",
    "The empty list in the status file replaces the statements in the passport; every status is unknown.",
    statuses()
  ),
  passportOk("publication/one-absent_ok", "No statement names the second publication; its status is unknown.", {
    statuses: (sample) => sample.statuses.slice(0, 1)
  }),
  passportOk(
    "publication/no-jws_ok",
    "A text that is not a JWS names no publication, so that its status is unknown for want of a statement.",
    statuses("AVAILABLE", "", "a.b", "a.b.c")
  )
]

const times: ReadonlyArray<Case> = [
  passportOk("publication/about-to-expire_ok", "The check is one millisecond before the statements expire.", {
    checkedAt: at(24, 59_999)
  }),
  passportFail(
    "publication/expired_fail",
    "The check is at the millisecond in which the statements expire; the passport stays proven.",
    check,
    "STATUS_STALE",
    { checkedAt: at(25) }
  ),
  passportFail(
    "publication/window-too-long_fail",
    "The statement claims to hold for five minutes and one millisecond; five minutes are the most.",
    check,
    "STATUS_TIME",
    statement((one) => (one["expiresAt"] = at(25, 1)))
  ),
  passportFail(
    "publication/ends-as-it-begins_fail",
    "The statement expires in the millisecond in which it was issued.",
    check,
    "STATUS_TIME",
    statement((one) => (one["expiresAt"] = at(20)))
  ),
  passportFail(
    "publication/from-the-future_fail",
    "The statement was issued one millisecond after the time of the check.",
    check,
    "TIME_FUTURE",
    statement((one) => Object.assign(one, { issuedAt: at(21, 1), expiresAt: at(26) }))
  )
]

const statements: ReadonlyArray<Case> = [
  passportFail(
    "publication/contradicting_fail",
    "Two statements hold, and one says that the publication is available and the other that it is not.",
    check,
    "STATUS_AMBIGUOUS",
    { statuses: (sample) => [...sample.statuses, stated(1, unavailable)] }
  ),
  passportFail(
    "publication/forged_fail",
    "A key outside the key file signed the statement under the name of the issuer's key.",
    check,
    "SIGNATURE_INVALID",
    { signStatement: signedBy("stranger", "STATUS") }
  ),
  passportFail(
    "publication/purpose_fail",
    "The issuer's key for publications signed the statement; it may sign no status.",
    check,
    "KEY_ROLE",
    { signStatement: signedBy("PUBLICATION") }
  ),
  passportFail(
    "publication/summary-as-statement_fail",
    "A summary stands in the place of the statement that names its publication.",
    check,
    "JWS_TYPE",
    { statuses: (sample) => sample.file["summaries"] }
  ),
  passportFail(
    "publication/broken_fail",
    "The signed text of a statement that names the publication was changed.",
    check,
    "SIGNATURE_INVALID",
    {
      statuses: ({ statuses }) =>
        statuses.map((jws) => {
          const [header, payload, signature] = jws.split(".")
          const changed = Buffer.from(payload!, "base64url").toString().replace("AVAILABLE", "UNAVAILABLE")
          return `${header}.${Buffer.from(changed).toString("base64url")}.${signature}`
        })
    }
  ),
  passportFail(
    "publication/two-faults_fail",
    "Two statements name the publication and neither holds; the first one in the list gives the fault.",
    check,
    "STATUS_TIME",
    statuses(stated(0), stated(1, { expiresAt: at(26) }), stated(1, expired))
  ),
  passportFail(
    "publication/another-digest_fail",
    "The statement is on another version of the publication's content.",
    check,
    "STATUS_SUBJECT",
    statement((one) => (one["publicationDigest"] = "0".repeat(64)))
  ),
  passportFail(
    "publication/unknown-word_fail",
    "The statement says UNKNOWN, which an issuer never signs.",
    check,
    "FIELD_TYPE",
    statement((one) => (one["status"] = "UNKNOWN"))
  ),
  passportFail(
    "publication/unknown-member_fail",
    "The statement has one member more, which could narrow what it says.",
    check,
    "UNKNOWN_MEMBER",
    statement((one) => (one["reason"] = "WITHDRAWN"))
  )
]

/** The response to an agent's request for the status of a result. */
const resultStatus = makeSample().status

const files: ReadonlyArray<Case> = [
  passportFail(
    "publication/file-of-a-result_fail",
    "The status file holds the status of a result, which is no statement on a publication.",
    check,
    "STATUS_KIND",
    { status: () => `${resultStatus}\n` }
  ),
  passportFail(
    "publication/file-with-answer-on-a-result_fail",
    "The status file is the service's response on the status of a result.",
    check,
    "STATUS_KIND",
    { status: () => ({ status: resultStatus }) }
  ),
  passportFail(
    "publication/file-with-one-statement_fail",
    "The status file is one statement without the list around it.",
    check,
    "STATUS_KIND",
    { status: (sample) => sample.statuses[0]! }
  ),
  passportFail("publication/file-of-objects_fail", "The list holds objects and no texts.", check, "FIELD_TYPE", {
    statuses: () => [0, 1].map((index) => statementOf(summaryOf(index)))
  }),
  passportFail("publication/file-truncated_fail", "The last byte of the list is missing.", check, "INPUT_NOT_JSON", {
    status: (sample) => jcs(sample.statuses).slice(0, -1)
  }),
  passportFail(
    "publication/alone_fail",
    "A single statement is no artifact: it names a publication and proves nothing of its content.",
    "artifact-envelope",
    "KIND",
    { artifact: (sample) => sample.statuses[0]! }
  ),
  passportFail(
    "publication/list-alone_fail",
    "The list of statements is handed over as the artifact.",
    "artifact-envelope",
    "FIELD_TYPE",
    { artifact: (sample) => jcs(sample.statuses) }
  )
]

export const publicationCases: ReadonlyArray<Case> = [proven, unknown, times, statements, files].flat()
