/** A project as it is read for whoever looks: everything that its view is made of, from one snapshot. */
import { Effect } from "effect"
import { Installation } from "../ports/installation.ts"
import { Storage, type Reader } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse, type Refused } from "../vocabulary/refusals.ts"
import { readCircumstances } from "./circumstances.ts"
import { readStored, type Stored } from "./history.ts"
import type { Viewer } from "./hints.ts"
import { readIssuance, RecordIssuance } from "./issuance.ts"
import type { EmailUpdate } from "./notice.ts"
import { viewProject, type Seen } from "./view.ts"

/** Who looks, and for which organization. */
export interface Onlooker extends Viewer {
  readonly organizationId: string
}

/** A project for somebody who may see it: as it is stored, its view, and who that is there. */
export const seeProject = Effect.fnUntraced(function* <R>(
  reader: Reader,
  projectId: string,
  lookAs: (stored: Stored) => Effect.Effect<Onlooker, Refused, R>,
  now: Instant
) {
  const records = yield* RecordIssuance
  const [stored, issuance] = yield* Effect.all([readStored(reader, projectId), readIssuance(reader, projectId)], {
    concurrency: "unbounded"
  })
  // Whoever looks was found by the project's own row, or by a grant that reaches it.
  if (stored === undefined) return yield* refuse("NOT_FOUND")
  const onlooker = yield* lookAs(stored)
  const answering = { personId: onlooker.by.personId, organizationId: onlooker.organizationId }
  const [isCovered, circumstances] = yield* Effect.all(
    [records.isCovered(reader, stored.row.buyerOrganizationId), readCircumstances(reader, stored, answering, now)],
    { concurrency: "unbounded" }
  )
  const view = yield* viewSeen({ stored, issuance, isCovered, circumstances, viewer: onlooker, now })
  return { stored, onlooker, view }
})

/** The project after what somebody has just done: they see it, whatever of their authority has ended since. */
export const seeAfter = Effect.fnUntraced(function* (projectId: string, lookAs: (stored: Stored) => Onlooker) {
  const storage = yield* Storage
  const now = yield* currentTime
  return yield* storage.view((reader) => seeProject(reader, projectId, (stored) => Effect.succeed(lookAs(stored)), now))
})

export const viewSeen = (seen: Omit<Seen, "siteUrl">) =>
  Effect.map(Installation, ({ siteUrl }) => viewProject({ ...seen, siteUrl }))

/** What only an answer to a write says: that nothing happened again, and that no letter went out. */
export const afterwards = <V>(view: V, replayed: boolean, emailUpdate: EmailUpdate) => ({
  ...view,
  ...(replayed ? { replayed: true as const } : {}),
  ...(emailUpdate === undefined ? {} : { emailUpdate })
})
