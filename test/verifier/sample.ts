/**
 * A little issuer that shares no code with the service or the verifier: it builds a whole valid package from
 * docs/records.md, and lets a test change any object before it is hashed and signed, so that a forgery is consistent in
 * everything but its lie.
 */
import { manifestOf } from "./manifest.ts"
import { digest, keys, kid, type Members, signPayload, at, uuid } from "./signing.ts"

export const ids = {
  project: `delivery_${uuid(1)}`,
  buyer: `person_${uuid(2)}`,
  supplier: `person_${uuid(3)}`,
  buyerOrganization: `organization_${uuid(4)}`,
  supplierOrganization: `organization_${uuid(5)}`,
  buyerGrant: `grant_${uuid(6)}`,
  supplierGrant: `grant_${uuid(7)}`,
  buyerAgent: `agent_${uuid(8)}`,
  supplierAgent: `agent_${uuid(9)}`,
  record: `record_${uuid(10)}`,
  confirmation: `confirmation_${uuid(11)}`
}
const salt = (number: number): string => number.toString(16).padStart(64, "0")

/** Each hook may change its object in place, or return another one. */
export interface Forgery {
  readonly trust?: (file: Members) => unknown
  readonly agreement?: (agreement: Members) => unknown
  readonly authority?: (event: Members, grant: "buyer" | "supplier", index: number) => unknown
  /** The place in each authority chain of the head that the events name; the last one by default. */
  readonly head?: number
  /** An event after the issuance. */
  readonly later?: readonly [kind: string, payload: Members]
  /** All events of the history, in order, before any is hashed or signed. */
  readonly history?: (events: Array<Members>) => unknown
  readonly event?: (event: Members, index: number) => unknown
  readonly signEvent?: (event: Members, index: number) => string | undefined
  readonly signAuthority?: (event: Members) => string | undefined
  readonly record?: (record: Members) => unknown
  readonly signRecord?: (record: Members) => string | undefined
  /** The package before its manifest is computed. */
  readonly content?: (content: Members) => unknown
  /** The package with its manifest, before it is signed. */
  readonly package?: (content: Members) => unknown
  readonly signPackage?: (content: Members) => string
  readonly status?: (status: Members) => unknown
  readonly signStatus?: (status: Members) => string
  readonly review?: (file: Members) => unknown
}

const change = (value: Members, hook: ((value: Members) => unknown) | undefined): Members =>
  (hook?.(value) as Members | undefined) ?? value

export const trustFile = (): Members => ({
  schema: "service.issuer-keys/v1",
  issuer: "Countersign Test",
  environment: "TEST",
  keys: (["EVENT", "AUTHORITY", "RECORD", "PACKAGE", "STATUS"] as const).map((purpose) => ({
    kid: kid(purpose),
    jwk: keys[purpose].jwk,
    validFrom: "2026-01-01T00:00:00.000Z",
    validUntil: "2027-01-01T00:00:00.000Z",
    revokedAt: null,
    purposes: [purpose]
  }))
})

const makeAgreement = (): Members => ({
  schema: "service.agreement/v1",
  projectId: ids.project,
  version: 1,
  previous: null,
  terms: {
    title: "A report in two languages",
    buyerName: "Buyer GmbH",
    supplierName: "Supplier Ltd",
    criteria: [
      { id: "c1", title: "Text", requirement: "A text" },
      { id: "c2", title: "Table", requirement: "A table" }
    ],
    subjectRequirements: []
  },
  buyer: { organizationId: ids.buyerOrganization, actorId: ids.buyer },
  supplier: { actorId: ids.supplier }
})

interface Signed {
  readonly payload: Members
  readonly jws: string
  readonly hash: string
}

const chainHash = (payload: Members): string => {
  const event = { ...payload }
  delete event["issuedAt"]
  return digest(event)
}

