/** Projects for the pages of people: one project with its view, and the next actions of many. */
import { Effect } from "effect"
import type { ActingPerson } from "../people/acting-person.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { personViewer } from "./person-caller.ts"
import { readRelatedFacts } from "./related-projects.ts"
import { readStoredProject } from "./history.ts"
import { hasIssuanceRequest, readIssuance } from "./issuance.ts"
import { nextActionFor } from "./next-action.ts"
import { isEnded } from "./moves.ts"
import { readProjectView } from "./read-model.ts"
import type { PartyProject } from "./party-projects.ts"
import { readSideMemberships } from "./representation.ts"

/** One project of the person with its view, read from one snapshot. */
export const readProjectForPages = Effect.fn("projects.readProjectForPages")(function* (
  by: ActingPerson,
  projectId: string
) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const memberships = yield* readSideMemberships(reader, by, projectId, now)
    const [own] = memberships
    const viewerOf = personViewer(by, memberships, now)
    const { stored, view } = yield* readProjectView(
      reader,
      projectId,
      (stored) => Effect.succeed(viewerOf(stored)),
      now
    )
    return {
      projectId,
      side: own.side,
      /** The organizations that the person may represent: several only before a supplier's first response. */
      organizationIds: memberships.map(({ organizationId }) => organizationId),
      personId: by.personId,
      /** The authorities of the person's memberships there, regardless of the state. */
      authorities: new Set(memberships.flatMap(({ authorities }) => authorities)),
      project: stored.project,
      revisionProjectId: stored.row.revisionProjectId,
      view
    }
  })
})

export type ProjectForPages = Effect.Success<ReturnType<typeof readProjectForPages>>

/** The next action of each open project; limited to the newest ones, since each is read in full. */
export const readNextActions = Effect.fn("projects.readNextActions")(function* (
  { personId }: ActingPerson,
  projects: ReadonlyArray<PartyProject>
) {
  const now = yield* currentTime
  const newestOpen = projects
    .filter(({ state }) => !isEnded(state))
    .toSorted(newestFirst)
    .slice(0, limits.projectsWithNextAction)
  const found = yield* inView((reader) =>
    readTogether(
      newestOpen.map(
        Effect.fnUntraced(function* ({ projectId, role, organizationId }) {
          const [stored, issuance] = yield* Effect.all([
            readStoredProject(reader, projectId),
            readIssuance(reader, projectId)
          ])
          if (stored === undefined) return undefined
          const { project } = stored
          const respondent = { personId, organizationId: organizationId ?? "" }
          const relatedFacts = yield* readRelatedFacts(reader, stored, respondent, now)
          const isIssuanceRequested = hasIssuanceRequest(issuance)
          return [projectId, nextActionFor({ project, isIssuanceRequested, relatedFacts, now }, role)] as const
        })
      )
    )
  )
  return new Map(found.flatMap((one) => (one === undefined ? [] : [one])))
})

/** By creation time, then by id. */
export const newestFirst = (one: PartyProject, other: PartyProject): number =>
  one.createdAt === other.createdAt
    ? Number(one.projectId > other.projectId) * 2 - 1
    : Number(one.createdAt < other.createdAt) * 2 - 1
