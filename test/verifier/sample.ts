/**
 * An issuer that shares no code with the service or the verifier: it builds a valid package as docs/records.md specifies,
 * and lets a test change any object before it is hashed and signed, so that a forgery is consistent but for its fault.
 */
import { manifestOf } from "./manifest.ts"
import {
  agentsUnder,
  type Agents,
  type AuthorityForgery,
  chainHash,
  enclosedChain,
  grantIds,
  makeChain,
  type SignedEvent
} from "./sample-authority.ts"
import { eventOf, makeHistory } from "./sample-history.ts"
import { ids } from "./sample-ids.ts"
import { at, digest, keys, kid, type Members, type Purpose, signPayload, uuid } from "./signing.ts"

/** Each hook may change its object in place, or return another one. */
export interface Forgery extends AuthorityForgery {
  readonly trust?: (file: Members) => unknown
  readonly agreement?: (agreement: Members) => unknown
  /** The index of the authority head that the events name in each chain; the last one by default. */
  readonly head?: number
  /** Events after the issuance, from those before it and the available agents. */
  readonly later?: (events: ReadonlyArray<Members>, agents: Agents) => ReadonlyArray<Members>
  /** All events of the history, in order, before any is hashed or signed. */
  readonly history?: (events: Array<Members>, agents: Agents) => unknown
  readonly event?: (event: Members, index: number) => unknown
  readonly signEvent?: (event: Members, index: number) => string | undefined
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

export const trustFile = (
  purposes: ReadonlyArray<Purpose> = ["EVENT", "AUTHORITY", "RECORD", "PACKAGE", "STATUS"]
): Members => ({
  schema: "service.issuer-keys/v1",
  issuer: "Countersign Test",
  environment: "TEST",
  keys: purposes.map((purpose) => ({
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

/** State and reliance after these events. */
const currentStateAfter = (events: ReadonlyArray<Members>): Members => {
  let current = { state: "BUYER_CONFIRMED", reliance: "CURRENT" }
  for (const { kind, payload } of events) {
    if (kind === "CONCERN") current = { state: "CONFIRMATION_CONTESTED", reliance: "PAUSED" }
    if (kind === "RESOLVE_CONCERN" && payload.resolution === "DISMISSED") {
      current = { state: "BUYER_CONFIRMED", reliance: "CURRENT" }
    }
    if (kind === "WITHDRAW_CONFIRMATION" || payload.resolution === "UPHELD") {
      current = { state: "CONFIRMATION_WITHDRAWN", reliance: "STOPPED" }
    }
    if (kind === "SUPERSEDE") current = { state: "SUPERSEDED", reliance: "STOPPED" }
  }
  return current
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
  const chains = {
    buyer: makeChain("buyer", forgery),
    supplier: makeChain("supplier", forgery),
    successor: makeChain("successor", forgery)
  }
  const agents = agentsUnder(chains, forgery.head ?? -1)
  const agreementDigest = digest(agreement)
  const planned = makeHistory(agreementDigest, agents)
  const history = (forgery.history?.(planned, agents) as Array<Members> | undefined) ?? planned

  const events: Array<SignedEvent> = []
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
  const recordDigest = digest(record)
  const issued = { recordId: record["recordId"], recordDigest, confirmationId: ids.confirmation, agreementDigest }
  append(eventOf("ISSUE", issued, 8, agents))
  for (const event of forgery.later?.(history, agents) ?? []) append(event)
  // The package holds a chain for each grant under which an agent acted.
  const grantsUsed = new Set(events.map(({ payload }) => payload["actor"].execution?.grantId))
  const acting = (["buyer", "supplier", "successor"] as const).filter((grant) => grantsUsed.has(grantIds[grant]))

  const content = change(
    {
      schema: "service.result-package/v2",
      issuedAt: at(20),
      agreement,
      events: events.map((event) => event.jws),
      submission,
      review,
      record: recordJws,
      authority: acting.map((grant) => enclosedChain(grant, chains[grant]))
    },
    forgery.content
  )
  const payload = change(
    {
      ...content,
      manifest: manifestOf(
        content,
        acting.flatMap((grant) => chains[grant]),
        events,
        record["recordId"]
      )
    },
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
      ...currentStateAfter(events.map(({ payload }) => payload)),
      recordId: record["recordId"],
      recordDigest: digest(record),
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
