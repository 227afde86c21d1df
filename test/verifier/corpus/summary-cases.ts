/** Cases on the summaries in a Result Passport, and on the entries of its manifest that name them. */
import { makePassport, passportIds } from "../sample-passport.ts"
import { at, type Members, sha256, uuid } from "../signing.ts"
import type { Case } from "./case.ts"
import { payloadOf } from "./samples.ts"
import { passportFail, type PassportInputs, signedBy } from "./passport-inputs.ts"

/** The second summary before it is hashed and signed, so that its entry fits it. */
const summary = (edit: (summary: Members) => unknown): PassportInputs => ({
  summary: (one, index) => void (index === 1 && edit(one))
})
/** The second entry of the manifest. */
const entry = (edit: (entry: Members, entries: Array<Members>) => unknown): PassportInputs => ({
  manifest: (one) => void edit(one["entries"][1], one["entries"])
})
const file = (edit: (file: Members) => unknown): PassportInputs => ({ file: (one) => void edit(one) })

const signed: ReadonlyArray<Case> = [
  passportFail(
    "summary/status-in-its-place_fail",
    "A statement on the status of the publication stands in the place of its summary.",
    "summary-signature",
    "JWS_TYPE",
    file((one) => (one["summaries"][1] = one["statuses"][1]))
  ),
  passportFail(
    "summary/manifest-in-its-place_fail",
    "The manifest stands in the place of a summary.",
    "summary-signature",
    "JWS_TYPE",
    file((one) => (one["summaries"][1] = one["manifest"]))
  ),
  passportFail(
    "summary/purpose_fail",
    "The issuer's key for records signed the summary; it may sign no publications.",
    "summary-signature",
    "KEY_ROLE",
    { signSummary: signedBy("RECORD") }
  ),
  passportFail(
    "summary/forged_fail",
    "A key outside the key file signed the summaries, and the issuer a manifest that names them.",
    "summary-signature",
    "SIGNATURE_INVALID",
    { signSummary: signedBy("stranger", "PUBLICATION") }
  ),
  passportFail(
    "summary/no-jws_fail",
    "In the place of a summary is a text that is not a JWS.",
    "summary-signature",
    "JWS_FORM",
    file((one) => (one["summaries"][1] = "Text and table in German and English."))
  ),
  passportFail(
    "summary/amount_fail",
    "The summary states an amount, which no summary contains.",
    "summary-form",
    "UNKNOWN_MEMBER",
    summary((one) => (one["amountMinor"] = 125_000))
  ),
  passportFail(
    "summary/private-person_fail",
    "The summary names a person beside the subject, which no summary contains.",
    "summary-form",
    "UNKNOWN_MEMBER",
    summary((one) => (one["subject"].actorId = `person_${uuid(3)}`))
  ),
  passportFail(
    "summary/no-criteria_fail",
    "The summary is of a result that met no criterion.",
    "summary-form",
    "FIELD_TYPE",
    summary((one) => (one["criteriaMet"] = 0))
  ),
  passportFail(
    "summary/title-empty_fail",
    "The title of the summary is empty.",
    "summary-form",
    "FIELD_TYPE",
    summary((one) => (one["title"] = ""))
  ),
  passportFail(
    "summary/buyer-absent_fail",
    "The member for the buyer's name is absent; null is how a summary says that it names no buyer.",
    "summary-form",
    "MISSING_MEMBER",
    summary((one) => delete one["buyerName"])
  ),
  passportFail(
    "summary/another-issuer_fail",
    "A summary names another issuer than the key file.",
    "summary-issuer",
    "ISSUER_MISMATCH",
    summary((one) => (one["issuer"] = "Another Issuer"))
  ),
  passportFail(
    "summary/another-environment_fail",
    "A summary is of the live environment, and the key file of the test environment.",
    "summary-issuer",
    "ENVIRONMENT_MISMATCH",
    summary((one) => (one["environment"] = "LIVE"))
  )
]

const listed: ReadonlyArray<Case> = [
  passportFail(
    "summary/exchanged_fail",
    "Two summaries changed places.",
    "passport-entry",
    "DIGEST_MISMATCH",
    file((one) => one["summaries"].reverse())
  ),
  passportFail(
    "summary/entries-exchanged_fail",
    "Two entries of the manifest changed places.",
    "passport-entry",
    "DIGEST_MISMATCH",
    entry((_, entries) => entries.reverse())
  ),
  passportFail(
    "summary/doubled_fail",
    "The first summary stands in the place of the second one too.",
    "passport-entry",
    "DIGEST_MISMATCH",
    file((one) => (one["summaries"][1] = one["summaries"][0]))
  ),
  passportFail(
    "summary/signed-again_fail",
    "Another key of the issuer signed the same summary again; the digest covers the whole JWS.",
    "passport-entry",
    "DIGEST_MISMATCH",
    {
      trust: (keyFile) => void keyFile["keys"][2].purposes.push("PUBLICATION"),
      file: (one) => void (one["summaries"][1] = signedBy("RECORD")(payloadOf(one["summaries"][1])))
    }
  ),
  passportFail(
    "summary/digest-of-payload_fail",
    "`summaryDigest` is the digest of the payload and not that of the enclosed JWS.",
    "passport-entry",
    "DIGEST_MISMATCH",
    entry((one) => (one["summaryDigest"] = one["publicationDigest"]))
  ),
  passportFail(
    "summary/digest-without-quotes_fail",
    "`summaryDigest` is the digest of the JWS without the quotation marks of its JSON text.",
    "passport-entry",
    "DIGEST_MISMATCH",
    entry((one) => (one["summaryDigest"] = sha256(makePassport().file["summaries"][1])))
  ),
  passportFail(
    "summary/publication-digest-of-jws_fail",
    "`publicationDigest` is the digest of the enclosed JWS and not that of its payload.",
    "passport-entry",
    "DIGEST_MISMATCH",
    entry((one) => (one["publicationDigest"] = one["summaryDigest"]))
  ),
  passportFail(
    "summary/publication-digest-of-record_fail",
    "`publicationDigest` is the digest of the Result Record.",
    "passport-entry",
    "DIGEST_MISMATCH",
    entry((one) => (one["publicationDigest"] = sha256("record 1")))
  ),
  passportFail(
    "summary/another-publication_fail",
    "The manifest gives the summary the id of another publication.",
    "passport-entry",
    "SUMMARY_MISMATCH",
    entry((one) => (one["publicationId"] = passportIds.publication(9)))
  ),
  passportFail(
    "summary/another-result_fail",
    "The manifest gives the summary the id of another result.",
    "passport-entry",
    "SUMMARY_MISMATCH",
    entry((one) => (one["resultId"] = passportIds.result(9)))
  ),
  passportFail(
    "summary/time-off_fail",
    "The manifest states the completion one millisecond later than the summary.",
    "passport-entry",
    "SUMMARY_MISMATCH",
    entry((one) => (one["completionTime"] = at(10, 2)))
  ),
  passportFail(
    "summary/another-subject_fail",
    "The summary is of another supplier than the manifest.",
    "passport-entry",
    "SUMMARY_SUBJECT",
    summary((one) => (one["subject"].id = `provider_${uuid(61)}`))
  ),
  passportFail(
    "summary/later-than-manifest_fail",
    "The summary was signed one millisecond after the manifest that lists it.",
    "passport-entry",
    "JOURNAL_TIME",
    summary((one) => (one["issuedAt"] = at(20, 1)))
  )
]

export const summaryCases: ReadonlyArray<Case> = [signed, listed].flat()
