/**
 * An issuer of closures that shares no code with the service or the verifier: it builds a package, the order over it, the
 * record of its payment and the closure around them as docs/portable-records.md specifies, and lets a test change any
 * object before it is hashed and signed. References and assurance follow from the enclosed artifacts.
 */
import { briefSample, chainForgeries } from "./corpus/brief-sample.ts"
import { ids } from "./sample-ids.ts"
import { type Forgery, type Sample, trustFile } from "./sample.ts"
import { type CommerceForgery, observedAt, paidObservations } from "./sample-commerce.ts"
import { type LineageForgery, makeLineage } from "./sample-lineage.ts"
import { makeCommerceStatus, type StatusForgery } from "./sample-commerce-status.ts"
import { at, detach, digest, type Members, signPayload, uuid } from "./signing.ts"

/** Each hook may change its object in place, or return another one. */
export interface ClosureForgery {
  /** The enclosed result: of `briefSample` by default, with this forgery. */
  readonly base?: (forgery: Forgery) => Sample
  readonly result?: Forgery
  /** The number of the selected attempt: 1 by default; the order of a second one holds the release of the first. */
  readonly attempt?: 1 | 2
  readonly trust?: (file: Members) => unknown
  readonly terms?: (terms: Members) => unknown
  /** The financial events before they are chained: of each `kind`, `payload`, `actor`, `requestId` and `occurredAt`. */
  readonly events?: (events: Array<Members>) => unknown
  /** A financial event with its links, before it is hashed. */
  readonly event?: (event: Members, index: number) => unknown
  /** The list whose digest is the source of the payment. */
  readonly source?: (source: Array<unknown>) => unknown
  /** The Result Order record, before it is signed; the payment is bound to what it says then. */
  readonly order?: (order: Members) => unknown
  readonly signOrder?: (order: Members) => string
  /** The Commerce Record; its observations are those of `sampleObservations` by default. */
  readonly payment?: CommerceForgery
  /** The enclosed JWS, before references and assurance are derived from them. */
  readonly artifacts?: (artifacts: Members) => unknown
  /** With it the closure has a lineage, to which a next agreement of this sample belongs. */
  readonly lineage?: LineageForgery
  /** The body, before it is signed. */
  readonly body?: (body: Members) => unknown
  readonly sign?: (body: Members) => string
  readonly file?: (file: Members) => unknown
  readonly paymentStatus?: Pick<StatusForgery, "later" | "lastObservedAt" | "status" | "signStatus">
  readonly statusFile?: (file: Members) => unknown
}

export interface ClosureSample {
  readonly trust: Members
  readonly file: Members
  readonly body: Members
  /** The payloads of the enclosed artifacts. */
  readonly parts: { readonly resultPackage: Members; readonly resultOrder: Members; readonly commerceRecord: Members }
  /** The file transaction-status.json: both halves. */
  readonly statusFile: Members
  readonly bytes: (value: unknown) => Uint8Array
}

const purposes = ["EVENT", "AUTHORITY", "RECORD", "PACKAGE", "STATUS", "COMMERCE", "CLOSURE"] as const
const schema = "service.transaction-closure-package/v2"
export const baseUrl = "https://example.org/api/agents/v1"

export const closureIds = {
  order: `order_${uuid(300)}`,
  attempt: (number: number): string => `commerce_${uuid(300 + number)}`
}

/** Within a minute after the issuance: the package, the offer, the approval, the attempt; a minute later the payment. */
const seconds = (second: number): string => at(18, second * 1_000)
const signedPackageAt = seconds(1)

const change = (value: Members, hook: ((value: Members) => unknown) | undefined): Members =>
  (hook?.(value) as Members | undefined) ?? value

export const makeClosure = (forgery: ClosureForgery = {}): ClosureSample => {
  const dated: Forgery = { content: (content) => void (content["issuedAt"] = signedPackageAt) }
  const result = (forgery.base ?? briefSample)(chainForgeries(dated, forgery.result ?? {}))
  const order = makeOrder(result.package, forgery)
  const signedOrder = forgery.signOrder?.(order) ?? signPayload("COMMERCE", order)
  const payment = makePayment(order, forgery)
  const artifacts = change(
    {
      resultPackage: result.review["record"],
      resultOrder: signedOrder,
      commerceRecord: payment.file["record"]
    },
    forgery.artifacts
  )
  const plain = bodyOf(artifacts)
  const { agreement, record } = result.package
  const lineage = forgery.lineage && makeLineage({ agreement, record: payloadOf(record) }, forgery.lineage)
  const body = change(lineage === undefined ? plain : { ...plain, lineage }, forgery.body)
  const signature = forgery.sign?.(body) ?? detach(signPayload("CLOSURE", body))
  const statusFile = { result: result.status, commerce: payment.statusFile["status"] }
  return {
    trust: change(
      trustFile([...purposes, ...(lineage === undefined ? [] : (["PUBLICATION"] as const))]),
      forgery.trust
    ),
    file: change({ schema, body, signature }, forgery.file),
    body,
    parts: { resultPackage: result.package, resultOrder: order, commerceRecord: payment.payload },
    statusFile: change(statusFile, forgery.statusFile),
    bytes: result.bytes
  }
}

