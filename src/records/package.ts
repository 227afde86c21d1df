/** The Result Package v2: everything that an independent verifier needs, in one signed payload (docs/records.md). */
import { Schema } from "effect"
import { canonicalBytes } from "../canonical/jcs.ts"
import { sha256Hex } from "../canonical/digest.ts"
import { signedBytes } from "../canonical/jws.ts"
import { EnclosedAgreement, type Agreement } from "../projects/agreement.ts"
import { AcceptancePayload, SubmitPayload } from "../projects/event.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { compactJws, digest, grantId, name, ordinal, signed } from "../vocabulary/record-schemas.ts"

const ManifestEntry = Schema.Struct({
  id: name,
  kind: Schema.Literals(["agreement", "event", "submission", "review", "record", "authority-event", "history-gap"]),
  digest,
  bytes: ordinal
})
type ManifestEntry = typeof ManifestEntry.Type

export const ResultPackage = Schema.Struct({
  ...signed("service.result-package/v2"),
  manifest: Schema.Array(ManifestEntry).annotate({ description: "Every object that the package holds, in its order." }),
  agreement: EnclosedAgreement,
  events: Schema.Array(compactJws)
    .check(Schema.isMaxLength(limits.eventsPerProject))
    .annotate({ description: "The whole history as of the export, oldest first." }),
  gaps: Schema.optionalKey(Schema.Array(compactJws).check(Schema.isMaxLength(limits.historyGaps))).annotateKey({
    description: "The statements that events of the history may be lost, oldest first."
  }),
  submission: SubmitPayload,
  review: AcceptancePayload,
  record: compactJws,
  authority: Schema.Array(
    Schema.Struct({
      grantId,
      events: Schema.Array(compactJws).check(Schema.isMaxLength(limits.authorityEvents)),
      salts: Schema.Array(Schema.Struct({ sequence: ordinal, salt: digest })).check(
        Schema.isMaxLength(limits.authorityEvents)
      )
    })
  ).annotate({
    description: "The complete chain of each grant that acted, and the salts of its links to this project."
  })
})
export type ResultPackage = typeof ResultPackage.Type

/** The complete chain of one grant and the salts of its links to this project, or to the successor it accepted. */
export interface AuthorityChain {
  readonly grantId: string
  readonly events: ReadonlyArray<SignedPart>
  readonly salts: ReadonlyArray<{ readonly sequence: number; readonly salt: string }>
}

/** A signed part: its id in the manifest and its compact JWS. */
export interface SignedPart {
  readonly id: string
  readonly jws: string
}

export interface PackageParts {
  readonly agreement: Agreement
  readonly events: ReadonlyArray<SignedPart>
  /** Statements of lost events, oldest first. */
  readonly gaps: ReadonlyArray<SignedPart>
  readonly submission: SubmitPayload
  readonly review: AcceptancePayload
  readonly record: SignedPart
  readonly authority: ReadonlyArray<AuthorityChain>
}

export const packagePayload = (parts: PackageParts, issuedAt: Instant): ResultPackage => ({
  schema: "service.result-package/v2",
  issuedAt,
  manifest: manifestOf(parts),
  agreement: parts.agreement,
  events: parts.events.map(({ jws }) => jws),
  ...(parts.gaps.length === 0 ? {} : { gaps: parts.gaps.map(({ jws }) => jws) }),
  submission: parts.submission,
  review: parts.review,
  record: parts.record.jws,
  authority: parts.authority.map(({ grantId, events, salts }) => ({
    grantId,
    events: events.map(({ jws }) => jws),
    salts
  }))
})

/** One entry for each object, in the order of the package. */
const manifestOf = ({
  agreement,
  events,
  gaps,
  submission,
  review,
  record,
  authority
}: PackageParts): ReadonlyArray<ManifestEntry> => [
  objectEntry(agreement.projectId, "agreement", agreement),
  ...events.map((event) => signedEntry("event", event)),
  ...gaps.map((gap) => signedEntry("history-gap", gap)),
  objectEntry(submission.submissionId, "submission", submission),
  objectEntry(review.reviewId, "review", review),
  signedEntry("record", record),
  ...authority.flatMap((chain) => chain.events.map((event) => signedEntry("authority-event", event)))
]

const objectEntry = (id: string, kind: ManifestEntry["kind"], value: object) => entry(id, kind, canonicalBytes(value))

/** The entry of a signed part is over its payload: the signed bytes. */
const signedEntry = (kind: ManifestEntry["kind"], { id, jws }: SignedPart) => entry(id, kind, signedBytes(jws))

const entry = (id: string, kind: ManifestEntry["kind"], bytes: Uint8Array): ManifestEntry => ({
  id,
  kind,
  digest: sha256Hex(bytes),
  bytes: bytes.length
})
