/** The acting person: in a session of the site, or through an operator at the command line. */
import { Context, Effect } from "effect"
import { rangeAll } from "../ports/storage/range-all.ts"
import { readTogether } from "../ports/storage/run.ts"
import { shared, type Reader, type LockKey } from "../ports/storage.ts"
import { addMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { holds, isInForce, type Authority } from "./membership.ts"
import { CurrentMemberships, Memberships, Sessions, type Session } from "./store.ts"

export interface ActingPerson {
  readonly personId: string
  /** Null where an operator acts for the person at the command line. */
  readonly sessionId: string | null
}

/** The caller of an operation of the site: a person whose session was live when the request arrived. */
export class SignedInPerson extends Context.Service<
  SignedInPerson,
  ActingPerson & { readonly sessionId: string; readonly name: string; readonly authenticatedAt: Instant }
>()("countersign/people/SignedInPerson") {}

/** An operator who acts for a person, with the person's authority. */
export const onBehalfOf = (personId: string): ActingPerson => ({ personId, sessionId: null })

/** The locks under which a person's session is read: a concurrent sign-out waits for the transaction. */
export const sessionLocks = ({ personId, sessionId }: ActingPerson): ReadonlyArray<LockKey> =>
  sessionId === null ? [] : [shared("person", personId)]

/** The locks under which a person acts as a member: an end of the session or of the membership waits for the transaction. */
export const memberLocks = (by: ActingPerson, membershipId: string): ReadonlyArray<LockKey> => [
  ...sessionLocks(by),
  shared("membership", membershipId)
]

export const isSessionLive = ({ endedAt, expiresAt, lastSeenAt }: Session, now: Instant): boolean =>
  endedAt === null && now < expiresAt && now < addMilliseconds(lastSeenAt, limits.sessionIdle)

/** Requires a live session, inside the transaction that commits. */
export const requireSession = Effect.fnUntraced(function* (reader: Reader, human: ActingPerson, now: Instant) {
  if (human.sessionId === null) return
  const session = yield* reader.get(Sessions, [human.sessionId])
  if (session === undefined || session.personId !== human.personId || !isSessionLive(session, now)) {
    return yield* refuse("SIGN_IN_REQUIRED")
  }
})

/** Requires a sign-in within the last five minutes. */
export const requireRecentSignIn = (reader: Reader, human: ActingPerson, now: Instant) =>
  requireSignInWithin(reader, human, now, limits.recentSignIn)

/** Requires a sign-in within that many milliseconds. */
export const requireSignInWithin = Effect.fnUntraced(function* (
  reader: Reader,
  human: ActingPerson,
  now: Instant,
  window: number
) {
  if (human.sessionId === null) return
  const session = yield* reader.get(Sessions, [human.sessionId])
  if (session === undefined || addMilliseconds(session.authenticatedAt, window) <= now) {
    const detail = `This needs a sign-in within the last ${window / 60_000} minutes; sign in again.`
    return yield* refuse("RECENT_SIGN_IN_REQUIRED", { detail })
  }
})

/** The newest membership of a person in each of their organizations, in force or not. */
export const membershipsOf = Effect.fnUntraced(function* (reader: Reader, personId: string) {
  const places = yield* rangeAll(reader, CurrentMemberships, "key", { prefix: [personId] })
  const memberships = yield* readTogether(places.map(({ membershipId }) => readMembership(reader, membershipId)))
  return memberships.flatMap((membership) => membership ?? [])
})

/** The memberships in force of a person, at most one in each organization. */
export const membershipsInForceOf = (reader: Reader, personId: string, now: Instant) =>
  // After every id: a membership that ends at this moment has ended.
  Effect.map(rangeAll(reader, Memberships, "byEndOfPerson", { prefix: [personId], after: [now, "~"] }), (memberships) =>
    memberships.filter((one) => isInForce(one, now))
  )

export const readMembership = (reader: Reader, membershipId: string) => reader.get(Memberships, [membershipId])

/** The membership in force of a person in one organization. */
export const membershipIn = Effect.fnUntraced(function* (
  reader: Reader,
  personId: string,
  organizationId: string,
  now: Instant
) {
  const place = yield* reader.get(CurrentMemberships, [personId, organizationId])
  const membership = place === undefined ? undefined : yield* readMembership(reader, place.membershipId)
  return membership !== undefined && isInForce(membership, now) ? membership : undefined
})

/** The membership under which a person acts, found before the transaction that locks and rechecks it. */
export const requireMembershipIn = Effect.fnUntraced(function* (
  reader: Reader,
  personId: string,
  organizationId: string,
  now: Instant
) {
  const membership = yield* membershipIn(reader, personId, organizationId, now)
  return (
    membership ??
    (yield* refuse("FORBIDDEN", { detail: "This person is not a member of the organization; check organizationId." }))
  )
})

/** Under the membership's lock: it is in force and carries one of these authorities. */
export const requireAuthority = Effect.fnUntraced(function* (
  reader: Reader,
  membershipId: string,
  anyOf: ReadonlyArray<Authority>,
  now: Instant
) {
  const membership = yield* readMembership(reader, membershipId)
  if (membership === undefined || !anyOf.some((authority) => holds(membership, authority, now))) {
    return yield* refuse("FORBIDDEN", { detail: `The membership does not carry ${anyOf.join(" or ")}.` })
  }
  return membership
})
