/**
 * The checks of a closure's lineage: a later agreement with the same supplier whose buyer chose it on the ground of the
 * result in this closure. Each part is verified by its own rules before they are compared; the statuses in the enclosed
 * passport count for nothing.
 */
import type { Closure } from "./closure-shapes.ts"
import type { Code } from "./codes.ts"
import { openIssued } from "./issued-objects.ts"
import {
  allOf,
  type CheckResult,
  combineRecord,
  fail,
  type Finding,
  inOrder,
  type Ledger,
  pass,
  same
} from "./ledger.ts"
import {
  type AgreementLink,
  agreementLink,
  type AgreementSnapshot,
  agreementSnapshot,
  type HistoryReference,
  historyReference,
  type Lineage
} from "./lineage-shapes.ts"
import { confirmedStates } from "./moves.ts"
import { type VerifiedPassport, verifyPassport } from "./passport.ts"
import { portableNames } from "./portable-shapes.ts"
import type { Agreement, ResultRecord } from "./schemas.ts"
import type { TrustContext } from "./verified-jws.ts"
import { type EnclosedPart, enclosedPart, type VerifiedJws } from "./verified-objects.ts"

export interface VerifiedLineage {
  readonly passport: VerifiedPassport
  readonly reference: VerifiedJws<HistoryReference>
  readonly link: VerifiedJws<AgreementLink>
  readonly snapshot: VerifiedJws<AgreementSnapshot>
}

/** The transaction of the closure, each part proven by an earlier check. */
export interface OriginalTransaction {
  readonly closure: VerifiedJws<Closure>
  readonly agreement: EnclosedPart<Agreement>
  readonly record: VerifiedJws<ResultRecord>
  readonly supplierOrganizationId: string | undefined
}

type Parts = VerifiedLineage & OriginalTransaction
type Inputs<P extends keyof Parts> = Pick<Parts, P>
type Original = { readonly [P in keyof OriginalTransaction]: CheckResult<OriginalTransaction[P]> }

export const verifyLineage = (
  ledger: Ledger,
  enclosed: Lineage,
  original: Original,
  context: TrustContext
): CheckResult<VerifiedLineage> => {
  const { closure, agreement, record, supplierOrganizationId } = original
  const open = <T extends Issued>(id: string, jws: string, kind: Parameters<typeof openIssued<T>>[3]) =>
    openIssued(ledger, id, known(jws), kind, context)
  const passport = verifyPassport(ledger, known(enclosed.passport), context)
  const reference = open("reference", enclosed.historyReference, kinds.reference)
  ledger.check(`${id}-cooperate`, id, { reference, passport, record }, checkCooperate)
  ledger.check(`${id}-passport`, id, { reference, passport }, checkPassport)
  const link = open("link", enclosed.agreementLink, kinds.link)
  ledger.check(`${id}-original`, id, { link, reference, agreement, record }, checkOriginal)
  const snapshot = open("snapshot", enclosed.nextAgreement, kinds.snapshot)
  ledger.check(`${id}-next`, id, { link, reference, snapshot, agreement }, checkNext)
  ledger.check(`${id}-supplier`, id, { link, snapshot, supplierOrganizationId }, checkSupplier)
  ledger.check(`${id}-times`, id, { record, passport, reference, link, snapshot, closure }, checkTimes)
  return combineRecord({ passport, reference, link, snapshot })
}

interface Issued {
  readonly issuer: string
  readonly environment: string
}

const id = "lineage"
const known = <T>(value: T): CheckResult<T> => ({ known: true, value })
const purpose = "CLOSURE"
const kinds = {
  reference: { schema: portableNames.historyReference, purpose, form: historyReference },
  link: { schema: portableNames.agreementLink, purpose, form: agreementLink },
  snapshot: { schema: portableNames.agreementSnapshot, purpose, form: agreementSnapshot }
} as const

/** Each of these members has the expected value. */
const sameMembers = <E extends object>(
  code: Code,
  at: string,
  expected: E,
  actual: { readonly [M in keyof E]: unknown }
): ReadonlyArray<Finding<null>> =>
  Object.keys(expected).map((member) =>
    same(code, `${at}.${member}`, expected[member as keyof E], actual[member as keyof E])
  )

