/** The verified objects as the report lists them, each with its signature's key as it was then and as it is now. */
import type { Opened } from "./objects.ts"
import type { VerifiedPackage } from "./package.ts"
import type { ResultRecord } from "./shapes.ts"
import type { Signed } from "./signed.ts"
import type { TrustedKey } from "./trust.ts"

export interface DescribedObject {
  readonly id: string
  readonly kind: string
  readonly digest: string
  readonly bytes: number
  /** Null for an object that is bound by digests alone. */
  readonly kid: string | null
  readonly signedAt: string | null
  readonly keyValidAtSigning: boolean | null
  readonly keyStatusNow: "VALID" | "EXPIRED" | "REVOKED" | null
}

export const describeObjects = (verified: VerifiedPackage, checkedAt: string): ReadonlyArray<DescribedObject> => {
  const signatures = new Map<string, Signed>()
  if (verified.history.known) for (const one of verified.history.value) signatures.set(one.hash, one.signed)
  if (verified.chains.known) {
    for (const chain of verified.chains.value) for (const one of chain.events) signatures.set(one.hash, one.signed)
  }
  const record = verified.record.known ? verified.record.value : undefined
  if (record !== undefined) signatures.set(record.content.recordId, record.signed)
  const outer = verified.package.known ? [describe("package", "package", verified.package.value.signed, checkedAt)] : []
  if (verified.entries.known) {
    const inner = verified.entries.value.map(({ id, kind, digest, bytes }) => {
      const signed = signatures.get(id)
      return signed === undefined ? { id, kind, digest, bytes, ...unsigned } : describe(id, kind, signed, checkedAt)
    })
    return [...outer, ...inner]
  }
  return record === undefined
    ? outer
    : [...outer, describe(record.content.recordId, "record", record.signed, checkedAt)]
}

/** What the record states, for a reader. */
export const describeRecord = ({ content, signed }: Opened<ResultRecord>) => ({
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

const describe = (id: string, kind: string, signed: Signed, checkedAt: string): DescribedObject => ({
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
