/**
 * The checks that tie the parts of a closure to each other: package, Result Order record and Commerce Record are of one
 * transaction, each by its digest and again by every value that two of them state. Signing the closure again repairs no
 * part of another transaction.
 */
import { assuranceOf } from "./assurance.ts"
import type { History } from "./check-inputs.ts"
import type { Closure, ResultOrder } from "./closure-shapes.ts"
import type { Code } from "./codes.ts"
import { allOf, type CheckResult, type Finding, inOrder, type Ledger, same } from "./ledger.ts"
import type { CommerceRecord } from "./portable-shapes.ts"
import type { Acceptance, Agreement, PackageContent, ResultRecord, Submission } from "./schemas.ts"
import type { EnclosedPart, VerifiedJws } from "./verified-objects.ts"

/** The parts of a closure, each proven by an earlier check. */
export interface ClosureParts {
  readonly closure: VerifiedJws<Closure>
  readonly package: VerifiedJws<PackageContent>
  readonly agreement: EnclosedPart<Agreement>
  readonly submission: EnclosedPart<Submission>
  readonly review: EnclosedPart<Acceptance>
  readonly record: VerifiedJws<ResultRecord>
  readonly history: History
  readonly order: VerifiedJws<ResultOrder>
  readonly commerce: VerifiedJws<CommerceRecord>
}

type Part = keyof ClosureParts
type Needs = { readonly [P in Part]: CheckResult<ClosureParts[P]> }
type Inputs<P extends Part> = Pick<ClosureParts, P>

/** One check for each binding, in the order of the report. */
export const verifyBindings = (ledger: Ledger, parts: Needs): void => {
  const { closure, package: enclosed, agreement, submission, review, record, history, order, commerce } = parts
  const payment = { order, commerce }
  const referenced = { closure, agreement, submission, review, record, package: enclosed, order, commerce }
  ledger.check("closure-references", id, referenced, checkReferences)
  ledger.check("closure-agreement", id, { order, agreement }, checkAgreement)
  ledger.check("closure-parties", id, { order, commerce, agreement, history }, checkParties)
  ledger.check("closure-delivery", id, { order, submission }, checkDelivery)
  ledger.check("closure-review", id, { order, review }, checkReview)
  ledger.check("closure-result", id, { order, record }, checkResult)
  ledger.check("closure-package", id, { order, package: enclosed }, checkPackage)
  ledger.check("closure-attempt", id, payment, checkAttempt)
  ledger.check("closure-item", id, { order, commerce, record }, checkItem)
  ledger.check("closure-account", id, payment, (values) =>
    allOf(null, [
      sameTerm("ACCOUNT_MISMATCH", "provider", values),
      sameTerm("ACCOUNT_MISMATCH", "recipientAccount", values)
    ])
  )
  ledger.check("closure-environment", id, payment, (values) =>
    sameTerm("PAYMENT_ENVIRONMENT_MISMATCH", "environment", values)
  )
  ledger.check("closure-currency", id, payment, (values) => sameTerm("CURRENCY_MISMATCH", "currency", values))
  ledger.check("closure-amount", id, payment, (values) => sameTerm("AMOUNT_MISMATCH", "amountMinor", values))
  ledger.check("closure-times", id, { closure, package: enclosed, order, commerce }, checkTimes)
  ledger.check("closure-assurance", id, { closure, commerce }, checkAssurance)
}

const id = "closure"

/** The references name exactly the enclosed objects. */
const checkReferences = (parts: Omit<ClosureParts, "history">): Finding<null> => {
  const { agreement, submission, review, record, package: enclosed, order, commerce } = parts
  const { references } = parts.closure.content.data
  const { projectId, version } = agreement.content
  const expected: { readonly [R in keyof typeof references]: object } = {
    agreement: { id: projectId, version, digest: agreement.digest },
    delivery: { id: submission.content.submissionId, digest: submission.digest },
    review: { id: review.content.reviewId, digest: review.digest },
    result: { id: record.content.recordId, digest: record.signed.digest },
    resultPackage: { id: projectId, digest: enclosed.signed.digest },
    resultOrder: { id: order.content.resultOrderId, digest: order.signed.digest },
    commerce: { id: commerce.content.binding.commerceOrderId, digest: commerce.signed.digest },
    paymentSource: { digest: order.content.acceptedSourceDigest }
  }
  return allOf(
    null,
    Object.entries(expected).flatMap(([name, members]) =>
      Object.entries(members).map(([member, value]) => {
        const reference: Readonly<Record<string, unknown>> = references[name as keyof typeof references]
        return same("REFERENCE_MISMATCH", `data.references.${name}.${member}`, value, reference[member])
      })
    )
  )
}

const checkAgreement = ({ order: { content }, agreement }: Inputs<"order" | "agreement">): Finding<null> => {
  const { projectId, agreement: named } = content.terms
  return allOf(
    null,
    [
      same("AGREEMENT_MISMATCH", "terms.projectId", agreement.content.projectId, projectId),
      same("AGREEMENT_MISMATCH", "terms.agreement.version", agreement.content.version, named.version),
      same("AGREEMENT_MISMATCH", "terms.agreement.digest", agreement.digest, named.digest)
    ],
    named.digest
  )
}