const termsOf = ({ agreement, submission, review, record }: Members): Members => {
  const issued = payloadOf(record)
  const item = { id: issued["recordId"], digest: digest(issued) }
  return {
    projectId: agreement.projectId,
    agreement: { digest: digest(agreement), version: agreement.version },
    submission: { id: submission.submissionId, digest: digest(submission) },
    review: { id: review.reviewId, digest: digest(review) },
    confirmation: { id: review.confirmationId },
    record: item,
    packageDigest: "",
    buyer: { organizationId: agreement.buyer.organizationId, name: agreement.terms.buyerName },
    supplier: { organizationId: ids.supplierOrganization, name: agreement.terms.supplierName },
    provider: "SIMULATED",
    environment: "TEST",
    recipientAccount: "acct_sim_1",
    currency: "EUR",
    amountMinor: 125_000,
    item: { type: "RESULT_RECORD", ...item }
  }
}

const makeOrder = (content: Members, forgery: ClosureForgery): Members => {
  const terms = change({ ...termsOf(content), packageDigest: digest(content) }, forgery.terms)
  const termsDigest = digest(terms)
  const planned = plannedEvents(termsDigest, terms, forgery.attempt ?? 1)
  const events = (forgery.events?.(planned) as Array<Members> | undefined) ?? planned
  const financialEvents: Array<Members> = []
  for (const [index, event] of events.entries()) {
    const previous = financialEvents.at(-1)?.["hash"] ?? termsDigest
    const linked = { resultOrderId: closureIds.order, sequence: index + 1, previous, ...event }
    const changed = change(linked, (one) => forgery.event?.(one, index))
    financialEvents.push({ ...changed, hash: digest(changed) })
  }
  const financialHead = financialEvents.at(-1)?.["hash"] ?? termsDigest
  const source = [termsDigest, financialHead, baseUrl, baseUrl, terms["agreement"].digest]
  return change(
    {
      schema: "service.result-order/v1",
      issuedAt: seconds(10),
      issuer: "Countersign Test",
      environment: "TEST",
      baseUrl,
      resultOrderId: closureIds.order,
      commerceOrderId: closureIds.attempt(forgery.attempt ?? 1),
      terms,
      termsDigest,
      financialEvents,
      financialHead,
      acceptedSourceDigest: digest(forgery.source?.(source) ?? source)
    },
    forgery.order
  )
}

const plannedEvents = (termsDigest: string, { buyer, supplier }: Members, attempt: number): Array<Members> => {
  const by = (personId: string, { organizationId }: Members) => ({ personId, organizationId })
  const commerceOrderId = closureIds.attempt(1)
  const opening = { commerceOrderId, number: 1, acceptedSourceDigest: "5".repeat(64), expiresAt: seconds(6) }
  const release = { commerceOrderId, reason: "CHECKOUT_EXPIRED", journal: { count: 2, head: "6".repeat(64) } }
  const events: ReadonlyArray<readonly [kind: string, payload: Members, actor: Members | null]> = [
    ["OFFERED", { termsDigest }, by(ids.supplier, supplier)],
    ["APPROVED", { termsDigest }, by(ids.buyer, buyer)],
    ["ATTEMPT_OPENED", opening, by(ids.buyer, buyer)],
    ["ATTEMPT_RELEASED", release, null]
  ]
  return events.slice(0, attempt * 2).map(([kind, payload, actor], index) => ({
    kind,
    payload,
    actor,
    requestId: actor === null ? null : uuid(310 + index),
    occurredAt: seconds(2 + index)
  }))
}

