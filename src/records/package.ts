/** The Result Package v2: everything a stranger needs to check one result, in one signed payload (docs/records.md). */
import { canonicalBytes } from "../canonical/jcs.ts"
import { sha256Hex } from "../canonical/digest.ts"
import type { Agreement } from "../projects/agreement.ts"
import type { Instant } from "../vocabulary/instant.ts"

/** The complete chain of one grant and the salts of its links to this project, or to the successor it accepted. */
export interface AuthorityChain {
  readonly grantId: string
  readonly events: ReadonlyArray<Sealed>
  readonly salts: ReadonlyArray<{ readonly sequence: number; readonly salt: string }>
}

/** A signed part: its id in the manifest and its compact JWS. */
export interface Sealed {
  readonly id: string
  readonly jws: string
}

export interface PackageParts {
  readonly agreement: Agreement
  readonly events: ReadonlyArray<Sealed>
  readonly submission: { readonly submissionId: string }
  readonly review: { readonly reviewId: string }
  readonly record: Sealed
  readonly authority: ReadonlyArray<AuthorityChain>
}

export const packagePayload = (parts: PackageParts, issuedAt: Instant) => ({
  schema: "service.result-package/v2" as const,
  issuedAt,
  manifest: manifestOf(parts),
  agreement: parts.agreement,
  events: parts.events.map(({ jws }) => jws),
  submission: parts.submission,
  review: parts.review,
  record: parts.record.jws,
  authority: parts.authority.map(({ grantId, events, salts }) => ({
    grantId,
    events: events.map(({ jws }) => jws),
    salts
  }))
})

/** One entry an object, in the order in which the package holds them. */
const manifestOf = ({ agreement, events, submission, review, record, authority }: PackageParts) => [
  objectEntry(agreement.projectId, "agreement", agreement),
  ...events.map((event) => signedEntry("event", event)),
  objectEntry(submission.submissionId, "submission", submission),
  objectEntry(review.reviewId, "review", review),
  signedEntry("record", record),
  ...authority.flatMap((chain) => chain.events.map((event) => signedEntry("authority-event", event)))
]

const objectEntry = (id: string, kind: string, value: object) => entry(id, kind, canonicalBytes(value))

/** A signed part is listed by its payload: the bytes that were signed. */
const signedEntry = (kind: string, { id, jws }: Sealed) => entry(id, kind, Buffer.from(jws.split(".")[1]!, "base64url"))

const entry = (id: string, kind: string, bytes: Uint8Array) => ({
  id,
  kind,
  digest: sha256Hex(bytes),
  bytes: bytes.length
})
