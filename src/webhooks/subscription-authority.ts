/**
 * The authority behind a subscription: a grant with all its renewals, or a person's membership. Every send checks it
 * again, under its locks.
 */
import { Effect } from "effect"
import { authorityLocks, isGrantLive, readGrantAuthority } from "../access/authorize.ts"
import type { Role } from "../access/actions.ts"
import { readMembership } from "../people/acting-person.ts"
import { confers, hasEnded, isInForce } from "../people/membership.ts"
import { readTogether } from "../ports/storage/run.ts"
import { exclusive, shared, type Reader, type LockKey } from "../ports/storage.ts"
import { readMemberSide } from "../projects/subscriber-view.ts"
import { earlier, type Instant } from "../vocabulary/instant.ts"
import type { SubscriptionRow } from "./store.ts"

type SubscriptionAuthority = Pick<SubscriptionRow, "grantId" | "membershipId" | "personId">

/**
 * `HELD` is an expired grant, which a renewal makes live again, or a membership before its `validFrom`; `ENDED` is final.
 */
export type AuthorityState = "LIVE" | "HELD" | "ENDED"

/** The lock keys under which the authority is read for one project. */
export const ownerLocks = (
  { grantId, membershipId }: SubscriptionAuthority,
  projectId: string
): ReadonlyArray<LockKey> =>
  grantId === null
    ? [shared("membership", membershipId), exclusive("project", projectId)]
    : authorityLocks({ grantId, membershipId })

export const readAuthorityState = (
  reader: Reader,
  owned: SubscriptionAuthority,
  now: Instant
): Effect.Effect<AuthorityState> =>
  owned.grantId === null
    ? readPersonAuthority(reader, owned, now)
    : readGrantAuthorityState(reader, owned.grantId, owned, now)

/** The side that it represents on one project now; undefined if the project is out of its scope. */
export const readRepresentedSide = (
  reader: Reader,
  { grantId, membershipId }: SubscriptionAuthority,
  projectId: string,
  now: Instant
): Effect.Effect<Role | undefined> =>
  grantId === null
    ? readMemberSide(reader, membershipId, projectId, now)
    : Effect.map(readGrantAuthority(reader, { grantId, membershipId }, projectId), (authority) =>
        authority?.link === undefined ? undefined : authority.grant.role
      )

/** When the authority ended permanently; undefined while it has not. */
export const readAuthorityEnd = Effect.fnUntraced(function* (
  reader: Reader,
  { grantId, membershipId }: SubscriptionAuthority
) {
  const [authority, membership] = yield* readTogether([
    grantId === null ? Effect.undefined : readGrantAuthority(reader, { grantId, membershipId }),
    readMembership(reader, membershipId)
  ])
  // An expired membership is never extended, and a grant that ended with it cannot be renewed.
  const ends = [authority?.grant.revokedAt, membership?.endedAt, membership?.validUntil].flatMap((end) => end ?? [])
  return ends.length === 0 ? undefined : ends.reduce(earlier)
})

const readPersonAuthority = (reader: Reader, { membershipId }: SubscriptionAuthority, now: Instant) =>
  Effect.map(readMembership(reader, membershipId), (membership): AuthorityState => {
    if (membership === undefined || hasEnded(membership, now)) return "ENDED"
    return isInForce(membership, now) ? "LIVE" : "HELD"
  })

const readGrantAuthorityState = Effect.fnUntraced(function* (
  reader: Reader,
  grantId: string,
  { membershipId }: SubscriptionAuthority,
  now: Instant
): Effect.fn.Return<AuthorityState> {
  const authority = yield* readGrantAuthority(reader, { grantId, membershipId })
  if (authority === undefined || authority.grant.revokedAt !== null) return "ENDED"
  const { grant, membership } = authority
  // A grant cannot be renewed once its membership has expired, and the authorities of a membership never change.
  if (hasEnded(membership, now) || !confers(membership.authorities, "DELEGATE")) return "ENDED"
  return isGrantLive(grant, now) && isInForce(membership, now) ? "LIVE" : "HELD"
})
