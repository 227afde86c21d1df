/** The schemas of portable records, as docs/portable-records.md specifies them. */
import {
  digest,
  id,
  instant,
  integer,
  listOf,
  name,
  object,
  orNull,
  type SchemaType,
  text,
  version,
  word
} from "./schema-kit.ts"

export const portableNames = {
  passport: "service.result-passport/v1",
  summary: "service.result-summary/v1",
  publicationStatus: "service.publication-status/v1"
} as const

const recordId = id("record")
const publicationId = id("pub")
const subjectId = id("provider")

/** The first members of every portable payload that names its issuer. */
const issuedMembers = <const S extends string>(schema: S) => ({
  schema: version(schema),
  issuedAt: instant,
  issuer: name,
  environment: name
})

export const passportFile = object({
  schema: version(portableNames.passport),
  manifest: text,
  summaries: listOf(text),
  statuses: listOf(text)
})
export type PassportFile = SchemaType<typeof passportFile>

export const passportManifest = object({
  ...issuedMembers(portableNames.passport),
  subject: object({ id: subjectId }),
  coverage: word("SELECTED_RESULTS_NOT_COMPLETE_HISTORY"),
  selectedBy: word("REQUESTER"),
  verificationScope: word("SIGNED_PUBLIC_SUMMARIES_ONLY_NOT_ORIGINAL_RESULTS"),
  entries: listOf(
    object({
      resultId: recordId,
      publicationId,
      publicationDigest: digest,
      completionTime: instant,
      summaryDigest: digest
    })
  )
})
export type PassportManifest = SchemaType<typeof passportManifest>

export const resultSummary = object({
  ...issuedMembers(portableNames.summary),
  publicationId,
  subject: object({ id: subjectId, name }),
  resultId: recordId,
  resultDigest: digest,
  title: name,
  summary: text,
  buyerName: orNull(name),
  criteriaMet: integer(1),
  specification: orNull(object({ id: name, version: integer(1), digest })),
  completionTime: instant
})
export type ResultSummary = SchemaType<typeof resultSummary>

export const publicationStatement = object({
  schema: version(portableNames.publicationStatus),
  issuedAt: instant,
  expiresAt: instant,
  publicationId,
  publicationDigest: digest,
  status: word("AVAILABLE", "UNAVAILABLE")
})
export type PublicationStatement = SchemaType<typeof publicationStatement>
