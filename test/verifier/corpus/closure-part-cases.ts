/** Cases of closures with a forged part, or with a part of another transaction. */
import { makeClosure } from "../sample-closure.ts"
import { checkout, observed } from "../sample-commerce.ts"
import { makeCommerceStatus } from "../sample-commerce-status.ts"
import { at, digest, type Members, sha256, signPayload, uuid } from "../signing.ts"
import type { Case } from "./case.ts"
import { closureFail, type ClosureInputs, order } from "./closure-inputs.ts"
import {
  type ArtifactName,
  artifactsOf,
  exchanged,
  exchangedAlone,
  firstAttempt,
  openingEvent,
  other,
  otherAttempt,
  otherOrder,
  reissued,
  secondAttempt,
  signedAgain,
  thirdParty
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

const financial = (name: string, why: string, code: string, inputs: ClosureInputs): Case =>
  closureFail(`financial-${name}`, why, "order-financial", code, inputs)
const event = (at: number, edit: (event: Members) => unknown): ClosureInputs => ({
  event: (one, index) => (index === at ? void edit(one) : undefined)
})
const events = (edit: (events: Array<Members>) => unknown): ClosureInputs => ({ events: (all) => void edit(all) })
const chainedEvents = (edit: (events: Array<Members>) => unknown): ClosureInputs =>
  order(({ financialEvents }) => edit(financialEvents))

const orders: ReadonlyArray<Case> = [
  closureFail(
    "order-by-record-key",
    "The issuer's key for results signed the order record, which it may not.",
    "order-signature",
    "KEY_ROLE",
    { signOrder: signedBy("RECORD") }
  ),
  closureFail(
    "order-unknown-member",
    "The order record has one member more.",
    "order-form",
    "UNKNOWN_MEMBER",
    order((one) => (one["discountMinor"] = 1))
  ),
  closureFail(
    "order-unknown-event",
    "The order record holds an event of a kind that the format does not have.",
    "order-form",
    "FIELD_TYPE",
    event(1, (one) => (one["kind"] = "ACCEPTED"))
  ),
  closureFail(
    "order-payload-of-another-kind",
    "The approval has the payload of a refusal.",
    "order-form",
    "MISSING_MEMBER",
    event(1, (one) => (one["payload"] = { reason: "Agreed" }))
  ),
  closureFail(
    "order-another-issuer",
    "The order record names another issuer than the key file.",
    "order-issuer",
    "ISSUER_MISMATCH",
    order((one) => (one["issuer"] = "Another Issuer"))
  ),
  closureFail(
    "order-another-environment",
    "The order record is of the live environment of its issuer.",
    "order-issuer",
    "ENVIRONMENT_MISMATCH",
    order((one) => (one["environment"] = "LIVE"))
  ),
  closureFail(
    "order-terms-changed",
    "The price in the terms was changed after their digest was taken.",
    "order-terms",
    "DIGEST_MISMATCH",
    order(({ terms }) => (terms.amountMinor = 1))
  ),
  financial("of-another-order", "The events are those of another order.", "JOURNAL_TRANSACTION", {
    event: (one) => void (one["resultOrderId"] = otherOrder)
  }),
  financial(
    "renumbered",
    "The approval is numbered three.",
    "JOURNAL_SEQUENCE",
    event(1, (one) => (one["sequence"] = 3))
  ),
  financial(
    "spliced",
    "The approval follows another offer.",
    "JOURNAL_PREV",
    event(1, (one) => (one["previous"] = digest("another offer")))
  ),
  financial(
    "from-other-terms",
    "The offer does not begin at the digest of the terms.",
    "JOURNAL_PREV",
    event(0, (one) => (one["previous"] = digest("other terms")))
  ),
  financial(
    "edited",
    "The person who approved was exchanged after the event was hashed.",
    "DIGEST_MISMATCH",
    chainedEvents((all) => (all[1]!["actor"].personId = `person_${uuid(88)}`))
  ),
  financial(
    "backwards",
    "The approval is one millisecond earlier than the offer.",
    "JOURNAL_TIME",
    event(1, (one) => (one["occurredAt"] = at(18, 1_999)))
  ),
  financial(
    "unapproved",
    "The order was offered and never approved.",
    "JOURNAL_MOVE",
    events((all) => all.pop())
  ),
  financial(
    "declined",
    "The buyer declined what the record then pays for.",
    "JOURNAL_MOVE",
    events((all) => Object.assign(all[1]!, { kind: "DECLINED", payload: { reason: "Too much" } }))
  ),
  financial(
    "approved-twice",
    "The order was approved a second time, from a state in which nobody can.",
    "JOURNAL_MOVE",
    events((all) => all.push({ ...all[1]! }))
  ),
  financial(
    "after-opening",
    "The record holds the opening of its own attempt, so that its head is the one after it.",
    "JOURNAL_MOVE",
    {
      attempt: 2,
      events: (all) => void all.pop()
    }
  ),
  financial("empty", "The record holds no event at all.", "JOURNAL_MOVE", { events: () => [] }),
  financial(
    "approved-by-supplier",
    "The supplier approved its own offer.",
    "PARTY_MISMATCH",
    events((all) => (all[1]!["actor"] = all[0]!["actor"]))
  ),
  financial(
    "approved-by-third-party",
    "A third organization approved the offer.",
    "PARTY_MISMATCH",
    events((all) => (all[1]!["actor"] = { ...all[1]!["actor"], organizationId: thirdParty }))
  ),
  financial(
    "approved-by-service",
    "The service itself approved, without a person of the buyer.",
    "PARTY_MISMATCH",
    events((all) => Object.assign(all[1]!, { actor: null, requestId: null }))
  ),
  financial(
    "without-request",
    "A person approved without a request.",
    "PARTY_MISMATCH",
    events((all) => (all[1]!["requestId"] = null))
  ),
  financial(
    "approval-of-other-terms",
    "The buyer approved other terms than those of the record.",
    "DIGEST_MISMATCH",
    events((all) => (all[1]!["payload"] = { termsDigest: digest("other terms") }))
  ),
  financial(
    "release-of-another-attempt",
    "Another attempt was released than the one that was open.",
    "ATTEMPT_MISMATCH",
    {
      attempt: 2,
      events: (all) => void (all[3]!["payload"].commerceOrderId = otherAttempt)
    }
  ),
  financial("second-attempt-first", "The first attempt is numbered two.", "ATTEMPT_MISMATCH", {
    attempt: 2,
    events: (all) => void (all[2]!["payload"].number = 2)
  }),
  financial("attempt-released-before", "The record opens an attempt that it says was released.", "ATTEMPT_MISMATCH", {
    attempt: 2,
    events: (all) => {
      for (const one of all.slice(2))
        one["payload"].commerceOrderId = secondAttempt.parts.resultOrder["commerceOrderId"]
    }
  }),
  financial(
    "another-head",
    "The financial head is that of the offer, and not of the approval.",
    "JOURNAL_HEAD",
    order((one) => (one["financialHead"] = one["financialEvents"][0].hash))
  )
]

const sourceFail = (name: string, why: string, source: (source: Array<any>) => unknown): Case =>
  closureFail(`source-${name}`, why, "order-source", "PAYMENT_SOURCE_MISMATCH", { source })

const sources: ReadonlyArray<Case> = [
  sourceFail("reordered", "The head stands before the terms in the source.", ([terms, head, ...rest]) => [
    head,
    terms,
    ...rest
  ]),
  sourceFail("one-address", "The source names the base address once.", (source) => source.toSpliced(2, 1)),
  sourceFail("without-agreement", "The source does not name the agreement.", (source) => source.slice(0, 4)),
  sourceFail("nested", "The source is a list inside a list.", (source) => [source]),
  sourceFail("slash", "The base addresses in the source end with a slash.", ([terms, head, base, , agreement]) => [
    terms,
    head,
    `${base}/`,
    `${base}/`,
    agreement
  ]),
  sourceFail("head-after-opening", "The head in the source is the one after the opening.", ([terms, , ...rest]) => [
    terms,
    openingEvent()["hash"],
    ...rest
  ]),
  sourceFail("earlier-head", "The head in the source is that of the offer.", ([terms, , ...rest]) => [
    terms,
    firstAttempt.parts.resultOrder["financialEvents"][0].hash,
    ...rest
  ]),
  sourceFail("another-agreement", "The source names another agreement.", (source) =>
    source.with(4, digest("another agreement"))
  ),
  sourceFail("another-site", "The base addresses in the source are those of another installation.", (source) =>
    source.with(2, "https://other.example/api/agents/v1").with(3, "https://other.example/api/agents/v1")
  ),
  closureFail(
    "source-of-text",
    "The source is the digest of the texts of the list one after another.",
    "order-source",
    "PAYMENT_SOURCE_MISMATCH",
    order((one) => {
      const { termsDigest, financialHead, baseUrl, terms } = one
      one["acceptedSourceDigest"] = sha256(
        [termsDigest, financialHead, baseUrl, baseUrl, terms.agreement.digest].join("")
      )
    })
  )
]

export const closurePartCases: ReadonlyArray<Case> = [forged, kinds, transactions, orders, sources].flat()
