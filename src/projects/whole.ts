/** Projects for the pages of people: one project with its view, and the next actions of many. */
import { Effect } from "effect"
import type { Human } from "../people/human.ts"
import { Storage } from "../ports/storage.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { lookAsPerson } from "./by-person.ts"
import { readCircumstances } from "./circumstances.ts"
import { readStored } from "./history.ts"
import { isAsked, readIssuance } from "./issuance.ts"
import { nextActionFor } from "./next-action.ts"
import { isEnded } from "./project.ts"
import { seeProject } from "./seen.ts"
import type { SidedProject } from "./sides.ts"
import { standingMemberships } from "./speaker.ts"

/** One project of the person with its view, read from one snapshot. */
export const readWholeProject = Effect.fn("projects.readWhole")(function* (by: Human, projectId: string) {
  const storage = yield* Storage
  const now = yield* currentTime
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const memberships = yield* standingMemberships(reader, by, projectId, now)
      const [own] = memberships
      const viewerOf = lookAsPerson(by, memberships, now)
      const { stored, view } = yield* seeProject(reader, projectId, (stored) => Effect.succeed(viewerOf(stored)), now)
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
  )
})

export type WholeProject = Effect.Success<ReturnType<typeof readWholeProject>>

/** The next action of each open project; limited to the newest ones, since each is read in full. */
export const readNextActions = Effect.fn("projects.readNextActions")(function* (
  { personId }: Human,
  projects: ReadonlyArray<SidedProject>
) {
  const storage = yield* Storage
  const now = yield* currentTime
  const newestOpen = projects
    .filter(({ state }) => !isEnded(state))
    .toSorted(newestFirst)
    .slice(0, limits.projectsFollowed)
  const found = yield* storage.view((reader) =>
    Effect.forEach(
      newestOpen,
      Effect.fnUntraced(function* ({ projectId, role, organizationId }) {
        const [stored, issuance] = yield* Effect.all([readStored(reader, projectId), readIssuance(reader, projectId)])
        if (stored === undefined) return undefined
        const { project } = stored
        const respondent = { personId, organizationId: organizationId ?? "" }
        const relatedFacts = yield* readCircumstances(reader, stored, respondent, now)
        const isIssuanceRequested = isAsked(issuance)
        return [
          projectId,
          nextActionFor({ project, isIssuanceAsked: isIssuanceRequested, circumstances: relatedFacts, now }, role)
        ] as const
      }),
      { concurrency: "unbounded" }
    )
  )
  return new Map(found.flatMap((one) => (one === undefined ? [] : [one])))
})

/** By creation time, then by id. */
export const newestFirst = (one: SidedProject, other: SidedProject): number =>
  one.createdAt === other.createdAt
    ? Number(one.projectId > other.projectId) * 2 - 1
    : Number(one.createdAt < other.createdAt) * 2 - 1
