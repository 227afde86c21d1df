/** The Result Passport: summaries that a requester selected, a signed manifest, and a signed statement on each. */
import { Schema } from "effect"
import { digestOf } from "../canonical/digest.ts"
import type { Issuer } from "../records/record.ts"
import { addMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import {
  compactJws,
  digest,
  instant,
  name,
  publicationId,
  recordId,
  signed,
  subjectId
} from "../vocabulary/record-schemas.ts"
import { decodeSummary } from "./summary.ts"

export const passportSchema = "service.result-passport/v1"

export const passportFormats = ["json", "zip"] as const
export type PassportFormat = (typeof passportFormats)[number]

/** The file. A reader may replace the statuses by later ones; the manifest covers none. */
export const ResultPassport = Schema.Struct({
  schema: Schema.Literal(passportSchema),
  manifest: compactJws,
  summaries: Schema.Array(compactJws).check(
    Schema.isMinLength(limits.passportSelectionMin),
    Schema.isMaxLength(limits.passportSelectionMax)
  ),
  statuses: Schema.Array(compactJws)
}).annotate({ identifier: "ResultPassport" })
export type ResultPassport = typeof ResultPassport.Type

/** A passport inside of another file, or in a request: as many statements as there can be summaries. */
export const EnclosedPassport = Schema.Struct({
  ...ResultPassport.fields,
  statuses: ResultPassport.fields.statuses.check(Schema.isMaxLength(limits.passportSelectionMax))
}).annotate({ identifier: "EnclosedPassport" })

/** The payload of the manifest's JWS, with the entries in the requester's order. */
export const PassportManifest = Schema.Struct({
  ...signed(passportSchema),
  issuer: name,
  environment: name,
  subject: Schema.Struct({ id: subjectId }),
  coverage: Schema.Literal("SELECTED_RESULTS_NOT_COMPLETE_HISTORY"),
  selectedBy: Schema.Literal("REQUESTER"),
  verificationScope: Schema.Literal("SIGNED_PUBLIC_SUMMARIES_ONLY_NOT_ORIGINAL_RESULTS"),
  entries: Schema.Array(
    Schema.Struct({
      resultId: recordId,
      publicationId,
      publicationDigest: digest,
      completionTime: instant,
      summaryDigest: digest.annotate({ description: "Of the JSON text that is the enclosed JWS, quotes included." })
    })
  ).check(Schema.isMinLength(limits.passportSelectionMin), Schema.isMaxLength(limits.passportSelectionMax))
})
export type PassportManifest = typeof PassportManifest.Type

export const PublicationStatement = Schema.Struct({
  ...signed("service.publication-status/v1"),
  expiresAt: instant,
  publicationId,
  publicationDigest: digest,
  status: Schema.Literals(["AVAILABLE", "UNAVAILABLE"])
})
export type PublicationStatement = typeof PublicationStatement.Type

/** A publication as a requester selects it: its id, and the digest of the summary that was read. */
export interface Selection {
  readonly publicationId: string
  readonly publicationDigest: string
}

/** True for 1 to 20 publications, each of them once. */
export const isSelection = (selections: ReadonlyArray<Selection>): boolean =>
  selections.length >= limits.passportSelectionMin &&
  selections.length <= limits.passportSelectionMax &&
  new Set(selections.map(({ publicationId }) => publicationId)).size === selections.length

/** A publication with the stored bytes of its summary. */
interface StoredSummary {
  readonly digest: string
  readonly summary: string
}

export const manifestPayload = (
  subjectId: string,
  selected: ReadonlyArray<StoredSummary>,
  { issuer, environment }: Issuer,
  issuedAt: Instant
): PassportManifest => ({
  schema: passportSchema,
  issuedAt,
  issuer,
  environment,
  subject: { id: subjectId },
  coverage: "SELECTED_RESULTS_NOT_COMPLETE_HISTORY",
  selectedBy: "REQUESTER",
  verificationScope: "SIGNED_PUBLIC_SUMMARIES_ONLY_NOT_ORIGINAL_RESULTS",
  entries: selected.map(entryOf)
})

const entryOf = ({ digest, summary }: StoredSummary): PassportManifest["entries"][number] => {
  const { resultId, publicationId, completionTime } = decodeSummary(summary)
  return { resultId, publicationId, publicationDigest: digest, completionTime, summaryDigest: digestOf(summary) }
}

/** A statement on the exact pair of publication and digest, valid for five minutes. */
export const statementPayload = (
  { publicationId, publicationDigest }: Selection,
  isAvailable: boolean,
  issuedAt: Instant
): PublicationStatement => ({
  schema: "service.publication-status/v1",
  issuedAt,
  expiresAt: addMilliseconds(issuedAt, limits.statusWindow),
  publicationId,
  publicationDigest,
  status: isAvailable ? "AVAILABLE" : "UNAVAILABLE"
})