/** The one reference is to a result that the passport lists, and that is the record of this closure. */
const checkCooperate = ({
  reference,
  passport: { manifest, summaries },
  record
}: Inputs<"reference" | "passport" | "record">): Finding<null> => {
  const code = "COOPERATE_MISMATCH"
  const { references } = reference.content
  const [named] = references
  if (named === undefined || references.length > 1) return fail(code, "references", 1, references.length)
  const index = manifest.content.entries.findIndex((entry) => entry.resultId === named.resultId)
  const entry = manifest.content.entries[index]
  if (entry === undefined) return fail(code, "references[0].resultId", "PRESENT", named.resultId)
  const { publicationId, publicationDigest, summaryDigest } = entry
  return allOf(
    null,
    [
      ...sameMembers(code, "references[0]", { publicationId, publicationDigest, summaryDigest }, named),
      same(code, "references[0].resultId", record.content.recordId, named.resultId),
      same(code, "resultDigest", record.signed.digest, summaries[index]?.content.resultDigest),
      same(code, "completionTime", record.content.acceptedAt, entry.completionTime)
    ],
    named.resultId
  )
}

/** The reference is to this passport; another selection with the same result is another passport. */
const checkPassport = ({ reference, passport: { manifest } }: Inputs<"reference" | "passport">): Finding<null> => {
  const { passport } = reference.content
  const expected = { digest: manifest.signed.digest, subjectId: manifest.content.subject.id }
  return allOf(null, sameMembers("PASSPORT_MISMATCH", "passport", expected, passport), passport.digest)
}

/** The link is that of the reference, to the transaction of this closure. */
const checkOriginal = ({
  link,
  reference,
  agreement,
  record
}: Inputs<"link" | "reference" | "agreement" | "record">): Finding<null> => {
  const { reference: named, original } = link.content
  const { projectId, version } = agreement.content
  const transaction = {
    projectId,
    version,
    agreementDigest: agreement.digest,
    recordId: record.content.recordId,
    recordDigest: record.signed.digest
  }
  return allOf(
    null,
    [
      ...sameMembers(
        "LINK_MISMATCH",
        "reference",
        { id: reference.content.referenceId, digest: reference.signed.digest },
        named
      ),
      ...sameMembers("LINK_MISMATCH", "original", transaction, original)
    ],
    original.projectId
  )
}

/** Reference, link and snapshot are of one agreement, which is another than the original one and was confirmed. */
const checkNext = ({
  link,
  reference,
  snapshot,
  agreement: original
}: Inputs<"link" | "reference" | "snapshot" | "agreement">): Finding<null> => {
  const { confirmedEvent, head, agreement, state } = snapshot.content
  const { projectId, version, buyer } = agreement
  const agreed = { version, agreementDigest: enclosedPart(snapshot, "agreement").digest }
  const confirmed = { confirmedEventHash: confirmedEvent.hash }
  const { project, madeBy } = reference.content
  const isHead = confirmedEvent.sequence === head.count
  const code = "NEXT_MISMATCH"
  return allOf(
    null,
    [
      ...sameMembers(code, "project", { id: projectId, ...agreed }, project),
      ...sameMembers(code, "next", { projectId, ...agreed, ...confirmed }, link.content.next),
      same(code, "agreement.projectId", false, projectId === original.content.projectId),
      // The first event of a project is its creation by the buyer.
      same(code, "confirmedEvent.sequence", true, confirmedEvent.sequence > 1 && confirmedEvent.sequence <= head.count),
      same(code, "head.eventHash", isHead, head.eventHash === confirmedEvent.hash),
      confirmedStates.has(state) ? pass(null) : fail(code, "state", "CONFIRMED", state),
      same("PARTY_MISMATCH", "madeBy.organizationId", buyer.organizationId, madeBy.organizationId)
    ],
    projectId
  )
}

/** The supplier of both agreements is one organization. */
const checkSupplier = ({
  link,
  snapshot,
  supplierOrganizationId: supplier
}: Inputs<"link" | "snapshot" | "supplierOrganizationId">): Finding<null> =>
  allOf(
    null,
    [
      same("PARTY_MISMATCH", "link.supplierOrganizationId", supplier, link.content.supplierOrganizationId),
      same("PARTY_MISMATCH", "snapshot.supplierOrganizationId", supplier, snapshot.content.supplierOrganizationId)
    ],
    supplier
  )

/** Record, summary, passport, reference, link, snapshot and closure were signed in this order. */
const checkTimes = (
  parts: Inputs<"record" | "passport" | "reference" | "link" | "snapshot" | "closure">
): Finding<null> => {
  const { record, passport, reference, link, snapshot, closure } = parts
  const { manifest, summaries } = passport
  const summary = summaries.find(({ content }) => content.resultId === record.content.recordId) ?? record
  const signed = Object.entries({ record, summary, passport: manifest, reference, link, snapshot, closure })
  return allOf(
    null,
    signed.map(([name, { content }], index) =>
      inOrder(`${name}.issuedAt`, signed[index - 1]?.[1].content.issuedAt ?? "", content.issuedAt)
    )
  )
}
