/** Cases of closures that verify, and of their file, their signature, their form and their references. */
import { allObservations, makeCommerceRecord, opened } from "../sample-commerce.ts"
import { concern, dismiss, stepAt, supplier } from "../sample-steps.ts"
import { policyFor } from "../policy.ts"
import { at, detach, digest, jcs, type Members, sha256, signPayload } from "../signing.ts"
import type { Case } from "./case.ts"
import { body, closureFail, type ClosureInputs, closureOk } from "./closure-inputs.ts"
import { other } from "./closure-samples.ts"
import { signedBy } from "./passport-inputs.ts"
import { delegated, payloadOf, twoRounds } from "./samples.ts"

const complete: ReadonlyArray<Case> = [
  closureOk("paid", "The accepted delivery was paid, and the sum transferred to the supplier."),
  closureOk("unpaid", "The checkout of the selected attempt was opened and never paid; the assurance says so.", {
    payment: { observations: () => [{ ...opened }] }
  }),
  closureOk("unobserved", "Nothing was captured of the attempt; the closure states no payment.", {
    payment: { observations: () => [] }
  }),
  closureOk("second-attempt", "The first attempt expired; the order record of the second holds its release.", {
    attempt: 2
  }),
  closureOk("refunded", "The payment was refunded in part, reversed and disputed; the assurance states all of it.", {
    payment: { observations: () => [...allObservations()] }
  }),
  closureOk("contested-before-offer", "A concern was dismissed before the offer; the package holds both events.", {
    result: {
      later: (events, agents) =>
        [concern(supplier), dismiss(supplier)].map((step) => stepAt(at(18, 500), events[0]!, agents, step))
    }
  }),
  closureOk("two-rounds", "The second submission was accepted, and is what was offered and paid.", { base: twoRounds }),
  closureOk("live", "The payment was made at a real provider, in its live environment.", {
    terms: (terms) => void Object.assign(terms, { provider: "STRIPE", environment: "LIVE" }),
    payment: {
      observations: (all) => {
        for (const { facts } of all) if ("environment" in facts) facts.environment = "LIVE"
      }
    }
  }),
  closureOk("with-policy", "The policy approves the grant under which the supplier's agent submitted.", {
    base: delegated("SUBMIT"),
    policy: ({ parts }) => policyFor(parts.resultPackage)
  }),
  closureOk("key-revoked-since", "The key of the closure was revoked after it signed; the report states it.", {
    trust: (file) => void (file["keys"][6].revokedAt = at(20, 10_001))
  })
]

const file = (edit: (file: Members) => unknown): ClosureInputs => ({ file: (one) => void edit(one) })

const envelope: ReadonlyArray<Case> = [
  closureFail(
    "envelope-unknown-member",
    "The file has one member more beside the signed body, which could claim another payment.",
    "artifact-envelope",
    "UNKNOWN_MEMBER",
    file((one) => (one["payment"] = "CONFIRMED"))
  ),
  closureFail(
    "envelope-without-signature",
    "The file has a body and no signature.",
    "artifact-envelope",
    "MISSING_MEMBER",
    file((one) => delete one["signature"])
  ),
  closureFail(
    "envelope-body-as-text",
    "The body is its own canonical text in place of the object.",
    "artifact-envelope",
    "FIELD_TYPE",
    file((one) => (one["body"] = jcs(one["body"])))
  ),
  closureFail(
    "another-version",
    "The file is of a third version, which this verifier must not interpret.",
    "artifact-envelope",
    "VERSION",
    file((one) => (one["schema"] = "service.transaction-closure-package/v3"))
  ),
  closureFail(
    "compact-form",
    "The closure is given as a compact JWS; its file stands in the clear.",
    "artifact-envelope",
    "KIND",
    { artifact: ({ body }) => signPayload("CLOSURE", body) }
  )
]

const signed = (name: string, why: string, code: string, inputs: ClosureInputs): Case =>
  closureFail(name, why, "closure-signature", code, inputs)