const makeChain = (grant: "buyer" | "supplier", forgery: Forgery): Array<Signed> => {
  const isBuyer = grant === "buyer"
  const grantId = isBuyer ? ids.buyerGrant : ids.supplierGrant
  const changes: Array<[kind: string, change: Members]> = [
    [
      "GRANT",
      {
        agentId: isBuyer ? ids.buyerAgent : ids.supplierAgent,
        organizationId: isBuyer ? ids.buyerOrganization : ids.supplierOrganization,
        subjectId: isBuyer ? ids.buyer : ids.supplier,
        role: isBuyer ? "BUYER" : "SUPPLIER",
        actions: isBuyer
          ? ["CREATE_PROJECT", "REVIEW_DELIVERY", "CONFIRM_COMPLETION", "ISSUE_RESULT_RECORD"]
          : ["RESPOND_TERMS", "SUBMIT_MATERIALS"],
        subjectRequirements: [],
        expiresAt: at(30)
      }
    ],
    ["LINK_PROJECT", { projectDigest: digest({ projectId: `delivery_${uuid(99)}`, salt: salt(98) }) }],
    ["LINK_PROJECT", { projectDigest: digest({ projectId: ids.project, salt: salt(isBuyer ? 1 : 2) }) }],
    ["RENEW", { expiresAt: at(50), generation: 2 }]
  ]
  const chain: Array<Signed> = []
  for (const [index, [kind, member]] of changes.entries()) {
    const occurredAt = at(index)
    const event = {
      schema: "service.authority-event/v1",
      grantId,
      sequence: index + 1,
      previous: chain.at(-1)?.hash ?? null,
      kind,
      change: member,
      occurredAt,
      issuedAt: occurredAt
    }
    const payload = change(event, (one) => forgery.authority?.(one, grant, index))
    chain.push({
      payload,
      jws: forgery.signAuthority?.(payload) ?? signPayload("AUTHORITY", payload),
      hash: chainHash(payload)
    })
  }
  return chain
}

const file = (name: string, seed: number): Members => ({
  name,
  reference: `https://files.example/${name}`,
  size: 10 + seed,
  sha256: salt(seed)
})

const makeSubmission = (
  number: number,
  agreementDigest: string,
  previous: string | null,
  answers: string | null
): Members => ({
  submissionId: `submission_${uuid(20 + number)}`,
  agreementDigest,
  previousSubmissionId: previous,
  respondsToReviewId: answers,
  summary: "Everything is there",
  items: [
    { criterionId: "c1", summary: "The text", references: [], files: [file(`text-${number}.md`, number)] },
    {
      criterionId: "c2",
      summary: "The table",
      references: ["https://a.example"],
      files: [file("a.csv", 9), file("b.csv", 8)]
    }
  ]
})

const makeReview = (number: number, agreementDigest: string, submission: Members, action: string): Members => ({
  reviewId: `review_${uuid(30 + number)}`,
  agreementDigest,
  submissionId: submission["submissionId"],
  submissionDigest: digest(submission),
  action,
  reason: "Looked at everything",
  nextAction: action === "ACCEPT" ? "" : "Mend the text",
  decisions: [
    { criterionId: "c1", decision: action === "ACCEPT" ? "MET" : "NOT_MET", note: "as agreed" },
    { criterionId: "c2", decision: "MET" }
  ],
  ...(action === "ACCEPT"
    ? {
        checkedFiles: submission["items"].flatMap((item: Members) =>
          item["files"].map((one: Members) => ({
            criterionId: item["criterionId"],
            name: one["name"],
            sha256: one["sha256"]
          }))
        ),
        confirmationId: ids.confirmation,
        confirmationDigest: salt(77)
      }
    : {})
})

/** The events of the journey without `sequence` and `previous`, which the chain gives them. */
const makeHistory = (agreementDigest: string, heads: { buyer: string; supplier: string }): Array<Members> => {
  const first = makeSubmission(1, agreementDigest, null, null)
  const asked = makeReview(1, agreementDigest, first, "REQUEST_CHANGES")
  const second = makeSubmission(2, agreementDigest, first["submissionId"], asked["reviewId"])
  const accepted = makeReview(2, agreementDigest, second, "ACCEPT")
  const kinds: Array<[kind: string, payload: Members]> = [
    ["CREATE", { agreementDigest, confirmationDigest: salt(70) }],
    [
      "RESPOND",
      {
        agreementDigest,
        action: "ACCEPT",
        actorRole: "Owner",
        authorityAttested: true,
        reason: "Agreed",
        confirmationDigest: salt(71)
      }
    ],
    ["SUBMIT", first],
    ["REVIEW", asked],
    ["SUBMIT", second],
    ["REVIEW", accepted]
  ]
  return kinds.map(([kind, payload], index) => eventOf(kind, payload, index, heads))
}

const eventOf = (
  kind: string,
  payload: Members,
  index: number,
  heads: { buyer: string; supplier: string }
): Members => {
  const side = kind === "RESPOND" || kind === "SUBMIT" ? "supplier" : "buyer"
  return {
    schema: "service.project-event/v1",
    projectId: ids.project,
    kind,
    requestId: uuid(50 + index),
    actor: {
      id: ids[side],
      organizationId: side === "buyer" ? ids.buyerOrganization : ids.supplierOrganization,
      role: side === "buyer" ? "BUYER" : "SUPPLIER",
      // The accepting review is a person's act, so that both kinds of actor are in the sample.
      execution:
        payload["action"] === "ACCEPT" && kind === "REVIEW"
          ? null
          : {
              grantId: side === "buyer" ? ids.buyerGrant : ids.supplierGrant,
              agentId: side === "buyer" ? ids.buyerAgent : ids.supplierAgent,
              authorityHead: heads[side]
            }
    },
    payload,
    occurredAt: at(10 + index),
    issuedAt: at(10 + index)
  }
}

