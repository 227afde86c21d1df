/** Projects as an operator lists them, in the order of their ids; histories are not read. */
import { Effect } from "effect"
import { behind, listingOf, readPage, type PageOf } from "../ports/page.ts"
import { Storage, type Reader } from "../ports/storage.ts"
import { refuse } from "../vocabulary/refusals.ts"
import type { Agreement } from "./agreement.ts"
import { Projects, ProjectSides, type ProjectRow } from "./store.ts"

/** Of a party, which is an organization or a person of either side, or all. */
export const listProjects = Effect.fn("projects.listAll")(function* (party: string | undefined, page: PageOf<string>) {
  const storage = yield* Storage
  const found = yield* storage.view((reader) =>
    party === undefined ? readPage(reader, Projects, "key", { prefix: [] }, behind(page)) : ofParty(reader, party, page)
  )
  return listingOf(found, found.rows.map(described), ({ projectId }) => projectId)
})

const ofParty = Effect.fnUntraced(function* (reader: Reader, party: string, page: PageOf<string>) {
  const { rows, hasMore } = yield* readPage(reader, ProjectSides, "key", { prefix: [party] }, behind(page))
  const found = yield* Effect.forEach(rows, ({ projectId }) => reader.get(Projects, [projectId]), {
    concurrency: "unbounded"
  })
  return { rows: found.flatMap((row) => row ?? []), hasMore }
})

export const showProject = Effect.fn("projects.show")(function* (projectId: string) {
  const storage = yield* Storage
  const row = yield* storage.view((reader) => reader.get(Projects, [projectId]))
  if (row === undefined) return yield* refuse("UNKNOWN_PARTY", { detail: `No project has the id ${projectId}.` })
  const { agreementDigest, headEventHash, historyBytes, automationRevision, pauses } = row
  const { supersedesProjectId, revisionProjectId, listeners } = row
  return {
    ...described(row),
    agreementDigest,
    headEventHash,
    historyBytes,
    automationRevision,
    pauses,
    supersedesProjectId,
    revisionProjectId,
    listeners
  }
})

const described = (row: ProjectRow) => {
  const agreement = JSON.parse(row.agreement) as Agreement
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
