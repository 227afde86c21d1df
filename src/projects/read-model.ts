/** The read model of a project: every part of its view, read from one snapshot. */
import { Effect } from "effect"
import { Installation } from "../ports/installation.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { readRelatedFacts } from "./related-projects.ts"
import { readStoredProject, type StoredProject } from "./history.ts"
import type { Viewer } from "./hints.ts"
import { readExpectedCover, readIsCovered } from "./coverage.ts"
import { readIssuance } from "./issuance.ts"
import type { EmailUpdate } from "./notification.ts"
import { viewProject, type ReadModel } from "./view.ts"

/** A viewer with the represented organization. */
export interface ProjectViewer extends Viewer {
  readonly organizationId: string
}

/** Reads a project for an authorized viewer: the stored project, its view and the viewer. */
export const readProjectView = Effect.fnUntraced(function* <R>(
  reader: Reader,
  projectId: string,
  readViewer: Effect.Effect<(stored: StoredProject) => ProjectViewer, never, R>,
  now: Instant
) {
  const [stored, issuance, expectedCover, viewerOf] = yield* readTogether([
    readStoredProject(reader, projectId),
    readIssuance(reader, projectId),
    readExpectedCover(reader, projectId),
    readViewer
  ])
  // The viewer was found by the project's row, or by a grant with the project in scope.
  if (stored === undefined) return yield* refuse("NOT_FOUND")
  const viewer = viewerOf(stored)
  const respondent = { personId: viewer.by.personId, organizationId: viewer.organizationId }
  const isCovered = expectedCover ?? (yield* readIsCovered(reader, stored.row.buyerOrganizationId))
  const relatedFacts = yield* readRelatedFacts(reader, stored, respondent, now)
  const view = yield* viewReadModel({ stored, issuance, isCovered, relatedFacts, viewer, now })
  return { stored, viewer, view }
})

/** The view after a caller's own write, even if the caller's authority has ended since. */
export const readProjectViewAfterWrite = Effect.fnUntraced(function* (
  projectId: string,
  viewerOf: (stored: StoredProject) => ProjectViewer
) {
  const now = yield* currentTime
  return yield* inView((reader) => readProjectView(reader, projectId, Effect.succeed(viewerOf), now))
})

export const viewReadModel = (model: Omit<ReadModel, "siteUrl">) =>
  Effect.map(Installation, ({ siteUrl }) => viewProject({ ...model, siteUrl }))

/** Adds the members of a write's response: the replay flag and the e-mail outcome. */
export const withReplayFlag = <V>(view: V, replayed: boolean, emailUpdate: EmailUpdate) => ({
  ...view,
  ...(replayed ? { replayed: true as const } : {}),
  ...(emailUpdate === undefined ? {} : { emailUpdate })
})
