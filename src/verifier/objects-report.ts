/** The verified objects in the report, each with the validity of its key at signing and at the time of the check. */
import type { VerifiedJws } from "./verified-objects.ts"
import type { VerifiedLineage } from "./lineage.ts"
import type { VerifiedPassport } from "./passport.ts"
import type { VerifiedCurrentStatus } from "./current-status.ts"
import type { ResultRecord } from "./schemas.ts"
import type { TrustedKey } from "./trust.ts"
import type { VerifiedArtifact } from "./verified-artifact.ts"
import type { VerifiedPayload } from "./verified-jws.ts"
import type { VerifiedPackage } from "./verify-package.ts"

export interface ObjectReport {
  readonly id: string
  readonly kind: string
  readonly digest: string
  readonly bytes: number
  /** Null for an object that is bound by digests alone, as the next three; the validity also where no time is established. */
  readonly kid: string | null
  readonly signedAt: string | null
  readonly keyValidAtSigning: boolean | null
  readonly keyStatusNow: "VALID" | "EXPIRED" | "REVOKED" | null
}

interface VerifiedParts {
  readonly verified: VerifiedArtifact
  readonly current: VerifiedCurrentStatus
}

/**
 * The package and its objects in order, the record alone, the passport and its summaries, or the Commerce Record; of a
 * closure itself, its package, its order, its Commerce Record and its lineage; then a status that is proven or is itself the artifact, each statement that holds for an entry of the passport, or the status of
 * the payment, whether or not it is still fresh.
 */
export const describeObjects = (
  { verified, current }: VerifiedParts,
  checkedAt: string
): ReadonlyArray<ObjectReport> => {
  const { package: outer, entries, record, passport, commerce, closure, closureV1 } = verified
  const { opened, publications, commerce: commerceStatus } = current
  const isProven = current.halves?.result.isProven ?? current.isProven
  const described: Array<ObjectReport> = []
  const add = (id: string, kind: string, { signed }: VerifiedJws<unknown>) =>
    described.push(describe(id, kind, signed, checkedAt))
  if (closure.known) add("closure", "closure", closure.value.opened)
  if (outer.known) add("package", "package", outer.value)
  if (entries.known) {
    const signedParts = signedPartsOf(verified)
    for (const { id, kind, digest, bytes } of entries.value) {
      const part = signedParts.get(id)
      if (part === undefined) described.push({ id, kind, digest, bytes, ...unsigned })
      else add(id, kind, part)
    }
  } else if (record.known) add(record.value.content.recordId, "record", record.value)
  if (passport.known) for (const one of passportObjects(passport.value)) add(...one)
  if (closure.known) add(closure.value.order.content.resultOrderId, "result-order", closure.value.order)
  if (commerce.known) add(commerce.value.content.binding.commerceOrderId, "commerce-record", commerce.value)
  if (closure.known && closure.value.lineage !== null)
    for (const one of lineageObjects(closure.value.lineage)) add(...one)
  if (opened.known && (isProven || !record.known)) add("status", "status", opened.value)
  if (commerceStatus.known) add("status", "commerce-status", commerceStatus.value)
  if (closureV1.known) {
    const { content, signed } = closureV1.value
    described.push({ ...describe(content.closureId, "closure", signed, checkedAt), keyValidAtSigning: null })
  }
  for (const one of publications) if (one !== undefined) add(one.content.publicationId, "publication-status", one)
  return described
}

type DescribedObject = readonly [id: string, kind: string, object: VerifiedJws<unknown>]

const passportObjects = ({ manifest, summaries }: VerifiedPassport): ReadonlyArray<DescribedObject> => [
  ["passport", "passport", manifest],
  ...summaries.map((one): DescribedObject => [one.content.publicationId, "summary", one])
]

const lineageObjects = ({ passport, reference, link, snapshot }: VerifiedLineage): ReadonlyArray<DescribedObject> => [
  ...passportObjects(passport),
  [reference.content.referenceId, "history-reference", reference],
  [link.content.linkId, "agreement-link", link],
  [snapshot.content.agreement.projectId, "agreement-snapshot", snapshot]
]

const signedPartsOf = ({
  history,
  gaps,
  chains,
  record
}: VerifiedPackage): ReadonlyMap<string, VerifiedJws<unknown>> => {
  const parts = new Map<string, VerifiedJws<unknown>>()
  if (history.known) for (const one of history.value) parts.set(one.hash, one)
  if (gaps.known) for (const one of gaps.value) parts.set(one.content.epoch, one)
  if (chains.known) for (const chain of chains.value) for (const one of chain.events) parts.set(one.hash, one)
  if (record.known) parts.set(record.value.content.recordId, record.value)
  return parts
}

/** The statements of the record. */
export const describeRecord = ({ content, signed }: VerifiedJws<ResultRecord>) => ({
  recordId: content.recordId,
  recordDigest: signed.digest,
  issuedAt: content.issuedAt,
  projectId: content.projectId,
  agreement: content.agreement,
  parties: content.parties,
  submission: content.submission,
  review: content.review,
  confirmation: content.confirmation,
  acceptedAt: content.acceptedAt
})

const unsigned = { kid: null, signedAt: null, keyValidAtSigning: null, keyStatusNow: null } as const

const describe = (id: string, kind: string, signed: VerifiedPayload, checkedAt: string): ObjectReport => ({
  id,
  kind,
  digest: signed.digest,
  bytes: signed.bytes,
  kid: signed.key.kid,
  signedAt: signed.issuedAt,
  keyValidAtSigning: true,
  keyStatusNow: keyStatus(signed.key, checkedAt)
})

const keyStatus = (key: TrustedKey, checkedAt: string): "VALID" | "EXPIRED" | "REVOKED" => {
  if (key.revokedAt !== null) return "REVOKED"
  return checkedAt < key.validUntil ? "VALID" : "EXPIRED"
}
