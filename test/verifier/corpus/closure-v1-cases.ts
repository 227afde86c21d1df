/** Cases on closures of the first version, which this service never issues. */
import { makeClosure } from "../sample-closure.ts"
import { type ClosureV1Forgery, type ClosureV1Sample, makeClosureV1 } from "../sample-closure-v1.ts"
import { at, detach, jcs, keys, kid, type Members, signBytes, signPayload } from "../signing.ts"
import { bytesOf, type Content, verdictOf } from "./case-builders.ts"
import type { Case } from "./case.ts"
import { signedBy } from "./passport-inputs.ts"

interface Inputs extends ClosureV1Forgery {
  readonly artifact?: (sample: ClosureV1Sample) => Content
  readonly status?: Content
  readonly policy?: Members
}

const make = (name: string, why: string, inputs: Inputs): Omit<Case, "expected"> => {
  const sample = makeClosureV1(inputs)
  return {
    name: `closure/v1-${name}`,
    why,
    checkedAt: at(21),
    artifact: bytesOf(inputs.artifact?.(sample) ?? sample.file),
    trust: bytesOf(sample.trust),
    ...(inputs.status === undefined ? {} : { status: bytesOf(inputs.status) }),
    ...(inputs.policy === undefined ? {} : { policy: bytesOf(inputs.policy) })
  }
}

const ok = (name: string, why: string, inputs: Inputs = {}): Case => ({
  ...make(name, why, inputs),
  expected: { verdict: "VERIFIED_WITH_LIMITATIONS", first: null }
})

const fail = (name: string, why: string, check: string, code: string, inputs: Inputs): Case => ({
  ...make(name, why, inputs),
  expected: { verdict: verdictOf(check), first: { check, code } }
})

const body = (edit: (body: Members) => unknown): Inputs => ({ body: (one) => void edit(one) })
const references = (edit: (references: Members) => unknown): Inputs => body((one) => edit(one["references"]))
const file = (edit: (file: Members) => unknown): Inputs => ({ file: (one) => void edit(one) })
const key = (changes: Members): Inputs => ({ trust: (keyFile) => void Object.assign(keyFile["keys"][0], changes) })

/** Signed under another `typ` than the body's schema. */
const typed = (typ: string) => (payload: Members) =>
  detach(signBytes(jcs({ alg: "EdDSA", kid: kid("CLOSURE"), typ }), jcs(payload), keys.CLOSURE.privateKey))

const compactOf = ({ body, signature }: Members): string =>
  signature.replace("..", `.${Buffer.from(jcs(body)).toString("base64url")}.`)

const complete: ReadonlyArray<Case> = [
  ok("whole_ok", "The references are of one delivery, and the key was never revoked."),
  ok("one-line_ok", "White space and the order of members do not count: the file is its canonical form.", {
    artifact: (sample) => jcs(sample.file)
  }),
  ok(
    "outside-validity_ok",
    "The key was not valid when the closure says that it was signed; nothing establishes that time, so it is not checked.",
    key({ validFrom: at(20, 1) })
  ),
  ok(
    "from-the-future_ok",
    "The closure is dated after the time of the check; its time is not checked.",
    body((one) => (one["issuedAt"] = at(21, 1)))
  ),
  ok("with-status_ok", "A status was given; a closure of the first version has none, and the file is not read.", {
    status: "not a status"
  })
]

