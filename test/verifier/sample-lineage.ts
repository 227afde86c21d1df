/**
 * The lineage of a sample closure: another buyer agreed with the same supplier because of the result in the closure. Shares
 * no code with the service or the verifier, and lets a test change any object before it is hashed and signed.
 */
import { makePassport, type PassportForgery, passportIds } from "./sample-passport.ts"
import { ids } from "./sample-ids.ts"
import { at, digest, type Members, signPayload, uuid } from "./signing.ts"

/** Each hook may change its object in place, or return another one. */
export interface LineageForgery {
  /** The enclosed passport; the first of its two results is that of the closure. */
  readonly passport?: PassportForgery
  /** The agreement in the snapshot; reference and link follow from it. */
  readonly agreement?: (agreement: Members) => unknown
  readonly reference?: (reference: Members, passport: Members) => unknown
  readonly signReference?: (reference: Members) => string
  readonly link?: (link: Members) => unknown
  readonly signLink?: (link: Members) => string
  readonly snapshot?: (snapshot: Members) => unknown
  readonly signSnapshot?: (snapshot: Members) => string
  /** The member of the closure, with everything in it signed. */
  readonly file?: (lineage: Members) => unknown
}

export const lineageIds = {
  project: `delivery_${uuid(500)}`,
  buyerOrganization: `organization_${uuid(501)}`,
  buyer: `person_${uuid(502)}`,
  reference: `reference_${uuid(503)}`,
  link: `link_${uuid(504)}`
}

/** The time of the reference, of the link and of the snapshot, between the passport and the closure. */
const seconds = (second: number): string => at(20, second * 1_000)
const issuer = { issuer: "Countersign Test", environment: "TEST" }
const confirmedEvent = { sequence: 2, hash: digest("the confirmation of the next agreement") }

const change = (value: Members, hook: ((value: Members) => unknown) | undefined): Members =>
  (hook?.(value) as Members | undefined) ?? value

/** `original`: the agreement, and the payload of the record, of the closure. */
export const makeLineage = (original: { agreement: Members; record: Members }, forgery: LineageForgery): Members => {
  const passport = makeSelection(original.record, forgery.passport)
  const agreement = change(nextAgreementAfter(original.agreement), forgery.agreement)
  const reference = change(referenceOf(passport, agreement), (one) => forgery.reference?.(one, passport))
  const link = change(linkOf(original, reference, agreement), forgery.link)
  const snapshot = change(snapshotOf(agreement), forgery.snapshot)
  const sign = (payload: Members): string => signPayload("CLOSURE", payload)
  return change(
    {
      passport,
      historyReference: (forgery.signReference ?? sign)(reference),
      agreementLink: (forgery.signLink ?? sign)(link),
      nextAgreement: (forgery.signSnapshot ?? sign)(snapshot)
    },
    forgery.file
  )
}

/** A passport whose first result is this record. */
export const makeSelection = (record: Members, forgery: PassportForgery = {}): Members =>
  makePassport({
    ...forgery,
    summary: (summary, index) => {
      if (index === 0) {
        summary["resultId"] = record["recordId"]
        summary["resultDigest"] = digest(record)
        summary["completionTime"] = record["acceptedAt"]
      }
      return forgery.summary?.(summary, index) ?? summary
    }
  }).file

export const manifestOf = (passport: Members): Members =>
  JSON.parse(Buffer.from(passport["manifest"].split(".")[1], "base64url").toString())

const nextAgreementAfter = (agreement: Members): Members => ({
  ...agreement,
  projectId: lineageIds.project,
  version: 1,
  previous: null,
  terms: { ...agreement["terms"], title: "The next report", buyerName: "Next Buyer AG" },
  buyer: { organizationId: lineageIds.buyerOrganization, actorId: lineageIds.buyer }
})

const referenceOf = (passport: Members, agreement: Members): Members => {
  const manifest = manifestOf(passport)
  const { resultId, publicationId, publicationDigest, summaryDigest } = manifest["entries"][0] ?? {}
  return {
    schema: "service.history-reference/v1",
    issuedAt: seconds(1),
    ...issuer,
    type: "HISTORY_REFERENCE",
    referenceId: lineageIds.reference,
    project: { id: agreement["projectId"], version: agreement["version"], agreementDigest: digest(agreement) },
    passport: { digest: digest(manifest), subjectId: passportIds.subject },
    references: [{ relation: "COOPERATE", resultId, publicationId, publicationDigest, summaryDigest }],
    madeBy: { organizationId: lineageIds.buyerOrganization, personId: lineageIds.buyer },
    reason: "The report of last year was good."
  }
}

const linkOf = (
  { agreement, record }: { agreement: Members; record: Members },
  reference: Members,
  next: Members
): Members => ({
  schema: "service.agreement-link/v1",
  issuedAt: seconds(2),
  ...issuer,
  type: "AGREEMENT_LINK",
  linkId: lineageIds.link,
  reference: { id: reference["referenceId"], digest: digest(reference) },
  original: {
    projectId: agreement["projectId"],
    version: agreement["version"],
    agreementDigest: digest(agreement),
    recordId: record["recordId"],
    recordDigest: digest(record)
  },
  next: {
    projectId: next["projectId"],
    version: next["version"],
    agreementDigest: digest(next),
    confirmedEventHash: confirmedEvent.hash
  },
  supplierOrganizationId: ids.supplierOrganization
})

const snapshotOf = (agreement: Members): Members => ({
  schema: "service.agreement-snapshot/v1",
  issuedAt: seconds(3),
  ...issuer,
  agreement,
  supplierOrganizationId: ids.supplierOrganization,
  confirmedEvent: { ...confirmedEvent },
  state: "SUBMITTED",
  head: { eventHash: digest("the submission of the next agreement"), count: 3 }
})
