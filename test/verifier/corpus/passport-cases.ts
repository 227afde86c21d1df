/** Cases on the file of a Result Passport and on its manifest. */
import { makePassport, passportIds } from "../sample-passport.ts"
import { at, jcs, type Members, uuid } from "../signing.ts"
import type { Case } from "./case.ts"
import { passportFail, type PassportInputs, passportOk, signedBy } from "./passport-inputs.ts"

const manifest = (edit: (manifest: Members) => unknown): PassportInputs => ({ manifest: (one) => void edit(one) })
const file = (edit: (file: Members) => unknown): PassportInputs => ({ file: (one) => void edit(one) })

const canonicalBytesMax = 2_097_152

/** A further text in the statuses, so that the canonical form of the file has this many bytes. */
const filledTo = (bytes: number): PassportInputs =>
  file((one) => {
    const { length } = jcs({ ...one, statuses: [...one["statuses"], ""] })
    one["statuses"] = [...one["statuses"], "a".repeat(bytes - length)]
  })

const complete: ReadonlyArray<Case> = [
  passportOk("passport/two-results_ok", "Two results of one supplier, each with its signed summary and a status."),
  passportOk("passport/one-result_ok", "One result is the smallest selection.", { count: 1 }),
  passportOk("passport/twenty-results_ok", "Twenty results are the largest selection.", { count: 20 }),
  passportOk(
    "passport/without-statements_ok",
    "The passport holds no statement; what it proves stays proven, and every status is unknown.",
    file((one) => (one["statuses"] = []))
  ),
  passportOk("passport/summary-signed-with-manifest_ok", "Summary and manifest were signed in one millisecond.", {
    summary: (one) => void (one["issuedAt"] = at(20))
  }),
  passportOk(
    "passport/subject-renamed_ok",
    "The supplier was renamed between two summaries; the id of the subject counts, not its name.",
    { summary: (one, index) => void (index === 1 && (one["subject"].name = "Supplier and Daughters Ltd")) }
  ),
  passportOk(
    "passport/key-revoked-since_ok",
    "The key was revoked after it signed; the signatures stay valid, and the report states the revocation.",
    { trust: (keyFile) => void (keyFile["keys"][0].revokedAt = at(20, 1)) }
  ),
  passportOk(
    "passport/at-size-limit_ok",
    "The canonical form has exactly 2,097,152 bytes, and the file more, since white space does not count.",
    filledTo(canonicalBytesMax)
  ),
  passportFail(
    "passport/over-size-limit_fail",
    "The canonical form has one byte more than 2,097,152.",
    "artifact-envelope",
    "LIMIT_SIZE",
    { ...filledTo(canonicalBytesMax + 1), artifact: (sample) => jcs(sample.file) }
  )
]

const envelope: ReadonlyArray<Case> = [
  passportFail(
    "passport/unknown-member_fail",
    "The file has one member more, which could claim an endorsement.",
    "artifact-envelope",
    "UNKNOWN_MEMBER",
    file((one) => (one["endorsedBy"] = "Supplier Ltd"))
  ),
  passportFail(
    "passport/without-member-statuses_fail",
    "The member for the statements is absent; an empty list is how a passport says that it has none.",
    "artifact-envelope",
    "MISSING_MEMBER",
    file((one) => delete one["statuses"])
  ),
  passportFail(
    "passport/statuses-null_fail",
    "The member for the statements is null and not a list.",
    "artifact-envelope",
    "FIELD_TYPE",
    file((one) => (one["statuses"] = null))
  ),
  passportFail(
    "passport/manifest-in-the-clear_fail",
    "The manifest is the object itself and not a JWS, so that no signature covers it.",
    "artifact-envelope",
    "FIELD_TYPE",
    file((one) => (one["manifest"] = { schema: "service.result-passport/v1" }))
  ),
  passportFail(
    "passport/another-version_fail",
    "The file is of a second version, which this verifier must not interpret.",
    "artifact-envelope",
    "VERSION",
    file((one) => (one["schema"] = "service.result-passport/v2"))
  ),
  passportFail(
    "passport/manifest-alone_fail",
    "The JWS of the manifest is no artifact: without the summaries it proves digests alone.",
    "artifact-envelope",
    "KIND",
    { artifact: (sample) => sample.file["manifest"] }
  ),
  passportFail(
    "passport/with-policy_fail",
    "A policy on the authority of agents was given, and a passport holds none.",
    "authority-anchor",
    "AUTHORITY_NOT_ENCLOSED",
    { policy: { schema: "service.authority-policy/v1", authorityAnchors: [], authorityRevocations: [] } }
  )
]