const signatures: ReadonlyArray<Case> = [
  signed("body-changed", "A party raised the price in the body, and left the signature.", "SIGNATURE_INVALID", {
    file: (one) => ({ ...one, body: { ...one["body"], issuedAt: at(20, 10_001) } })
  }),
  signed(
    "forged",
    "A key outside the key file signed the closure under the name of the issuer's key.",
    "SIGNATURE_INVALID",
    { sign: (one) => detach(signedBy("stranger", "CLOSURE")(one)) }
  ),
  signed("by-commerce-key", "The issuer's key for payments signed the closure, which it may not.", "KEY_ROLE", {
    sign: (one) => detach(signedBy("COMMERCE")(one))
  }),
  signed("by-unknown-key", "The signature names a key that the key file lacks.", "ISSUER_NOT_TRUSTED", {
    sign: (one) => detach(signedBy("stranger")(one))
  }),
  signed(
    "payload-in-signature",
    "The signature encloses a payload of its own, which could be another than the body.",
    "JWS_FORM",
    file((one) => (one["signature"] = signPayload("CLOSURE", one["body"])))
  ),
  signed(
    "signature-of-two-parts",
    "The signature lacks the place of the payload.",
    "JWS_FORM",
    file((one) => (one["signature"] = one["signature"].replace("..", ".")))
  ),
  signed(
    "signature-of-four-parts",
    "The signature has one part more.",
    "JWS_FORM",
    file((one) => (one["signature"] += "."))
  ),
  signed(
    "signature-padded",
    "The signature ends with padding, so that it has a second spelling.",
    "JWS_ENCODING",
    file((one) => (one["signature"] += "=="))
  ),
  signed("signature-of-package", "The body is signed as a Result Package by its typ.", "JWS_TYPE", {
    sign: (one) => detach(signPayload("CLOSURE", { ...one, schema: "service.result-package/v2" }))
  }),
  signed(
    "body-of-another-schema",
    "The body names another schema than the file around it.",
    "JWS_TYPE",
    body((one) => (one["schema"] = "service.commerce-record/v1"))
  ),
  signed("from-the-future", "The closure was signed one millisecond after the time of the check.", "TIME_FUTURE", {
    ...body((one) => (one["issuedAt"] = at(21, 1)))
  }),
  signed("after-revocation", "The key was revoked in the millisecond in which it signed the closure.", "KEY_REVOKED", {
    trust: (keyFile) => void (keyFile["keys"][6].revokedAt = at(20, 10_000))
  })
]

const formFail = (name: string, why: string, code: string, edit: (body: Members) => unknown): Case =>
  closureFail(name, why, "closure-form", code, body(edit))

const forms: ReadonlyArray<Case> = [
  formFail("unknown-member", "The body has one member more.", "UNKNOWN_MEMBER", (one) => (one["settled"] = true)),
  formFail(
    "lineage-null",
    "A closure without a lineage lacks the member; null is another value.",
    "FIELD_TYPE",
    (one) => (one["lineage"] = null)
  ),
  ...(["resultPackage", "resultOrder", "commerceRecord"] as const).map((artifact) =>
    formFail(
      `without-${artifact.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`,
      "One of the three mandatory artifacts is missing.",
      "MISSING_MEMBER",
      ({ data }) => delete data.artifacts[artifact]
    )
  ),
  formFail(
    "artifact-null",
    "The Commerce Record of an unpaid attempt is null; it must be there and say so.",
    "FIELD_TYPE",
    ({ data }) => (data.artifacts.commerceRecord = null)
  ),
  formFail(
    "wrapped-artifact",
    "The file of the Commerce Record stands in the place of its JWS.",
    "FIELD_TYPE",
    ({ data }) => (data.artifacts.commerceRecord = makeCommerceRecord().file)
  ),
  formFail(
    "further-artifact",
    "The closure encloses a second Commerce Record.",
    "UNKNOWN_MEMBER",
    ({ data }) => (data.artifacts.commerceRecords = [data.artifacts.commerceRecord])
  ),
  formFail(
    "another-profile",
    "The closure is of a profile that the format does not have.",
    "FIELD_TYPE",
    (one) => (one["profile"] = "SUBSCRIPTION")
  ),
  formFail(
    "complete-coverage",
    "The closure claims to cover every payment.",
    "FIELD_TYPE",
    (one) => (one["coverage"] = "ALL_PAYMENTS")
  ),
  formFail(
    "full-assurance",
    "The closure claims a level above the only one.",
    "FIELD_TYPE",
    ({ data }) => (data.assurance.level = "FULL")
  ),
  formFail(
    "bank-receipt",
    "The closure claims that a bank received the money.",
    "FIELD_TYPE",
    ({ data }) => (data.assurance.bankReceiptVerified = true)
  ),
  formFail(
    "later-events",
    "The closure claims that nothing happened later.",
    "FIELD_TYPE",
    ({ data }) => (data.assurance.laterEvents = "NONE")
  ),
  formFail(
    "label-of-transfer",
    "The assurance states the label of a transfer as that of the payment.",
    "FIELD_TYPE",
    ({ data }) => (data.assurance.payment = "PROVIDER_VERIFIED_TRANSFER")
  ),
  formFail(
    "negative-refund",
    "The assurance states a refund below zero.",
    "FIELD_TYPE",
    ({ data }) => (data.assurance.refundedMinor = -1)
  ),
  formFail(
    "kind-in-reference",
    "The reference to the review says that it is one to a delivery.",
    "FIELD_TYPE",
    ({ data }) => (data.references.review.type = "SUBMISSION")
  ),
  formFail(
    "without-reference",
    "The closure has no reference to the source of the payment.",
    "MISSING_MEMBER",
    ({ data }) => delete data.references.paymentSource
  ),
  closureFail(
    "another-issuer",
    "The closure names another issuer than the key file.",
    "closure-issuer",
    "ISSUER_MISMATCH",
    body((one) => (one["issuer"] = "Another Issuer"))
  ),
  closureFail(
    "another-environment",
    "The closure is of the live environment of an issuer, and the key file of its test environment.",
    "closure-issuer",
    "ENVIRONMENT_MISMATCH",
    body((one) => (one["environment"] = "LIVE"))
  )
]

