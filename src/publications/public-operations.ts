/**
 * The public operations on publications: the list of disclosed ones, passports and statements. Each reads one snapshot
 * without a lock. The clock is read before it, so that no statement speaks of a later moment than the snapshot shows.
 */
import { Effect } from "effect"
import { readOrganization } from "../people/operations.ts"
import { Signer } from "../ports/signer.ts"
import { inReplicaView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { readProjectRows } from "../projects/project-row.ts"
import { exportText } from "../records/portable-export.ts"
import { signOrRefuse } from "../records/signed-copy.ts"
import { later, now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import { decodeCursor, encodeCursor, type ListPosition } from "./cursor.ts"
import {
  isSelection,
  manifestPayload,
  passportFormats,
  passportSchema,
  statementPayload,
  type ResultPassport,
  type Selection
} from "./passport.ts"
import { isDisclosed } from "./publication.ts"
import { ProviderSubjects, Publications, type PublicationRow } from "./store.ts"
import { decodeSummary } from "./summary.ts"
import { passportZip } from "./zip.ts"

interface PassportRequest {
  readonly subjectId: string
  readonly selections: ReadonlyArray<Selection>
}

/** The passport of exactly these publications, as a file. */
export const exportPassport = traced("publications.exportPassport")(function* (
  { subjectId, selections }: PassportRequest,
  requestedFormat: string = "json"
) {
  const format = passportFormats.find((one) => one === requestedFormat)
  if (format === undefined) return yield* refuse("EXPORT_FORMAT_UNKNOWN")
  yield* requireSelection(selections)
  const now = yield* currentTime
  const selected = yield* inReplicaView((reader) => readSelected(reader, subjectId, selections))
  const issues = selected.flatMap(({ isAvailable }, index) =>
    isAvailable ? [] : [{ path: `selections[${index}]`, message: "NOT_CURRENTLY_PUBLIC" }]
  )
  if (issues.length > 0) return yield* refuse("PASSPORT_SELECTION_UNAVAILABLE", { issues })
  const passport = yield* exportText(yield* signPassport(subjectId, selected, now))
  return format === "json" ? { format, file: passport } : { format, file: passportZip(passport) }
})

/** Statements on the publications of this subject, in the order of the selections; none on any other. */
export const readPublicationStatus = traced("publications.readStatus")(function* ({
  subjectId,
  selections
}: PassportRequest) {
  yield* requireSelection(selections)
  const now = yield* currentTime
  const selected = yield* inReplicaView((reader) => readSelected(reader, subjectId, selections))
  return yield* signStatements(selected, now)
})

/**
 * A page of what the public can select, the latest completion first. A page examines as many publications as it can
 * show, so that hidden ones make it shorter and never slower.
 */
export const listDisclosedPublications = traced("publications.listDisclosed")(function* (
  subjectId: string,
  { after }: { readonly after?: string | undefined }
) {
  const position = after === undefined ? undefined : yield* decodeCursor(after)
  const { page, ...listed } = yield* inReplicaView(function* (reader) {
    const subject = yield* readSubject(reader, subjectId)
    const [organization, page] = yield* readTogether([
      readOrganization(reader, subject.organizationId),
      readPage(reader, subjectId, position)
    ])
    return {
      page,
      subject: { id: subjectId, name: organization?.name ?? subject.organizationId },
      coverage: "DISCLOSED_RESULTS_ONLY" as const,
      publications: page.disclosed.map(({ publicationId, digest, recordId, summary, completionTime }) => ({
        publicationId,
        publicationDigest: digest,
        resultId: recordId,
        title: decodeSummary(summary).title,
        completionTime
      }))
    }
  })
  return { ...listed, next: page.next === undefined ? null : yield* encodeCursor(page.next) }
})

const requireSelection = (selections: ReadonlyArray<Selection>) =>
  isSelection(selections) ? Effect.void : refuse("PASSPORT_SELECTION_INVALID")

const readSubject = Effect.fnUntraced(function* (reader: Reader, subjectId: string) {
  const subject = yield* reader.find(ProviderSubjects, "bySubject", [subjectId])
  return subject ?? (yield* refuse("PASSPORT_SUBJECT_UNKNOWN"))
})

/** A selection with its publication, where it is one of the subject. */
interface SelectedPublication {
  readonly selection: Selection
  readonly publication: PublicationRow | undefined
  /** True where exactly this summary is disclosed. */
  readonly isAvailable: boolean
  /** The last change of the publication or of its project; null without a publication. */
  readonly changedAt: Instant | null
}

const readSelected = Effect.fnUntraced(function* (
  reader: Reader,
  subjectId: string,
  selections: ReadonlyArray<Selection>
) {
  const [, ...found] = yield* readTogether([
    readSubject(reader, subjectId),
    ...selections.map(({ publicationId }) => reader.get(Publications, [publicationId]))
  ])
  const own = found.map((publication) => (publication?.subjectId === subjectId ? publication : undefined))
  const projects = yield* readProjectRows(
    reader,
    own.flatMap((publication) => publication?.projectId ?? [])
  )
  return selections.map((selection, index): SelectedPublication => {
    const publication = own[index]
    if (publication === undefined) return { selection, publication, isAvailable: false, changedAt: null }
    const { state, lastEventAt } = projects.get(publication.projectId)!
    const isExact = publication.digest === selection.publicationDigest
    return {
      selection,
      publication,
      isAvailable: isExact && isDisclosed(publication, state),
      changedAt: later(lastEventAt, lastChangeOf(publication))
    }
  })
})

const lastChangeOf = ({ proposedAt, approvedAt, withdrawnAt }: PublicationRow): Instant =>
  [approvedAt ?? proposedAt, withdrawnAt ?? proposedAt].reduce(later, proposedAt)

/**
 * The time of what is signed about these: that of the request, or of the latest change that the snapshot has, where that
 * is later. A change can commit between the reading of the clock and the snapshot, and the clocks of two servers differ.
 */
const issuedAtOf = (selected: ReadonlyArray<SelectedPublication>, now: Instant): Instant =>
  selected.reduce((latest, { changedAt }) => (changedAt === null ? latest : later(latest, changedAt)), now)

const readPage = Effect.fnUntraced(function* (reader: Reader, subjectId: string, after: ListPosition | undefined) {
  const rows = yield* reader.range(Publications, "bySubject", {
    prefix: [subjectId, "PUBLISHED"],
    direction: "descending",
    limit: limits.publicationsOnPage + 1,
    ...(after && { after: [after.completionTime, after.publicationId] })
  })
  const examined = rows.slice(0, limits.publicationsOnPage)
  const projects = yield* readProjectRows(
    reader,
    examined.map(({ projectId }) => projectId)
  )
  return {
    disclosed: examined.filter((row) => isDisclosed(row, projects.get(row.projectId)!.state)),
    next: rows.length > examined.length ? examined.at(-1) : undefined
  }
})

const signPassport = Effect.fnUntraced(function* (
  subjectId: string,
  selected: ReadonlyArray<SelectedPublication>,
  now: Instant
) {
  const { keys } = yield* Signer
  const published = selected.flatMap(({ publication }) => publication ?? [])
  const issuedAt = issuedAtOf(selected, now)
  return {
    schema: passportSchema,
    manifest: yield* signOrRefuse("PUBLICATION", manifestPayload(subjectId, published, keys, issuedAt)),
    summaries: published.map(({ summary }) => summary),
    statuses: yield* signStatements(selected, now)
  } satisfies ResultPassport
})

const signStatements = (selected: ReadonlyArray<SelectedPublication>, now: Instant) =>
  Effect.forEach(
    selected.filter(({ publication }) => publication !== undefined),
    ({ selection, isAvailable }) =>
      signOrRefuse("STATUS", statementPayload(selection, isAvailable, issuedAtOf(selected, now)))
  )
