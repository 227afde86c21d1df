/**
 * The public operations on publications: the list of disclosed ones, passports and statements. Each reads one snapshot
 * without a lock. The clock is read before it, so that no statement speaks of a later moment than was seen.
 */
import { Effect } from "effect"
import { readOrganization } from "../people/operations.ts"
import { Signer } from "../ports/signer.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { readProjectStates } from "../projects/project-row.ts"
import { exportText } from "../records/portable-export.ts"
import { signOrRefuse } from "../records/signed-copy.ts"
import { later, now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import { decodePlace, encodePlace, type ListPlace } from "./cursor.ts"
import {
  isSelection,
  manifestPayload,
  passportSchema,
  statusPayload,
  type ResultPassport,
  type Selection
} from "./passport.ts"
import { isDisclosed } from "./publication.ts"
import { ProviderSubjects, Publications, type PublicationRow } from "./store.ts"
import { decodeSummary } from "./summary.ts"
import { passportZip } from "./zip.ts"

export interface PassportRequest {
  readonly subjectId: string
  readonly selections: ReadonlyArray<Selection>
}

const formats = ["json", "zip"] as const
export type PassportFormat = (typeof formats)[number]

/** The passport of exactly these publications, as a file. */
export const exportPassport = traced("publications.exportPassport")(function* (
  { subjectId, selections }: PassportRequest,
  requestedFormat: string = "json"
) {
  const format = formats.find((one) => one === requestedFormat)
  if (format === undefined) return yield* refuse("EXPORT_FORMAT_UNKNOWN")
  yield* requireSelection(selections)
  const now = yield* currentTime
  const selected = yield* inView((reader) => readSelected(reader, subjectId, selections))
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
  const selected = yield* inView((reader) => readSelected(reader, subjectId, selections))
  return yield* signStatuses(selected, now)
})

/** A page of what the public can select, the latest completion first. */
export const listDisclosedPublications = traced("publications.listDisclosed")(function* (
  subjectId: string,
  { after }: { readonly after?: string | undefined }
) {
  const place = after === undefined ? undefined : yield* decodePlace(after)
  return yield* inView(function* (reader) {
    const subject = yield* readSubject(reader, subjectId)
    const [organization, disclosed] = yield* readTogether([
      readOrganization(reader, subject.organizationId),
      readDisclosed(reader, subjectId, place)
    ])
    const page = disclosed.slice(0, limits.publicationsOnPage)
    return {
      subject: { id: subjectId, name: organization?.name ?? subject.organizationId },
      coverage: "DISCLOSED_RESULTS_ONLY" as const,
      publications: page.map(({ publicationId, digest, recordId, summary, completionTime }) => ({
        publicationId,
        publicationDigest: digest,
        resultId: recordId,
        title: decodeSummary(summary).title,
        completionTime
      })),
      next: disclosed.length > page.length ? encodePlace(page.at(-1)!) : null
    }
  })
})

const requireSelection = (selections: ReadonlyArray<Selection>) =>
  isSelection(selections) ? Effect.void : refuse("PASSPORT_SELECTION_INVALID")

const readSubject = Effect.fnUntraced(function* (reader: Reader, subjectId: string) {
  const subject = yield* reader.find(ProviderSubjects, "bySubject", [subjectId])
  return subject ?? (yield* refuse("PASSPORT_SUBJECT_UNKNOWN"))
})

/** A selection with its publication, where it is one of the subject. */
interface Selected {
  readonly selection: Selection
  readonly publication: PublicationRow | undefined
  /** True where exactly this summary is disclosed. */
  readonly isAvailable: boolean
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
  const states = yield* readProjectStates(
    reader,
    own.flatMap((publication) => publication?.projectId ?? [])
  )
  return selections.map((selection, index): Selected => {
    const publication = own[index]
    const isAvailable =
      publication !== undefined &&
      publication.digest === selection.publicationDigest &&
      isDisclosed(publication, states.get(publication.projectId)!)
    return { selection, publication, isAvailable }
  })
})

/** One more than a page, where there are so many. */
const readDisclosed = Effect.fnUntraced(function* (reader: Reader, subjectId: string, after: ListPlace | undefined) {
  const most = limits.publicationsOnPage + 1
  const disclosed: Array<PublicationRow> = []
  let place = after
  while (true) {
    const rows = yield* reader.range(Publications, "bySubject", {
      prefix: [subjectId, "PUBLISHED"],
      direction: "descending",
      limit: most,
      ...(place && { after: [place.completionTime, place.publicationId] })
    })
    const states = yield* readProjectStates(
      reader,
      rows.map(({ projectId }) => projectId)
    )
    disclosed.push(...rows.filter((row) => isDisclosed(row, states.get(row.projectId)!)))
    place = rows.at(-1)
    if (rows.length < most || disclosed.length >= most) return disclosed.slice(0, most)
  }
})

const signPassport = Effect.fnUntraced(function* (subjectId: string, selected: ReadonlyArray<Selected>, now: Instant) {
  const { keys } = yield* Signer
  const published = selected.flatMap(({ publication }) => publication ?? [])
  // Clocks of two servers may differ: a manifest is not earlier than the summaries that it lists.
  const issuedAt = published.map(({ proposedAt }) => proposedAt).reduce(later, now)
  return {
    schema: passportSchema,
    manifest: yield* signOrRefuse("PUBLICATION", manifestPayload(subjectId, published, keys, issuedAt)),
    summaries: published.map(({ summary }) => summary),
    statuses: yield* signStatuses(selected, now)
  } satisfies ResultPassport
})

const signStatuses = (selected: ReadonlyArray<Selected>, issuedAt: Instant) =>
  Effect.forEach(
    selected.filter(({ publication }) => publication !== undefined),
    ({ selection, isAvailable }) => signOrRefuse("STATUS", statusPayload(selection, isAvailable, issuedAt))
  )
