/** What somebody who listens to a project needs of it: whether they still stand there, and what is next for them. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { readMembership } from "../people/human.ts"
import type { Reader } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { readCircumstances, type Answering } from "./circumstances.ts"
import { readStored } from "./history.ts"
import { isAsked, readIssuance } from "./issuance.ts"
import { nextActionFor } from "./next-action.ts"
import { readTakenSide } from "./one-side.ts"
import { standingOf } from "./speaker.ts"
import { Projects } from "./store.ts"

/** The side on which a membership stands on the project now; undefined where it does not. */
export const readStanding = Effect.fnUntraced(function* (
  reader: Reader,
  membershipId: string,
  projectId: string,
  now: Instant
) {
  const [row, membership] = yield* Effect.all(
    [reader.get(Projects, [projectId]), readMembership(reader, membershipId)],
    { concurrency: "unbounded" }
  )
  if (row === undefined || membership === undefined) return undefined
  const side = standingOf(row, membership, now)
  const taken = yield* readTakenSide(reader, projectId, membership.personId)
  return taken === undefined || taken === side ? side : undefined
})

/** The next step as the project's page shows it to that side; undefined where there is no such project. */
export const readNextAction = Effect.fnUntraced(function* (
  reader: Reader,
  projectId: string,
  { side, ...answering }: Answering & { readonly side: Role },
  now: Instant
) {
  const [stored, issuance] = yield* Effect.all([readStored(reader, projectId), readIssuance(reader, projectId)], {
    concurrency: "unbounded"
  })
  if (stored === undefined) return undefined
  const circumstances = yield* readCircumstances(reader, stored, answering, now)
  const situation = {
    project: stored.project,
    isIssuanceAsked: isAsked(issuance),
    circumstances,
    now
  }
  return nextActionFor(situation, side)
})