export interface Sample {
  readonly trust: Members
  readonly review: Members
  readonly package: Members
  readonly status: string
  readonly record: string
  readonly bytes: (value: unknown) => Uint8Array
}

export const checkedAt = at(21)

export const makeSample = (forgery: Forgery = {}): Sample => {
  const agreement = change(makeAgreement(), forgery.agreement)
  const chains = { buyer: makeChain("buyer", forgery), supplier: makeChain("supplier", forgery) }
  const head = forgery.head ?? -1
  const heads = { buyer: chains.buyer.at(head)!.hash, supplier: chains.supplier.at(head)!.hash }
  const agreementDigest = digest(agreement)
  const planned = makeHistory(agreementDigest, heads)
  const history = (forgery.history?.(planned) as Array<Members> | undefined) ?? planned

  const events: Array<Signed> = []
  const append = (event: Members): void => {
    const index = events.length
    const linked = { sequence: index + 1, previous: events.at(-1)?.hash ?? agreementDigest, ...event }
    const payload = change(linked, (one) => forgery.event?.(one, index))
    events.push({
      payload,
      jws: forgery.signEvent?.(payload, index) ?? signPayload("EVENT", payload),
      hash: chainHash(payload)
    })
  }
  for (const event of history) append(event)

  const submission = events.findLast((event) => event.payload["kind"] === "SUBMIT")!.payload["payload"]
  const accepting = events.findLast((event) => event.payload["kind"] === "REVIEW")!.payload
  const review = accepting["payload"]
  const record = change(
    {
      schema: "service.result-record/v1",
      issuedAt: at(18),
      issuer: "Countersign Test",
      environment: "TEST",
      recordId: ids.record,
      projectId: ids.project,
      agreement: { digest: agreementDigest, version: 1 },
      parties: {
        buyer: { organizationId: ids.buyerOrganization, actorId: ids.buyer, name: "Buyer GmbH" },
        supplier: { actorId: ids.supplier, name: "Supplier Ltd" }
      },
      submission: { id: submission.submissionId, digest: digest(submission) },
      review: { id: review.reviewId, digest: digest(review) },
      confirmation: { id: ids.confirmation },
      acceptedAt: accepting["occurredAt"],
      head: { eventHash: events.at(-1)!.hash, count: events.length }
    },
    forgery.record
  )
  const recordJws = forgery.signRecord?.(record) ?? signPayload("RECORD", record)
  append(
    eventOf(
      "ISSUE",
      { recordId: record["recordId"], recordDigest: digest(record), confirmationId: ids.confirmation, agreementDigest },
      8,
      heads
    )
  )
  if (forgery.later !== undefined) append(eventOf(...forgery.later, 9, heads))

  const content = change(
    {
      schema: "service.result-package/v2",
      issuedAt: at(20),
      agreement,
      events: events.map((event) => event.jws),
      submission,
      review,
      record: recordJws,
      authority: [
        {
          grantId: ids.buyerGrant,
          events: chains.buyer.map((one) => one.jws),
          salts: [{ sequence: 3, salt: salt(1) }]
        },
        {
          grantId: ids.supplierGrant,
          events: chains.supplier.map((one) => one.jws),
          salts: [{ sequence: 3, salt: salt(2) }]
        }
      ]
    },
    forgery.content
  )
  const payload = change(
    { ...content, manifest: manifestOf(content, [...chains.buyer, ...chains.supplier], events, record["recordId"]) },
    forgery.package
  )
  const status = change(
    {
      schema: "service.agent-status/v1",
      issuedAt: at(20),
      expiresAt: at(25),
      environment: "TEST",
      projectId: ids.project,
      agreementDigest,
      headEventHash: events.at(-1)!.hash,
      state: "BUYER_CONFIRMED",
      recordId: record["recordId"],
      recordDigest: digest(record),
      reliance: "CURRENT",
      nonce: uuid(90)
    },
    forgery.status
  )
  const statusJws = forgery.signStatus?.(status) ?? signPayload("STATUS", status)
  const trust = change(trustFile(), forgery.trust)
  return {
    trust,
    package: payload,
    status: statusJws,
    record: recordJws,
    review: change(
      {
        schema: "service.result-review/v1",
        record: forgery.signPackage?.(payload) ?? signPayload("PACKAGE", payload),
        trust: { ...trustFile(), schema: "service.issuer-key-bundle/v1" },
        status: statusJws
      },
      forgery.review
    ),
    bytes: (value) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value, null, 2))
  }
}
