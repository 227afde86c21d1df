/**
 * The authority behind a subscription: a grant over all its renewals, or a person's membership. Every send asks it again,
 * under its roots.
 */
import { Effect } from "effect"
import { authorityRoots, isGrantLive, readLineage } from "../access/authorize.ts"
import type { Role } from "../access/actions.ts"
import { readMembership } from "../people/human.ts"
import { holds, isInForce } from "../people/membership.ts"
import { exclusive, shared, type Reader, type Root } from "../ports/storage.ts"
import { readStanding } from "../projects/listening.ts"
import { earlier, type Instant } from "../vocabulary/instant.ts"
import type { SubscriptionRow } from "./store.ts"

type Owned = Pick<SubscriptionRow, "grantId" | "membershipId" | "personId">

/** What the authority allows: `HELD` is an expired grant, which a renewal brings back; `ENDED` never comes back. */
export type Standing = "LIVE" | "HELD" | "ENDED"

/** The roots under which it is asked, about one project. */
export const ownerRoots = ({ grantId, membershipId }: Owned, projectId: string): ReadonlyArray<Root> =>
  grantId === null
    ? [shared("membership", membershipId), exclusive("project", projectId)]
    : authorityRoots({ grantId, membershipId })

/** Whether it still stands at all. */
export const standingOf = (reader: Reader, owned: Owned, now: Instant): Effect.Effect<Standing> =>
  owned.grantId === null ? personStanding(reader, owned, now) : grantStanding(reader, owned.grantId, owned, now)

/** The side that it speaks for on one project now; undefined where it does not reach it any more. */
export const sideOn = (
  reader: Reader,
  { grantId, membershipId }: Owned,
  projectId: string,
  now: Instant
): Effect.Effect<Role | undefined> =>
  grantId === null
    ? readStanding(reader, membershipId, projectId, now)
    : Effect.map(readLineage(reader, { grantId, membershipId }, projectId), (authority) =>
        authority?.link === undefined ? undefined : authority.grant.role
      )

/** When the authority ended for good; undefined while it stands, and where only what it carries has changed. */
export const readEndOf = Effect.fnUntraced(function* (reader: Reader, { grantId, membershipId }: Owned) {
  const [authority, membership] = yield* Effect.all(
    [
      grantId === null ? Effect.undefined : readLineage(reader, { grantId, membershipId }),
      readMembership(reader, membershipId)
    ],
    { concurrency: "unbounded" }
  )
  // A membership that runs out is never extended; what a grant loses by that, a renewal cannot bring back either.
  const ends = [authority?.grant.revokedAt, membership?.endedAt, membership?.validUntil].flatMap((end) => end ?? [])
  return ends.length === 0 ? undefined : ends.reduce(earlier)
})

const personStanding = (reader: Reader, { membershipId }: Owned, now: Instant) =>
  Effect.map(readMembership(reader, membershipId), (membership) =>
    membership !== undefined && isInForce(membership, now) ? "LIVE" : "ENDED"
  )

const grantStanding = Effect.fnUntraced(function* (
  reader: Reader,
  grantId: string,
  { membershipId }: Owned,
  now: Instant
): Effect.fn.Return<Standing> {
  const authority = yield* readLineage(reader, { grantId, membershipId })
  if (authority === undefined || authority.grant.revokedAt !== null) return "ENDED"
  const { grant, membership } = authority
  // The grant ends with its membership at the latest: a membership that ran out shows as an expired grant.
  if (!isGrantLive(grant, now)) return membership.endedAt === null ? "HELD" : "ENDED"
  return holds(membership, "DELEGATE", now) ? "LIVE" : "ENDED"
})
