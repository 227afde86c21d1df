/** Cases of closures with a forged part, or with a part of another transaction. */
import { makeClosure } from "../sample-closure.ts"
import { checkout, observed } from "../sample-commerce.ts"
import { makeCommerceStatus } from "../sample-commerce-status.ts"
import { signPayload } from "../signing.ts"
import type { Case } from "./case.ts"
import { closureFail, type ClosureInputs } from "./closure-inputs.ts"
import {
  type ArtifactName,
  artifactsOf,
  exchanged,
  exchangedAlone,
  firstAttempt,
  other,
  reissued,
  secondAttempt,
  signedAgain
} from "./closure-samples.ts"
import { signedBy } from "./passport-inputs.ts"
import { repackEvents } from "./samples.ts"

const slot = (artifact: ArtifactName, jws: string): ClosureInputs => ({
  body: ({ data }) => void (data.artifacts[artifact] = jws)
})

/** The closure on the outside is signed by the issuer's own key in each of these. */
const forged: ReadonlyArray<Case> = [
  closureFail(
    "package-forged",
    "A stranger signed the package, and the outside is good.",
    "package-signature",
    "SIGNATURE_INVALID",
    { result: { signPackage: signedBy("stranger", "PACKAGE") } }
  ),
  closureFail(
    "event-forged",
    "A stranger signed the submission, and every signature around it is good.",
    "event-signature",
    "SIGNATURE_INVALID",
    {
      result: { signEvent: (event) => (event["kind"] === "SUBMIT" ? signedBy("stranger", "EVENT")(event) : undefined) }
    }
  ),
  closureFail(
    "record-forged",
    "A stranger signed the Result Record, and every signature around it is good.",
    "record-signature",
    "SIGNATURE_INVALID",
    { result: { signRecord: signedBy("stranger", "RECORD") } }
  ),
  closureFail(
    "order-forged",
    "A stranger signed the order record, and the outside is good.",
    "order-signature",
    "SIGNATURE_INVALID",
    { signOrder: signedBy("stranger", "COMMERCE") }
  ),
  closureFail(
    "commerce-forged",
    "A stranger signed the Commerce Record, and the outside is good.",
    "commerce-signature",
    "SIGNATURE_INVALID",
    { payment: { sign: signedBy("stranger", "COMMERCE") } }
  ),
  closureFail(
    "delivery-changed",
    "The enclosed delivery was changed after it was accepted.",
    "submission-event",
    "DIGEST_MISMATCH",
    { result: { content: (content) => ({ ...content, submission: { ...content["submission"], summary: "Less" } }) } }
  ),
  closureFail(
    "unissued-result",
    "The package ends before the issuance, so that its record was never issued.",
    "record-issue",
    "ISSUE_MISMATCH",
    { result: repackEvents((events) => events.pop()) }
  ),
  closureFail("manifest-cut", "The manifest of the package does not list its record.", "manifest-set", "MANIFEST_SET", {
    result: { package: (content) => void content["manifest"].pop() }
  }),
  closureFail(
    "entry-edited",
    "The sum of the payment was raised in the journal, and the head is that of the journal before.",
    "entry-chain",
    "DIGEST_MISMATCH",
    { payment: { entries: (entries) => void (entries[2]!["facts"].amountMinor = 250_000) } }
  ),
  closureFail(
    "journal-cut",
    "The last entry of the journal was left out, and the head still names it.",
    "journal-head",
    "JOURNAL_HEAD",
    {
      payment: {
        entries: (entries) => void entries.pop(),
        record: (record) => void record["labels"].pop()
      }
    }
  ),
  closureFail("entry-repeated", "The journal repeats an answer of the provider.", "entry-change", "ENTRY_UNCHANGED", {
    payment: { observations: (all) => [...all, { ...all.at(-1)!, observedAt: all.at(-1)!["observedAt"] }] }
  }),
  closureFail(
    "label-raised",
    "The open checkout has the label of a verified payment.",
    "entry-label",
    "LABEL_MISMATCH",
    {
      payment: {
        observations: () =>
          [observed(0, "CHECKOUT", checkout(), "PROVIDER_VERIFIED_PAYMENT")].map((one) => ({ ...one }))
      }
    }
  )
]