/** The parties of the terms are those of the agreement and its history, and the payment is between the same two. */
const checkParties = ({
  order: { content },
  commerce,
  agreement: { content: agreement },
  history
}: Inputs<"order" | "commerce" | "agreement" | "history">): Finding<null> => {
  const { buyer, supplier } = content.terms
  const { buyerScope, recipientScope } = commerce.content.binding
  const code = "PARTY_MISMATCH"
  return allOf(null, [
    same(code, "terms.buyer.organizationId", agreement.buyer.organizationId, buyer.organizationId),
    same(code, "terms.buyer.name", agreement.terms.buyerName, buyer.name),
    same(code, "terms.supplier.organizationId", supplierIn(history), supplier.organizationId),
    same(code, "terms.supplier.name", agreement.terms.supplierName, supplier.name),
    same(code, "binding.buyerScope", buyer.organizationId, buyerScope),
    same(code, "binding.recipientScope", supplier.organizationId, recipientScope)
  ])
}

/** The organization of the supplier, which is the same in every event of a verified history. */
export const supplierIn = (history: History): string | undefined =>
  history.find(({ content }) => content.actor.role === "SUPPLIER")?.content.actor.organizationId

const checkDelivery = ({ order, submission }: Inputs<"order" | "submission">): Finding<null> => {
  const named = order.content.terms.submission
  return allOf(
    null,
    [
      same("SUBMISSION_MISMATCH", "terms.submission.id", submission.content.submissionId, named.id),
      same("SUBMISSION_MISMATCH", "terms.submission.digest", submission.digest, named.digest)
    ],
    named.digest
  )
}

const checkReview = ({ order, review }: Inputs<"order" | "review">): Finding<null> => {
  const { review: named, confirmation } = order.content.terms
  return allOf(
    null,
    [
      same("REVIEW_MISMATCH", "terms.review.id", review.content.reviewId, named.id),
      same("REVIEW_MISMATCH", "terms.review.digest", review.digest, named.digest),
      same("REVIEW_MISMATCH", "terms.confirmation.id", review.content.confirmationId, confirmation.id)
    ],
    named.digest
  )
}

const checkResult = ({ order, record }: Inputs<"order" | "record">): Finding<null> => {
  const named = order.content.terms.record
  return allOf(
    null,
    [
      same("RESULT_MISMATCH", "terms.record.id", record.content.recordId, named.id),
      same("RESULT_MISMATCH", "terms.record.digest", record.signed.digest, named.digest)
    ],
    named.digest
  )
}

const checkPackage = ({ order, package: enclosed }: Inputs<"order" | "package">): Finding<null> =>
  same("PACKAGE_MISMATCH", "terms.packageDigest", enclosed.signed.digest, order.content.terms.packageDigest)

/** The journal is of the attempt that this order opened, over the same source. */
const checkAttempt = ({ order: { content: order }, commerce }: Inputs<"order" | "commerce">): Finding<null> => {
  const { binding } = commerce.content
  return allOf(
    null,
    (["commerceOrderId", "resultOrderId", "acceptedSourceDigest"] as const).map((member) =>
      same("ATTEMPT_MISMATCH", `binding.${member}`, order[member], binding[member])
    ),
    binding.commerceOrderId
  )
}

/** What is paid for is the record, in the order as in the payment. */
const checkItem = ({ order, commerce, record }: Inputs<"order" | "commerce" | "record">): Finding<null> => {
  const { terms } = order.content
  const { binding } = commerce.content
  return allOf(null, [
    same("ITEM_MISMATCH", "terms.item.id", record.content.recordId, terms.item.id),
    same("ITEM_MISMATCH", "terms.item.digest", record.signed.digest, terms.item.digest),
    same("ITEM_MISMATCH", "binding.item.id", terms.item.id, binding.item.id),
    same("ITEM_MISMATCH", "binding.item.digest", terms.item.digest, binding.item.digest)
  ])
}

type Term = "provider" | "recipientAccount" | "environment" | "currency" | "amountMinor"

/** The payment has this value of the approved terms. */
const sameTerm = (code: Code, term: Term, { order, commerce }: Inputs<"order" | "commerce">): Finding<null> =>
  same(code, `binding.${term}`, order.content.terms[term], commerce.content.binding[term])

/** The package was signed before the offer, the order record before the first observation, and every part before the closure. */
const checkTimes = ({
  closure,
  package: enclosed,
  order: { content: order },
  commerce: { content: commerce }
}: Inputs<"closure" | "package" | "order" | "commerce">): Finding<null> => {
  const { financialEvents: events } = order
  const offeredAt = events[0]?.occurredAt ?? ""
  // Without an observation there is none to follow the order.
  const observedAt = commerce.firstCapturedAt ?? order.issuedAt
  return allOf(null, [
    inOrder("resultPackage.issuedAt", enclosed.content.issuedAt, offeredAt),
    inOrder("resultOrder.issuedAt", events.at(-1)?.occurredAt ?? "", order.issuedAt),
    inOrder("commerceRecord.firstCapturedAt", order.issuedAt, observedAt),
    inOrder("issuedAt", commerce.issuedAt, closure.content.issuedAt),
    inOrder("issuedAt", order.issuedAt, closure.content.issuedAt)
  ])
}

/** The assurance states of the payment exactly what the latest entries of the journal support. */
const checkAssurance = ({ closure, commerce }: Inputs<"closure" | "commerce">): Finding<null> => {
  const { assurance } = closure.content.data
  const supported = assuranceOf(commerce.content)
  return allOf(
    null,
    (["payment", "refundedMinor", "reversedMinor", "disputed"] as const).map((member) =>
      same("ASSURANCE_MISMATCH", `data.assurance.${member}`, supported[member], assurance[member])
    ),
    assurance.payment
  )
}
