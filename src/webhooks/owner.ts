/**
 * The authority behind a subscription: a grant with all its renewals, or a person's membership. Every send checks it
 * again, under its locks.
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

type SubscriptionAuthority = Pick<SubscriptionRow, "grantId" | "membershipId" | "personId">

/** `HELD` is an expired grant, which a renewal makes live again; `ENDED` is final. */
export type Standing = "LIVE" | "HELD" | "ENDED"

/** The lock keys under which the authority is read for one project. */
export const ownerRoots = ({ grantId, membershipId }: SubscriptionAuthority, projectId: string): ReadonlyArray<Root> =>
  grantId === null
    ? [shared("membership", membershipId), exclusive("project", projectId)]
    : authorityRoots({ grantId, membershipId })

export const standingOf = (reader: Reader, owned: SubscriptionAuthority, now: Instant): Effect.Effect<Standing> =>
  owned.grantId === null
    ? readPersonAuthority(reader, owned, now)
    : readGrantAuthority(reader, owned.grantId, owned, now)

/** The side that it represents on one project now; undefined if the project is out of its scope. */
export const sideOn = (
  reader: Reader,
  { grantId, membershipId }: SubscriptionAuthority,
  projectId: string,
  now: Instant
): Effect.Effect<Role | undefined> =>
  grantId === null
    ? readStanding(reader, membershipId, projectId, now)
    : Effect.map(readLineage(reader, { grantId, membershipId }, projectId), (authority) =>
        authority?.link === undefined ? undefined : authority.grant.role
      )

/** When the authority ended permanently; undefined while it has not. */
export const readEndOf = Effect.fnUntraced(function* (
  reader: Reader,
  { grantId, membershipId }: SubscriptionAuthority
) {
  const [authority, membership] = yield* Effect.all(
    [
      grantId === null ? Effect.undefined : readLineage(reader, { grantId, membershipId }),
      readMembership(reader, membershipId)
    ],
    { concurrency: "unbounded" }
  )
  // An expired membership is never extended, and a grant that ended with it cannot be renewed.
  const ends = [authority?.grant.revokedAt, membership?.endedAt, membership?.validUntil].flatMap((end) => end ?? [])
  return ends.length === 0 ? undefined : ends.reduce(earlier)
})

const readPersonAuthority = (reader: Reader, { membershipId }: SubscriptionAuthority, now: Instant) =>
  Effect.map(readMembership(reader, membershipId), (membership) =>
    membership !== undefined && isInForce(membership, now) ? "LIVE" : "ENDED"
  )

const readGrantAuthority = Effect.fnUntraced(function* (
  reader: Reader,
  grantId: string,
  { membershipId }: SubscriptionAuthority,
  now: Instant
): Effect.fn.Return<Standing> {
  const authority = yield* readLineage(reader, { grantId, membershipId })
  if (authority === undefined || authority.grant.revokedAt !== null) return "ENDED"
  const { grant, membership } = authority
  // A grant never outlasts its membership: an expired membership shows as an expired grant.
  if (!isGrantLive(grant, now)) return membership.endedAt === null ? "HELD" : "ENDED"
  return holds(membership, "DELEGATE", now) ? "LIVE" : "ENDED"
})