const kinds: ReadonlyArray<Case> = [
  closureFail(
    "first-package",
    "The package is of the first version, without a manifest and without authority.",
    "package-signature",
    "JWS_TYPE",
    {
      artifacts: (artifacts) => {
        const { manifest: _, authority: __, ...content } = makeClosure().parts.resultPackage
        artifacts["resultPackage"] = signPayload("PACKAGE", { ...content, schema: "service.result-package/v1" })
      }
    }
  ),
  closureFail(
    "order-as-package",
    "The order record stands in the place of the package.",
    "package-signature",
    "JWS_TYPE",
    slot("resultPackage", artifactsOf(firstAttempt)["resultOrder"])
  ),
  closureFail(
    "package-as-order",
    "The package stands in the place of the order record.",
    "order-signature",
    "JWS_TYPE",
    slot("resultOrder", artifactsOf(firstAttempt)["resultPackage"])
  ),
  closureFail(
    "status-as-commerce",
    "The status of a payment stands in the place of the Commerce Record.",
    "commerce-signature",
    "JWS_TYPE",
    slot("commerceRecord", makeCommerceStatus().statusFile["status"])
  ),
  closureFail(
    "nested-closure",
    "A closure stands in the place of the package.",
    "package-signature",
    "JWS_TYPE",
    slot("resultPackage", signPayload("CLOSURE", firstAttempt.body))
  ),
  closureFail(
    "detached-artifact",
    "The order record lost its payload, as the signature of the closure has none.",
    "order-signature",
    "JWS_ENCODING",
    slot("resultOrder", artifactsOf(firstAttempt)["resultOrder"].replace(/\.[^.]*\./, ".."))
  )
]

/** The references stay in the first, and follow the exchanged artifact in the second. */
const foreign = (
  name: string,
  why: string,
  from: typeof other,
  artifact: ArtifactName,
  check: string,
  code: string
): ReadonlyArray<Case> => [
  closureFail(`${name}-alone`, `${why}; the references stayed.`, "closure-references", "REFERENCE_MISMATCH", {
    ...exchangedAlone(from, artifact)
  }),
  closureFail(name, `${why}, with every reference to it.`, check, code, exchanged(from, artifact))
]

const transactions: ReadonlyArray<Case> = [
  foreign(
    "foreign-package",
    "The package is that of another transaction of the same parties",
    other,
    "resultPackage",
    "closure-agreement",
    "AGREEMENT_MISMATCH"
  ),
  foreign(
    "foreign-order",
    "The order is that of another transaction of the same parties",
    other,
    "resultOrder",
    "closure-agreement",
    "AGREEMENT_MISMATCH"
  ),
  foreign(
    "foreign-payment",
    "The payment is that of another transaction of the same parties, over the same amount",
    other,
    "commerceRecord",
    "closure-attempt",
    "ATTEMPT_MISMATCH"
  ),
  foreign(
    "package-signed-again",
    "The package holds the same record and was signed again after the offer was made",
    signedAgain,
    "resultPackage",
    "closure-package",
    "PACKAGE_MISMATCH"
  ),
  foreign(
    "record-issued-again",
    "The package holds a record with the same id and another content",
    reissued,
    "resultPackage",
    "closure-result",
    "RESULT_MISMATCH"
  ),
  foreign(
    "order-of-second-attempt",
    "The order record is that of a later attempt at the same order",
    secondAttempt,
    "resultOrder",
    "closure-attempt",
    "ATTEMPT_MISMATCH"
  ),
  foreign(
    "payment-of-second-attempt",
    "The payment is that of a later attempt at the same order",
    secondAttempt,
    "commerceRecord",
    "closure-attempt",
    "ATTEMPT_MISMATCH"
  ),
  closureFail(
    "own-package",
    "Order and payment are those of another transaction, with every reference to them.",
    "closure-agreement",
    "AGREEMENT_MISMATCH",
    exchanged(other, "resultOrder", "commerceRecord")
  ),
  closureFail(
    "own-order",
    "Package and payment are those of another transaction, with every reference to them.",
    "closure-agreement",
    "AGREEMENT_MISMATCH",
    exchanged(other, "resultPackage", "commerceRecord")
  ),
  closureFail(
    "own-payment",
    "Package and order are those of another transaction, with every reference to them.",
    "closure-attempt",
    "ATTEMPT_MISMATCH",
    exchanged(other, "resultPackage", "resultOrder")
  ),
  closureFail(
    "exchanged-unsigned",
    "The payment is that of another transaction, and nobody signed the outside again.",
    "closure-signature",
    "SIGNATURE_INVALID",
    {
      file: (file) => {
        const { data, ...rest } = structuredClone(file["body"])
        data.artifacts.commerceRecord = artifactsOf(other)["commerceRecord"]
        return { ...file, body: { data, ...rest } }
      }
    }
  )
].flat()

export const closurePartCases: ReadonlyArray<Case> = [forged, kinds, transactions].flat()
