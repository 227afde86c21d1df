/** The operator's list of projects, ordered by id, without histories. */
import { Effect } from "effect"
import { parseCanonical } from "../canonical/jcs.ts"
import { readListing, readPage, type PageRequest } from "../ports/storage/page.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuseUnknownId } from "../vocabulary/refusals.ts"
import { HistoryGaps, Projects, ProjectSides, type ProjectRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** The projects of a party, which is an organization or a person, or all projects. */
export const listProjects = traced("projects.listAll")(function* (
  party: string | undefined,
  page: PageRequest<string>
) {
  const found = yield* inView((reader) =>
    party === undefined ? readListing(reader, Projects, page) : readListingOfParty(reader, party, page)
  )
  return { ...found, items: found.items.map(summaryOf) }
})

const readListingOfParty = Effect.fnUntraced(function* (reader: Reader, party: string, page: PageRequest<string>) {
  const { items, next } = yield* readListing(reader, ProjectSides, page, { key: party })
  const found = yield* readTogether(items.map(({ projectId }) => reader.get(Projects, [projectId])))
  return { items: found.flatMap((row) => row ?? []), next }
})

export const showProject = traced("projects.show")(function* (projectId: string) {
  const row = yield* inView((reader) => reader.get(Projects, [projectId]))
  if (row === undefined) return yield* refuseUnknownId("project", projectId)
  const { agreementDigest, headEventHash, historyBytes, automationRevision, pauses } = row
  const { supersedesProjectId, revisionProjectId, listeners, lostHead } = row
  return {
    ...summaryOf(row),
    agreementDigest,
    headEventHash,
    historyBytes,
    automationRevision,
    pauses,
    supersedesProjectId,
    revisionProjectId,
    listeners,
    lostHead
  }
})

/** The read-only projects, with the newest lost event of each; a project has at most one open gap. */
export const listReadOnlyProjects = traced("projects.listReadOnly")(function* ({ after, limit }: PageRequest<string>) {
  const cursor = after === undefined ? undefined : [after, limits.historyGaps]
  const { rows, hasMore } = yield* inView((reader) =>
    readPage(reader, HistoryGaps, "byState", { prefix: ["OPEN"] }, { after: cursor, limit })
  )
  const items = rows.map(({ projectId, lostSequence, lostEventHash, source, foundAt }) => ({
    projectId,
    lostSequence,
    lostEventHash,
    source,
    foundAt
  }))
  return { items, next: hasMore ? items.at(-1)!.projectId : null }
})

const summaryOf = (row: ProjectRow) => {
  const agreement = parseCanonical(row.agreement)
  return {
    projectId: row.projectId,
    state: row.state,
    title: agreement.terms.title,
    isPaused: row.pauses.length > 0,
    buyerOrganizationId: row.buyerOrganizationId,
    supplierOrganizationId: row.supplierOrganizationId,
    supplierActorId: row.supplierActorId,
    eventCount: row.eventCount,
    lastEventAt: row.lastEventAt,
    createdAt: row.createdAt
  }
}
