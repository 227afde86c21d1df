/** Projects as the pages for people show them: the noun beside its view, and who has to do what next in many of them. */
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

/** One project of a person's side, whole: the head of the view and of the noun are the same. */
export const readWholeProject = Effect.fn("projects.readWhole")(function* (by: Human, projectId: string) {
  const storage = yield* Storage
  const now = yield* currentTime
  return yield* storage.view((reader) =>
    Effect.gen(function* () {
      const standing = yield* standingMemberships(reader, by, projectId, now)
      const [own] = standing
      const lookAs = lookAsPerson(by, standing, now)
      const { stored, view } = yield* seeProject(reader, projectId, (seen) => Effect.succeed(lookAs(seen)), now)
      return {
        projectId,
        side: own.side,
        /** The organizations that the person may act for: several only before a supplier's first answer. */
        organizationIds: standing.map(({ organizationId }) => organizationId),
        personId: by.personId,
        /** What the person's memberships there carry, whatever the state allows. */
        authorities: new Set(standing.flatMap(({ authorities }) => authorities)),
        project: stored.project,
        revisionProjectId: stored.row.revisionProjectId,
        view
      }
    })
  )
})

export type WholeProject = Effect.Success<ReturnType<typeof readWholeProject>>

/** What has to be done next in each project that goes on; of the newest ones alone, since each is read whole. */
export const readNextActions = Effect.fn("projects.readNextActions")(function* (
  { personId }: Human,
  projects: ReadonlyArray<SidedProject>
) {
  const storage = yield* Storage
  const now = yield* currentTime
  const followed = projects
    .filter(({ state }) => !isEnded(state))
    .toSorted(newestFirst)
    .slice(0, limits.projectsFollowed)
  const found = yield* storage.view((reader) =>
    Effect.forEach(
      followed,
      Effect.fnUntraced(function* ({ projectId, role, organizationId }) {
        const [stored, issuance] = yield* Effect.all([readStored(reader, projectId), readIssuance(reader, projectId)])
        if (stored === undefined) return undefined
        const { project } = stored
        const answering = { personId, organizationId: organizationId ?? "" }
        const situation = {
          project,
          isIssuanceAsked: isAsked(issuance),
          circumstances: yield* readCircumstances(reader, stored, answering, now),
          now
        }
        return [projectId, nextActionFor(situation, role)] as const
      }),
      { concurrency: "unbounded" }
    )
  )
  return new Map(found.flatMap((one) => (one === undefined ? [] : [one])))
})

/** By when it was made, then by its id. */
export const newestFirst = (one: SidedProject, other: SidedProject): number =>
  one.createdAt === other.createdAt
    ? Number(one.projectId > other.projectId) * 2 - 1
    : Number(one.createdAt < other.createdAt) * 2 - 1
