/** The schemas of the signed and enclosed objects, as docs/records.md specifies them. */
import type { Json } from "../canonical/json.ts"
import {
  anyObject,
  anyValue,
  digest,
  union,
  type SchemaType,
  type Schema,
  id,
  instant,
  integer,
  listOf,
  name,
  object,
  openObject,
  orNull,
  text,
  version,
  word
} from "./schema-kit.ts"
import { verifierLimits } from "./verifier-limits.ts"

export const schemaNames = {
  review: "service.result-review/v1",
  package: "service.result-package/v2",
  packageV1: "service.result-package/v1",
  standardRecord: "service.standard-record/v1",
  record: "service.result-record/v1",
  event: "service.project-event/v1",
  gap: "service.history-gap/v1",
  authority: "service.authority-event/v1",
  status: "service.agent-status/v1",
  agreement: "service.agreement/v1",
  keys: "service.issuer-keys/v1",
  keyBundle: "service.issuer-key-bundle/v1",
  authorityPolicy: "service.authority-policy/v1"
} as const

const personId = id("person")
const organizationId = id("organization")
const projectId = id("delivery")
const submissionId = id("submission")
const reviewId = id("review")
const confirmationId = id("confirmation")
const recordId = id("record")
const grantId = id("grant")
const agentId = id("agent")

const signedMembers = <const S extends string>(schema: S) => ({ schema: version(schema), issuedAt: instant })

export const resultReview = object({
  schema: version(schemaNames.review),
  record: text,
  trust: anyValue,
  status: anyValue
})

/** A record in a file, beside unsigned metadata. */
export const standardRecord = object({ schema: version(schemaNames.standardRecord), record: text, metadata: anyValue })

/** The parties choose the terms; only members to which other objects refer have a schema here. */
const terms = openObject(
  { buyerName: name, supplierName: name, criteria: listOf(openObject({ id: name })) },
  {
    subjectRequirements: listOf(openObject({ humanDecisions: listOf(text) })),
    signing: openObject(
      {
        method: word("NATIVE", "EXTERNAL"),
        principal: personId,
        agreementSignBy: instant,
        acceptanceSignBy: instant
      },
      { counterparty: personId }
    )
  }
)

export const agreement = object({
  schema: version(schemaNames.agreement),
  projectId,
  version: integer(1),
  previous: orNull(object({ projectId, digest })),
  terms,
  buyer: object({ organizationId, actorId: personId }),
  supplier: object({ actorId: orNull(personId) })
})
export type Agreement = SchemaType<typeof agreement>

const role = word("BUYER", "SUPPLIER")
export type Role = SchemaType<typeof role>

const eventMembers = {
  ...signedMembers(schemaNames.event),
  projectId,
  sequence: integer(1),
  previous: digest,
  requestId: name,
  actor: object({
    id: personId,
    organizationId,
    role,
    execution: orNull(object({ grantId, agentId, authorityHead: digest }))
  }),
  occurredAt: instant
}

export const submission = object({
  submissionId,
  agreementDigest: digest,
  previousSubmissionId: orNull(submissionId),
  respondsToReviewId: orNull(reviewId),
  summary: text,
  items: listOf(
    object({
      criterionId: name,
      summary: text,
      references: listOf(text),
      files: listOf(object({ name, reference: text, size: integer(0), sha256: digest }))
    })
  )
})
export type Submission = SchemaType<typeof submission>

const reviewMembers = {
  reviewId,
  agreementDigest: digest,
  submissionId,
  submissionDigest: digest,
  reason: text,
  nextAction: text,
  decisions: listOf(object({ criterionId: name, decision: word("MET", "NOT_MET", "EVIDENCE_NEEDED") }, { note: text }))
}

const otherReview = object({ ...reviewMembers, action: word("REQUEST_CHANGES", "REQUEST_EVIDENCE", "REJECT") })

const signature = union(
  "method",
  "NATIVE",
  object({ method: word("NATIVE"), personId, digest, statement: text }),
  object({
    method: word("EXTERNAL"),
    digest,
    evidence: object({ provider: text, reference: text, fileName: text, sha256: digest, signedAt: instant }),
    label: word("RECORDED_NOT_VERIFIED")
  })
)
export type Signature = SchemaType<typeof signature>

export const acceptance = object(
  {
    ...reviewMembers,
    action: word("ACCEPT"),
    checkedFiles: listOf(object({ criterionId: name, name, sha256: digest })),
    confirmationId
  },
  { confirmationDigest: digest, signature }
)
export type Acceptance = SchemaType<typeof acceptance>

const reasonMembers = { agreementDigest: digest, reason: text }
const confirmationMembers = { ...reasonMembers, confirmationId }
const dateHold = object({ ...reasonMembers, purpose: word("DELIVERY", "REVIEW") })

const payloads = {
  CREATE: object(
    { agreementDigest: digest, confirmationDigest: digest },
    { proposalDigest: digest, supplierOrganizationId: organizationId }
  ),
  RESPOND: object(
    {
      ...reasonMembers,
      action: word("ACCEPT", "REQUEST_CHANGES", "DECLINE"),
      actorRole: text,
      authorityAttested: word(true)
    },
    { confirmationDigest: digest }
  ),
  SUBMIT: submission,
  REVIEW: union("action", "ACCEPT", acceptance, otherReview),
  ISSUE: object({
    recordId,
    recordDigest: digest,
    confirmationId,
    agreementDigest: digest
  }),
  INVITATION_ACCEPTED: object({
    agreementDigest: digest,
    invitationId: id("invitation"),
    supplierActorId: personId
  }),
  SIGN: object({ agreementDigest: digest, party: role, signature }),
  DATE_REVISION: dateHold,
  LIFT_HOLD: dateHold,
  CONCERN: object({ ...confirmationMembers, kind: word("AUTHORITY", "MATERIALS", "CRITERIA", "OTHER") }),
  RESOLVE_CONCERN: object({ ...confirmationMembers, resolution: word("DISMISSED", "UPHELD") }),
  WITHDRAW_CONFIRMATION: object(confirmationMembers),
  CHANGE_REPRESENTATIVE: object({ ...reasonMembers, previousActorId: personId, supplierActorId: personId }),
  SUPERSEDE: object({ ...reasonMembers, successor: object({ projectId, digest }) })
} as const satisfies Record<string, Schema<unknown>>

