/** One project for the pages of people, with its view. */
import { Effect } from "effect"
import type { ActingPerson } from "../people/acting-person.ts"
import { inView } from "../ports/storage/run.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { partyProjectOf } from "./party-projects.ts"
import { personViewer } from "./person-caller.ts"
import { readProjectView } from "./read-model.ts"
import { readSideMemberships } from "./representation.ts"
import { traced } from "../vocabulary/traced.ts"

/** One project of the person with its view, read from one snapshot. */
export const readProjectForPages = traced("projects.readProjectForPages")(function* (
  by: ActingPerson,
  projectId: string
) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const memberships = yield* readSideMemberships(reader, by, projectId, now)
    const [own] = memberships
    const viewerOf = personViewer(by, memberships, now)
    const { stored, view } = yield* readProjectView(reader, projectId, Effect.succeed(viewerOf), now)
    return {
      projectId,
      side: own.side,
      /** The organizations that the person may represent: several only before a supplier's first response. */
      organizationIds: memberships.map(({ organizationId }) => organizationId),
      personId: by.personId,
      /** The authorities of the person's memberships there, regardless of the state. */
      authorities: new Set(memberships.flatMap(({ authorities }) => authorities)),
      project: stored.project,
      listed: partyProjectOf(
        stored.row,
        own.side,
        own.side === "BUYER" ? stored.row.buyerOrganizationId : stored.row.supplierOrganizationId
      ),
      revisionProjectId: stored.row.revisionProjectId,
      view
    }
  })
})

export type ProjectForPages = Effect.Success<ReturnType<typeof readProjectForPages>>