const referenceFail = (name: string, why: string, edit: (references: Members, data: Members) => unknown): Case =>
  closureFail(
    `reference-${name}`,
    why,
    "closure-references",
    "REFERENCE_MISMATCH",
    body(({ data }) => edit(data.references, data))
  )

const strange = other.body["data"].references

const references: ReadonlyArray<Case> = [
  referenceFail(
    "agreement",
    "The reference names the agreement of another project.",
    (one) => (one["agreement"] = strange.agreement)
  ),
  referenceFail(
    "agreement-version",
    "The reference names the next version of the agreement.",
    (one) => one["agreement"].version++
  ),
  referenceFail(
    "delivery",
    "The reference names the delivery of another project.",
    (one) => (one["delivery"] = strange.delivery)
  ),
  referenceFail(
    "review",
    "The reference names the review of another project.",
    (one) => (one["review"] = strange.review)
  ),
  referenceFail(
    "result",
    "The reference names the record of another project.",
    (one) => (one["result"] = strange.result)
  ),
  referenceFail(
    "order",
    "The reference names another Result Order.",
    (one) => (one["resultOrder"] = strange.resultOrder)
  ),
  referenceFail(
    "attempt",
    "The reference names another payment attempt.",
    (one) => (one["commerce"].id = strange.commerce.id)
  ),
  referenceFail(
    "source",
    "The reference names the source of another payment.",
    (one) => (one["paymentSource"] = strange.paymentSource)
  ),
  referenceFail(
    "package-wrapper",
    "The digest of the package is that of the text of its JWS.",
    (one, { artifacts }) => (one["resultPackage"].digest = sha256(artifacts.resultPackage))
  ),
  referenceFail(
    "order-terms",
    "The digest of the order record is that of its terms.",
    (one, { artifacts }) => (one["resultOrder"].digest = payloadOf(artifacts.resultOrder)["termsDigest"])
  ),
  referenceFail(
    "commerce-wrapper",
    "The digest of the Commerce Record is that of the exported file around it.",
    (one, { artifacts }) =>
      (one["commerce"].digest = digest({
        schema: "service.commerce-record/v1",
        recordDigest: one["commerce"].digest,
        record: artifacts.commerceRecord
      }))
  )
]

const policies: ReadonlyArray<Case> = [
  closureFail(
    "policy-without-anchor",
    "The policy knows no grant, and the supplier's agent submitted under one.",
    "authority-anchor",
    "AUTHORITY_NOT_ANCHORED",
    {
      base: delegated("SUBMIT"),
      policy: ({ parts }) => ({ ...policyFor(parts.resultPackage), authorityAnchors: [] })
    }
  ),
  closureFail(
    "policy-revokes-grant",
    "By the policy the grant was revoked before the supplier's agent submitted.",
    "event-anchor",
    "AUTHORITY_ANCHOR_REVOKED",
    {
      base: delegated("SUBMIT"),
      policy: ({ parts }) => {
        const policy = policyFor(parts.resultPackage)
        policy["authorityAnchors"][0].revokedAt = at(13)
        return policy
      }
    }
  )
]

export const closureCases: ReadonlyArray<Case> = [complete, envelope, signatures, forms, references, policies].flat()