export type EventKind = keyof typeof payloads
type EventOf<K extends EventKind> = SchemaType<
  Schema<{ readonly [M in keyof typeof eventMembers]: SchemaType<(typeof eventMembers)[M]> }>
> & { readonly kind: K; readonly payload: SchemaType<(typeof payloads)[K]> }
export type ProjectEvent = { [K in EventKind]: EventOf<K> }[EventKind]

const eventKind = word(...(Object.keys(payloads) as ReadonlyArray<EventKind>))
const eventEnvelope = object({ ...eventMembers, kind: eventKind, payload: anyObject })

export const projectEvent: Schema<ProjectEvent> = (value, at) => {
  const mismatch = eventEnvelope(value, at)
  if (mismatch !== undefined) return mismatch
  const event = value as { kind: EventKind; payload: Json }
  return payloads[event.kind](event.payload, at === "" ? "payload" : `${at}.payload`)
}

const changes = {
  GRANT: object({
    agentId,
    organizationId,
    subjectId: personId,
    role,
    actions: listOf(name),
    subjectRequirements: listOf(anyValue),
    expiresAt: instant
  }),
  LINK_PROJECT: object({ projectDigest: digest }),
  LINK_PROPOSAL: object({ proposalDigest: digest }),
  RENEW: object({ expiresAt: instant, generation: integer(1) }),
  REVOKE: object({})
} as const

export type AuthorityKind = keyof typeof changes
const authorityMembers = {
  ...signedMembers(schemaNames.authority),
  grantId,
  sequence: integer(1),
  previous: orNull(digest),
  occurredAt: instant
}
type AuthorityOf<K extends AuthorityKind> = {
  readonly [M in keyof typeof authorityMembers]: SchemaType<(typeof authorityMembers)[M]>
} & { readonly kind: K; readonly change: SchemaType<(typeof changes)[K]> }
export type AuthorityEvent = { [K in AuthorityKind]: AuthorityOf<K> }[AuthorityKind]

const authorityEnvelope = object({
  ...authorityMembers,
  kind: word(...(Object.keys(changes) as ReadonlyArray<AuthorityKind>)),
  change: anyObject
})

export const authorityEvent: Schema<AuthorityEvent> = (value, at) => {
  const mismatch = authorityEnvelope(value, at)
  if (mismatch !== undefined) return mismatch
  const event = value as { kind: AuthorityKind; change: Json }
  return changes[event.kind](event.change, at === "" ? "change" : `${at}.change`)
}

export const resultRecord = object({
  ...signedMembers(schemaNames.record),
  issuer: name,
  environment: name,
  recordId,
  projectId,
  agreement: object({ digest, version: integer(1) }),
  parties: object({
    buyer: object({ organizationId, actorId: personId, name }),
    supplier: object({ actorId: personId, name })
  }),
  submission: object({ id: submissionId, digest }),
  review: object({ id: reviewId, digest }),
  confirmation: object({ id: confirmationId }),
  acceptedAt: instant,
  head: object({ eventHash: digest, count: integer(1) })
})
export type ResultRecord = SchemaType<typeof resultRecord>

const packageMembers = {
  agreement,
  events: listOf(text, verifierLimits.eventsMax),
  submission,
  review: acceptance,
  record: text
}

const place = object({ sequence: integer(1), eventHash: digest })

/** A statement that events between two numbers may be lost. */
export const historyGap = object({
  ...signedMembers(schemaNames.gap),
  epoch: id("epoch"),
  projectId,
  reason: text,
  kept: place,
  lost: place
})
export type HistoryGap = SchemaType<typeof historyGap>

/** The first version has neither a manifest nor authority chains. */
export const resultPackageV1 = object({ ...signedMembers(schemaNames.packageV1), ...packageMembers })
/** The members of both versions. */
export type PackageContent = Omit<SchemaType<typeof resultPackageV1>, "schema"> & Pick<ResultPackage, "gaps">

export const resultPackage = object(
  {
    ...signedMembers(schemaNames.package),
    ...packageMembers,
    manifest: listOf(
      object({
        id: name,
        kind: word("agreement", "event", "submission", "review", "record", "authority-event", "history-gap"),
        digest,
        bytes: integer(1)
      })
    ),
    authority: listOf(
      object({
        grantId,
        events: listOf(text, verifierLimits.authorityEventsMax),
        salts: listOf(object({ sequence: integer(1), salt: digest }), verifierLimits.authorityEventsMax)
      })
    )
  },
  { gaps: listOf(text, verifierLimits.eventsMax) }
)
export type ResultPackage = SchemaType<typeof resultPackage>

export const agentStatus = object({
  ...signedMembers(schemaNames.status),
  expiresAt: instant,
  environment: name,
  projectId,
  agreementDigest: digest,
  headEventHash: digest,
  state: name,
  recordId: orNull(recordId),
  recordDigest: orNull(digest),
  reliance: word("NONE", "CURRENT", "PAUSED", "STOPPED"),
  nonce: name
})
export type AgentStatus = SchemaType<typeof agentStatus>