const outside: ReadonlyArray<Case> = [
  fail(
    "envelope-unknown-member_fail",
    "The file has one member more beside the signed body.",
    "artifact-envelope",
    "UNKNOWN_MEMBER",
    file((one) => (one["settlement"] = "ASSERTED"))
  ),
  fail(
    "without-signature_fail",
    "The file is not signed.",
    "artifact-envelope",
    "MISSING_MEMBER",
    file((one) => delete one["signature"])
  ),
  fail(
    "body-as-text_fail",
    "The body is the text of an object instead of the object.",
    "artifact-envelope",
    "FIELD_TYPE",
    file((one) => (one["body"] = jcs(one["body"])))
  ),
  fail("compact_fail", "A closure stands in the clear; its compact JWS is no artifact.", "artifact-envelope", "KIND", {
    artifact: ({ file }) => compactOf(file)
  }),
  fail(
    "signature-with-payload_fail",
    "The signature holds a payload of its own, which could differ from the body.",
    "closure-signature",
    "JWS_FORM",
    file((one) => (one["signature"] = compactOf(one)))
  ),
  fail(
    "signature-of-two-segments_fail",
    "The signature has no place for the payload.",
    "closure-signature",
    "JWS_FORM",
    file((one) => (one["signature"] = one["signature"].replace("..", ".")))
  ),
  fail(
    "signature-padded_fail",
    "The signature is padded base64url.",
    "closure-signature",
    "JWS_ENCODING",
    file((one) => (one["signature"] += "=="))
  ),
  fail(
    "body-changed_fail",
    "The body was changed after it was signed.",
    "closure-signature",
    "SIGNATURE_INVALID",
    file((one) => (one["body"].closureId = "closure-2"))
  ),
  fail(
    "lineage_fail",
    "The closure carries the lineage of a closure of the second version, which the first one never has.",
    "closure-form",
    "UNKNOWN_MEMBER",
    body((one) => (one["lineage"] = makeClosure({ lineage: {} }).body["lineage"]))
  ),
  fail(
    "forged_fail",
    "A key outside the key file signed under the name of the issuer's key.",
    "closure-signature",
    "SIGNATURE_INVALID",
    {
      sign: (payload) => detach(signedBy("stranger", "CLOSURE")(payload))
    }
  ),
  fail(
    "stranger_fail",
    "The closure names a key that is not in the key file.",
    "closure-signature",
    "ISSUER_NOT_TRUSTED",
    {
      sign: (payload) => detach(signPayload("CLOSURE", payload, "stranger"))
    }
  ),
  fail("purpose_fail", "The issuer's key for results signed the closure.", "closure-signature", "KEY_ROLE", {
    sign: (payload) => detach(signPayload("CLOSURE", payload, "RECORD"))
  }),
  fail("typ-of-v2_fail", "The header says that the second version was signed.", "closure-signature", "JWS_TYPE", {
    sign: typed("service.transaction-closure-package/v2")
  }),
  fail("body-of-v2_fail", "The body says that it is of the second version.", "closure-signature", "JWS_TYPE", {
    ...body((one) => (one["schema"] = "service.transaction-closure-package/v2")),
    sign: typed("transaction-closure-package/v1")
  }),
  fail(
    "as-v2_fail",
    "A closure of the first version stands in the envelope of the second one, which would prove a payment.",
    "closure-signature",
    "JWS_TYPE",
    file((one) => (one["schema"] = "service.transaction-closure-package/v2"))
  ),
  fail(
    "another-version_fail",
    "The file is of a third version, which this verifier must not interpret.",
    "artifact-envelope",
    "VERSION",
    file((one) => (one["schema"] = "transaction-closure-package/v3"))
  ),
  fail(
    "time-form_fail",
    "The time of the signature is a day that does not exist.",
    "closure-signature",
    "FIELD_TYPE",
    body((one) => (one["issuedAt"] = "2026-02-30T09:00:00.000Z"))
  )
]

const inside: ReadonlyArray<Case> = [
  fail(
    "revoked-before_fail",
    "The key was revoked before the closure says that it was signed.",
    "closure-revoked",
    "KEY_REVOKED",
    key({ revokedAt: at(19) })
  ),
  fail(
    "revoked-later_fail",
    "The key was revoked later; nothing establishes that it signed before, so that any revoked key refuses.",
    "closure-revoked",
    "KEY_REVOKED",
    key({ revokedAt: at(20, 1) })
  ),
  fail(
    "revoked-after-check_fail",
    "The key is to be revoked after the time of the check; the key file says that it is revoked.",
    "closure-revoked",
    "KEY_REVOKED",
    key({ revokedAt: at(30) })
  ),
  fail(
    "settlement-asserted_fail",
    "The closure asserts a settlement outside, which the first version never does.",
    "closure-form",
    "FIELD_TYPE",
    body((one) => (one["externalSettlement"] = "ASSERTED"))
  ),
  fail(
    "unknown-member_fail",
    "The signed body has one member more.",
    "closure-form",
    "UNKNOWN_MEMBER",
    body((one) => (one["payment"] = "PROVIDER_VERIFIED_PAYMENT"))
  ),
  fail(
    "without-id_fail",
    "The closure has no id.",
    "closure-form",
    "MISSING_MEMBER",
    body((one) => delete one["closureId"])
  ),
  fail(
    "empty-id_fail",
    "The id of the closure is an empty text.",
    "closure-form",
    "FIELD_TYPE",
    body((one) => (one["closureId"] = ""))
  ),
  fail(
    "digest-form_fail",
    "The digest of the delivery is in upper case.",
    "closure-form",
    "DIGEST_FORM",
    references((one) => (one["delivery"].digest = "A".repeat(64)))
  ),
  fail(
    "with-commerce_fail",
    "A reference to a payment stands beside those of the first version.",
    "closure-form",
    "UNKNOWN_MEMBER",
    references((one) => (one["commerce"] = { id: "commerce-1", digest: "5".repeat(64) }))
  ),
  fail(
    "other-delivery_fail",
    "The review is of another delivery than the closure names.",
    "closure-references",
    "REFERENCE_MISMATCH",
    references((one) => (one["review"].deliveryId = "submission-2"))
  ),
  fail(
    "other-agreement_fail",
    "The result is of another agreement than the closure names.",
    "closure-references",
    "REFERENCE_MISMATCH",
    references((one) => (one["result"].agreementDigest = "9".repeat(64)))
  ),
  fail(
    "other-review_fail",
    "The result rests on another review than the closure names.",
    "closure-references",
    "REFERENCE_MISMATCH",
    references((one) => (one["result"].reviewId = "review-2"))
  ),
  fail(
    "with-policy_fail",
    "A policy was given, and the closure encloses no authority of agents.",
    "authority-anchor",
    "AUTHORITY_NOT_ENCLOSED",
    {
      policy: { schema: "service.authority-policy/v1", authorityAnchors: [], authorityRevocations: [] }
    }
  )
]

export const closureV1Cases = [...complete, ...outside, ...inside]
