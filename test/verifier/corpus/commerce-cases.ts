/** Cases on the file, the signature and the members of a Commerce Record. */
import { manyObservations, makeCommerceRecord, allObservations } from "../sample-commerce.ts"
import { makePassport } from "../sample-passport.ts"
import { at, digest, jcs, type Members, sha256, uuid } from "../signing.ts"
import type { Case } from "./case.ts"
import { commerceFail, type CommerceInputs, commerceOk, record } from "./commerce-inputs.ts"
import { signedBy } from "./passport-inputs.ts"

const file = (edit: (file: Members) => unknown): CommerceInputs => ({ file: (one) => void edit(one) })
const binding = (edit: (binding: Members) => unknown): CommerceInputs => ({ binding: (one) => void edit(one) })

const complete: ReadonlyArray<Case> = [
  commerceOk("commerce/paid_ok", "A checkout was opened and paid, and the sum transferred to the recipient."),
  commerceOk("commerce/whole_ok", "Every component was observed, each with its label.", {
    observations: allObservations
  }),
  commerceOk("commerce/no-entries_ok", "Nothing was captured yet; the record verifies and proves no payment.", {
    observations: () => []
  }),
  commerceOk("commerce/thousand-entries_ok", "The journal has the most entries that a record may hold.", {
    observations: () => [...manyObservations(1_000)]
  }),
  commerceOk("commerce/live_ok", "The payment was made at a real provider, in its live environment.", {
    binding: (one) => void Object.assign(one, { provider: "STRIPE", environment: "LIVE" }),
    observations: (all) => {
      for (const { facts } of all) facts.environment = "LIVE"
    }
  }),
  commerceOk(
    "commerce/largest-amount_ok",
    "The price is the largest; the payment is of another sum, without a label.",
    {
      binding: (one) => void (one["amountMinor"] = 99_999_999),
      observations: (all) => {
        for (const one of all) if (one["component"] === "PAYMENT") one["label"] = null
      }
    }
  ),
  commerceOk(
    "commerce/key-revoked-since_ok",
    "The key was revoked after it signed; the signature stays valid, and the report states the revocation.",
    { trust: (keyFile) => void (keyFile["keys"][0].revokedAt = at(20, 1)) }
  ),
  commerceOk(
    "commerce/signed-with-last-observation_ok",
    "The record was signed in the millisecond of its last entry.",
    {
      observations: (all) => void (all.at(-1)!["observedAt"] = at(20))
    }
  )
]

const envelope: ReadonlyArray<Case> = [
  commerceFail(
    "commerce/envelope-unknown-member_fail",
    "The file has one member more, which could claim that a bank received the money.",
    "artifact-envelope",
    "UNKNOWN_MEMBER",
    file((one) => (one["bankReceiptVerified"] = true))
  ),
  commerceFail(
    "commerce/envelope-without-digest_fail",
    "The file does not state the digest of its record.",
    "artifact-envelope",
    "MISSING_MEMBER",
    file((one) => delete one["recordDigest"])
  ),
  commerceFail(
    "commerce/envelope-digest-form_fail",
    "The digest of the record is in upper case.",
    "artifact-envelope",
    "DIGEST_FORM",
    file((one) => (one["recordDigest"] = one["recordDigest"].toUpperCase()))
  ),
  commerceFail(
    "commerce/record-in-the-clear_fail",
    "The record is the object itself and not a JWS, so that no signature covers it.",
    "artifact-envelope",
    "FIELD_TYPE",
    { artifact: ({ file, payload }) => ({ ...file, record: payload }) }
  ),
  commerceFail(
    "commerce/another-version_fail",
    "The file is of a second version, which this verifier must not interpret.",
    "artifact-envelope",
    "VERSION",
    file((one) => (one["schema"] = "service.commerce-record/v2"))
  ),
  commerceFail(
    "commerce/record-alone_fail",
    "The JWS of the record is no artifact: the file states its digest.",
    "artifact-envelope",
    "KIND",
    { artifact: ({ file }) => file["record"] }
  ),
  commerceFail(
    "commerce/with-policy_fail",
    "A policy on the authority of agents was given, and a Commerce Record holds none.",
    "authority-anchor",
    "AUTHORITY_NOT_ENCLOSED",
    { policy: { schema: "service.authority-policy/v1", authorityAnchors: [], authorityRevocations: [] } }
  )
]

