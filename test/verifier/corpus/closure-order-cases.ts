/** Cases of the Result Order record in a closure: its form, its financial events, and the source of the payment. */
import { at, digest, type Members, sha256, uuid } from "../signing.ts"
import type { Case } from "./case.ts"
import { closureFail, type ClosureInputs, order } from "./closure-inputs.ts"
import { firstAttempt, openingEvent, otherAttempt, otherOrder, secondAttempt, thirdParty } from "./closure-samples.ts"
import { signedBy } from "./passport-inputs.ts"

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

export const closureOrderCases: ReadonlyArray<Case> = [orders, sources].flat()
