/** The verified objects as the report lists them, each with its signature's key as it was then and as it is now. */
import type { Opened } from "./objects.ts"
import type { VerifiedPackage } from "./package.ts"
import type { ResultRecord } from "./shapes.ts"
import type { Signed } from "./signed.ts"
import type { VerifiedStatus } from "./status.ts"
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

interface Verified {
  readonly verified: VerifiedPackage
  readonly verifiedStatus: VerifiedStatus
}

/** The package, the objects that it holds in order, or the record alone; and a status that is proven or stands alone. */
export const describeObjects = (
  { verified, verifiedStatus: { opened, isProven } }: Verified,
  checkedAt: string
): ReadonlyArray<DescribedObject> => {
  const { package: outer, entries, record } = verified
  const found: Array<DescribedObject> = []
  const add = (id: string, kind: string, { signed }: Opened<unknown>) =>
    found.push(describe(id, kind, signed, checkedAt))
  if (outer.known) add("package", "package", outer.value)
  if (entries.known) {
    const opened = openedParts(verified)
    for (const { id, kind, digest, bytes } of entries.value) {
      const part = opened.get(id)
      if (part === undefined) found.push({ id, kind, digest, bytes, ...unsigned })
      else add(id, kind, part)
    }
  } else if (record.known) add(record.value.content.recordId, "record", record.value)
  if (opened.known && (isProven || !record.known)) add("status", "status", opened.value)
  return found
}

const openedParts = ({ history, chains, record }: VerifiedPackage): ReadonlyMap<string, Opened<unknown>> => {
  const parts = new Map<string, Opened<unknown>>()
  if (history.known) for (const one of history.value) parts.set(one.hash, one)
  if (chains.known) for (const chain of chains.value) for (const one of chain.events) parts.set(one.hash, one)
  if (record.known) parts.set(record.value.content.recordId, record.value)
  return parts
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