const signed: ReadonlyArray<Case> = [
  passportFail(
    "passport/manifest-forged_fail",
    "A key outside the key file signed the manifest under the name of the issuer's key.",
    "passport-signature",
    "SIGNATURE_INVALID",
    { signManifest: signedBy("stranger", "PUBLICATION") }
  ),
  passportFail(
    "passport/manifest-purpose_fail",
    "The issuer's key for records signed the manifest; it may sign no publications.",
    "passport-signature",
    "KEY_ROLE",
    { signManifest: signedBy("RECORD") }
  ),
  passportFail(
    "passport/summary-as-manifest_fail",
    "A summary stands in the place of the manifest.",
    "passport-signature",
    "JWS_TYPE",
    file((one) => (one["manifest"] = one["summaries"][0]))
  ),
  passportFail(
    "passport/manifest-from-the-future_fail",
    "The manifest was signed one millisecond after the time of the check.",
    "passport-signature",
    "TIME_FUTURE",
    manifest((one) => (one["issuedAt"] = at(21, 1)))
  ),
  passportFail(
    "passport/manifest-after-revocation_fail",
    "The key was revoked in the millisecond in which it signed the manifest.",
    "passport-signature",
    "KEY_REVOKED",
    { trust: (keyFile) => void (keyFile["keys"][0].revokedAt = at(20)) }
  ),
  passportFail(
    "passport/manifest-private-member_fail",
    "The manifest names the project of an agreement, which no passport contains.",
    "passport-form",
    "UNKNOWN_MEMBER",
    manifest((one) => (one["entries"][0].projectId = `delivery_${uuid(1)}`))
  ),
  passportFail(
    "passport/complete-history_fail",
    "The manifest claims to cover the whole history; a passport covers a selection.",
    "passport-form",
    "FIELD_TYPE",
    manifest((one) => (one["coverage"] = "COMPLETE_HISTORY"))
  ),
  passportFail(
    "passport/selected-by-supplier_fail",
    "The manifest claims that the supplier selected the results; the requester does.",
    "passport-form",
    "FIELD_TYPE",
    manifest((one) => (one["selectedBy"] = "SUPPLIER"))
  ),
  passportFail(
    "passport/wider-scope_fail",
    "The manifest claims that the original results were verified.",
    "passport-form",
    "FIELD_TYPE",
    manifest((one) => (one["verificationScope"] = "ORIGINAL_RESULTS"))
  ),
  passportFail(
    "passport/digest-form_fail",
    "A digest in the manifest is in upper case.",
    "passport-form",
    "DIGEST_FORM",
    manifest((one) => (one["entries"][0].summaryDigest = "A".repeat(64)))
  ),
  passportFail(
    "passport/another-issuer_fail",
    "The manifest names another issuer than the key file.",
    "passport-issuer",
    "ISSUER_MISMATCH",
    manifest((one) => (one["issuer"] = "Another Issuer"))
  ),
  passportFail(
    "passport/another-environment_fail",
    "The manifest is of the live environment, and the key file of the test environment.",
    "passport-issuer",
    "ENVIRONMENT_MISMATCH",
    manifest((one) => (one["environment"] = "LIVE"))
  )
]

const selection: ReadonlyArray<Case> = [
  passportFail("passport/no-results_fail", "The selection is empty.", "passport-set", "PASSPORT_SET", { count: 0 }),
  passportFail(
    "passport/twenty-one-results_fail",
    "The selection has one result more than 20.",
    "passport-set",
    "PASSPORT_SET",
    { count: 21 }
  ),
  passportFail(
    "passport/publication-twice_fail",
    "Two entries name one publication.",
    "passport-set",
    "PASSPORT_SET",
    manifest((one) => (one["entries"][1].publicationId = passportIds.publication(0)))
  ),
  passportFail(
    "passport/result-twice_fail",
    "Two publications are of one result, which would count twice.",
    "passport-set",
    "PASSPORT_SET",
    { summary: (one) => void (one["resultId"] = passportIds.result(0)) }
  ),
  passportFail(
    "passport/summary-removed_fail",
    "The manifest lists two results, and the file holds one summary.",
    "passport-set",
    "PASSPORT_SET",
    file((one) => one["summaries"].pop())
  ),
  passportFail(
    "passport/summary-doubled_fail",
    "The file holds a summary twice, one more than the manifest lists.",
    "passport-set",
    "PASSPORT_SET",
    file((one) => one["summaries"].push(one["summaries"][1]))
  ),
  passportFail(
    "passport/summary-added_fail",
    "The file holds a genuine summary that the requester did not select.",
    "passport-set",
    "PASSPORT_SET",
    file((one) => one["summaries"].push(makePassport({ count: 3 }).file["summaries"][2]))
  ),
  passportFail(
    "passport/entry-removed_fail",
    "The manifest lists one result, and the file holds two summaries.",
    "passport-set",
    "PASSPORT_SET",
    manifest((one) => one["entries"].pop())
  )
]

export const passportCases: ReadonlyArray<Case> = [complete, envelope, signed, selection].flat()