const makePayment = (order: Members, forgery: ClosureForgery) => {
  const { terms, resultOrderId, commerceOrderId, acceptedSourceDigest } = order
  const { provider, environment, currency, amountMinor, recipientAccount, item } = terms
  const { observations, binding, ...rest } = forgery.payment ?? {}
  const offered: Members = {
    commerceOrderId,
    resultOrderId,
    acceptedSourceDigest,
    provider,
    environment,
    currency,
    amountMinor,
    buyerScope: terms.buyer.organizationId,
    recipientScope: terms.supplier.organizationId,
    recipientAccount,
    item
  }
  const bound = change(structuredClone(offered), binding)
  const { later = [], ...status } = forgery.paymentStatus ?? {}
  return makeCommerceStatus({
    ...status,
    later: later.map((one) => ofTransaction(one, bound)),
    record: {
      ...rest,
      binding: () => bound,
      observations: () => {
        const own = paidObservations().map((one): Members => ({ ...one }))
        const planned = (observations?.(own) as Array<Members> | undefined) ?? own
        return planned.map((one) => ofTransaction(one, bound))
      }
    }
  })
}

/** An observation of the sample Commerce Record, at the same distance from the others, of this order and attempt. */
const ofTransaction = <O extends Members>(one: O, bound: Members): O => {
  const { facts } = one
  const own: Members = {
    commerceOrderId: bound["commerceOrderId"],
    acceptedSourceDigest: bound["acceptedSourceDigest"]
  }
  const minutes = (Date.parse(one["observedAt"]) - Date.parse(observedAt(0))) / 60_000
  const changes = Object.entries(own).filter(([member]) => Object.hasOwn(facts, member))
  return { ...one, observedAt: at(19, minutes * 100), facts: { ...facts, ...Object.fromEntries(changes) } }
}

const bodyOf = (artifacts: Members): Members => {
  const [content, order, commerce] = ["resultPackage", "resultOrder", "commerceRecord"].map((name) =>
    payloadOf(artifacts[name])
  ) as [Members, Members, Members]
  const { agreement, submission, review } = content
  const record = payloadOf(content["record"])
  return {
    schema,
    issuedAt: at(20, 10_000),
    issuer: "Countersign Test",
    environment: "TEST",
    profile: "CUSTOM_DELIVERY_RESULT_ORDER",
    coverage: "SINGLE_TRANSACTION_SELECTED_PAYMENT_ATTEMPT",
    data: {
      references: {
        agreement: {
          type: "AGREEMENT",
          id: agreement.projectId,
          version: agreement.version,
          digest: digest(agreement)
        },
        delivery: { type: "SUBMISSION", id: submission.submissionId, digest: digest(submission) },
        review: { type: "REVIEW", id: review.reviewId, digest: digest(review) },
        result: { type: "RESULT_RECORD", id: record["recordId"], digest: digest(record) },
        resultPackage: { type: "RESULT_PACKAGE", id: agreement.projectId, digest: digest(content) },
        resultOrder: { type: "RESULT_ORDER", id: order["resultOrderId"], digest: digest(order) },
        commerce: { type: "COMMERCE_RECORD", id: commerce["binding"].commerceOrderId, digest: digest(commerce) },
        paymentSource: { type: "PAYMENT_SOURCE", digest: order["acceptedSourceDigest"] }
      },
      artifacts,
      assurance: {
        level: "LIMITED",
        delivery: "BUYER_ACCEPTANCE_RECORDED",
        ...assuranceOf(commerce),
        attestation: "SERVICE_ATTESTATION_OF_PROVIDER_READBACK",
        bankReceiptVerified: false,
        laterEvents: "NOT_ASSERTED"
      }
    }
  }
}

/** By the latest entry of each entity that has a label. */
const assuranceOf = ({ journal, labels }: Members): Members => {
  const latest = new Map<string, Members>()
  for (const [index, entry] of journal.entries.entries()) {
    latest.set(`${entry.component} ${entry.entity}`, { ...entry, label: labels[index] })
  }
  const ofComponent = (component: string) =>
    [...latest.values()]
      .filter((entry) => entry["component"] === component)
      .toSorted((one, other) => one["sequence"] - other["sequence"])
  const labelled = (component: string) => ofComponent(component).filter(({ label }) => label !== null)
  const sum = (component: string, member: string) =>
    labelled(component).reduce((total, { facts }) => total + facts[member], 0)
  return {
    payment: (ofComponent("PAYMENT").at(-1) ?? ofComponent("CHECKOUT").at(-1))?.["label"] ?? null,
    refundedMinor: sum("REFUND", "amountMinor"),
    reversedMinor: sum("TRANSFER", "amountReversedMinor"),
    disputed: labelled("DISPUTE").length > 0
  }
}

export const payloadOf = (jws: string): Members =>
  JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString())