const signed: ReadonlyArray<Case> = [
  commerceFail(
    "commerce/forged_fail",
    "A key outside the key file signed the record under the name of the issuer's key.",
    "commerce-signature",
    "SIGNATURE_INVALID",
    { sign: signedBy("stranger", "COMMERCE") }
  ),
  commerceFail(
    "commerce/purpose_fail",
    "The issuer's key for results signed the record; it may sign nothing on payments.",
    "commerce-signature",
    "KEY_ROLE",
    { sign: signedBy("RECORD") }
  ),
  commerceFail(
    "commerce/passport-in-its-place_fail",
    "A manifest of a passport stands in the place of the record.",
    "commerce-signature",
    "JWS_TYPE",
    file((one) => (one["record"] = makePassport().file["manifest"]))
  ),
  commerceFail(
    "commerce/from-the-future_fail",
    "The record was signed one millisecond after the time of the check.",
    "commerce-signature",
    "TIME_FUTURE",
    record((one) => (one["issuedAt"] = at(21, 1)))
  ),
  commerceFail(
    "commerce/after-revocation_fail",
    "The key was revoked in the millisecond in which it signed the record.",
    "commerce-signature",
    "KEY_REVOKED",
    { trust: (keyFile) => void (keyFile["keys"][0].revokedAt = at(20)) }
  ),
  commerceFail(
    "commerce/digest-of-binding_fail",
    "The stated digest is that of the binding and not of the record.",
    "commerce-digest",
    "DIGEST_MISMATCH",
    { artifact: ({ file, payload }) => ({ ...file, recordDigest: digest(payload["binding"]) }) }
  ),
  commerceFail(
    "commerce/digest-of-jws_fail",
    "The stated digest is that of the text of the JWS and not of its payload.",
    "commerce-digest",
    "DIGEST_MISMATCH",
    file((one) => (one["recordDigest"] = sha256(one["record"])))
  ),
  commerceFail(
    "commerce/digest-of-another-record_fail",
    "The file states the digest of an earlier record of the same payment.",
    "commerce-digest",
    "DIGEST_MISMATCH",
    file((one) => (one["recordDigest"] = makeCommerceRecord({ observations: () => [] }).file["recordDigest"]))
  ),
  commerceFail(
    "commerce/another-issuer_fail",
    "The record names another issuer than the key file.",
    "commerce-issuer",
    "ISSUER_MISMATCH",
    record((one) => (one["issuer"] = "Another Issuer"))
  ),
  commerceFail(
    "commerce/another-environment_fail",
    "The record is of the live environment of an issuer, and the key file of its test environment.",
    "commerce-issuer",
    "ENVIRONMENT_MISMATCH",
    record((one) => (one["environment"] = "LIVE"))
  )
]

const formFail = (name: string, why: string, code: string, inputs: CommerceInputs): Case =>
  commerceFail(`commerce/${name}_fail`, why, "commerce-form", code, inputs)

const members: ReadonlyArray<Case> = [
  formFail(
    "unknown-member",
    "The record has one member more, which could state a receipt.",
    "UNKNOWN_MEMBER",
    record((one) => (one["receipt"] = "bank"))
  ),
  formFail(
    "without-coverage",
    "The record does not state what it covers.",
    "MISSING_MEMBER",
    record((one) => delete one["coverage"])
  ),
  formFail(
    "bank-receipt",
    "The record claims that a bank received the money, which no issuer of it can know.",
    "FIELD_TYPE",
    record((one) => (one["bankReceiptVerified"] = true))
  ),
  formFail(
    "complete-coverage",
    "The record claims to cover everything that happened at the provider.",
    "FIELD_TYPE",
    record((one) => (one["coverage"] = "COMPLETE_HISTORY"))
  ),
  formFail(
    "prior-history",
    "The record claims that nothing was captured before it began.",
    "FIELD_TYPE",
    record((one) => (one["priorHistory"] = "NONE"))
  ),
  formFail(
    "provider-attestation",
    "The record claims that the provider itself attests the readback.",
    "FIELD_TYPE",
    record((one) => (one["attestation"] = "PROVIDER_ATTESTATION"))
  ),
  formFail(
    "another-path",
    "The payment is not of a Result Order; the record covers no other sale.",
    "FIELD_TYPE",
    record((one) => (one["path"] = "TEMPLATE_SALE"))
  ),
  formFail(
    "unknown-label",
    "A label is a word that the format does not have.",
    "FIELD_TYPE",
    record((one) => (one["labels"][2] = "BANK_VERIFIED_PAYMENT"))
  ),
  formFail("thousand-and-one-entries", "The journal has one entry more than 1,000.", "LIMIT_SIZE", {
    observations: () => [...manyObservations(1_001)]
  }),
  formFail(
    "amount-zero",
    "The bound amount is zero, for which there is no payment.",
    "FIELD_TYPE",
    binding((one) => (one["amountMinor"] = 0))
  ),
  formFail(
    "amount-too-large",
    "The bound amount is one more than the largest price.",
    "FIELD_TYPE",
    binding((one) => (one["amountMinor"] = 100_000_000))
  ),
  formFail(
    "currency-form",
    "The bound currency is in lower case.",
    "FIELD_TYPE",
    binding((one) => (one["currency"] = "eur"))
  ),
  formFail(
    "unknown-provider",
    "The binding names a provider that the format does not have.",
    "FIELD_TYPE",
    binding((one) => (one["provider"] = "BANK"))
  ),
  formFail(
    "another-item",
    "The binding is for a delivery and not for a Result Record.",
    "FIELD_TYPE",
    binding((one) => (one["item"].type = "DELIVERY"))
  ),
  formFail(
    "result-order-as-commerce-order",
    "The binding names the Result Order in the place of the payment attempt.",
    "FIELD_TYPE",
    binding((one) => (one["commerceOrderId"] = `order_${uuid(2)}`))
  ),
  formFail(
    "account-too-long",
    "The recipient's account has 201 characters.",
    "FIELD_TYPE",
    binding((one) => (one["recipientAccount"] = "a".repeat(201)))
  ),
  formFail(
    "binding-private-member",
    "The binding holds a private member, the address of the buyer.",
    "UNKNOWN_MEMBER",
    binding((one) => (one["buyerEmail"] = "buyer@example.org"))
  )
]

const status: ReadonlyArray<Case> = [
  commerceFail(
    "commerce/status-of-publications_fail",
    "The status file is for a passport; it refuses nothing and proves nothing of a payment.",
    "commerce-status-signature",
    "STATUS_KIND",
    { status: () => jcs(makePassport().statuses) }
  ),
  commerceFail(
    "commerce/status-truncated_fail",
    "The last byte of the status file is missing.",
    "commerce-status-signature",
    "INPUT_NOT_JSON",
    { status: ({ file }) => jcs(file).slice(0, -1) }
  )
]

export const commerceCases: ReadonlyArray<Case> = [complete, envelope, signed, members, status].flat()
