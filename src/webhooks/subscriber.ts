/** The callers of webhook operations: an agent under its grant, or a person under a membership. */
import { Effect } from "effect"
import { authorityLocks, readAuthority, requireLive, type Credential } from "../access/authorize.ts"
import type { Role } from "../access/actions.ts"
import { sessionLocks, readMembership, requireSession, type ActingPerson } from "../people/acting-person.ts"
import { isInForce } from "../people/membership.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import { shared, type Reader, type LockKey } from "../ports/storage.ts"
import { chooseOrganization, readSideMemberships } from "../projects/representation.ts"
import { readMemberSide } from "../projects/subscriber-view.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse, type EndedAuthority, type Refusal } from "../vocabulary/refusals.ts"
import type { SubscriptionRow } from "./store.ts"

/** A caller of an operation on one subscription. */
export interface WebhookCaller {
  readonly locks: ReadonlyArray<LockKey>
  /** Lock keys of the subscription's own authority: a person may resume a subscription of a grant. */
  readonly authorityLocks: (row: SubscriptionRow) => ReadonlyArray<LockKey>
  /** 401 if the credential or the session has ended. */
  readonly requireLive: (reader: Reader, now: Instant) => Effect.Effect<void, EndedAuthority>
  /** True if this caller may see and change the subscription. */
  readonly owns: (row: SubscriptionRow) => boolean
  /** 403 if the caller may no longer read about the projects of the subscription. */
  readonly requireProjectAccess: (
    reader: Reader,
    row: SubscriptionRow,
    now: Instant
  ) => Effect.Effect<void, Refusal<"FORBIDDEN">>
  /** True if the caller may also use and replace the signing secret. */
  readonly ownsSecret: (row: SubscriptionRow) => boolean
}

/** A caller that creates a subscription. */
export interface Subscriber extends WebhookCaller {
  readonly owner: string
  readonly grantId: string | null
  readonly membershipId: string
  /** Reads the authority before any project is locked. */
  readonly readAuthority: (reader: Reader, projectIds: ReadonlyArray<string>) => Effect.Effect<SubscriberAuthority>
  /** The side represented on the project, read under the project's lock. */
  readonly readRepresentedSide: (
    reader: Reader,
    projectId: string,
    now: Instant
  ) => Effect.Effect<Role, Refusal<"AUTH_INVALID" | "FORBIDDEN">>
}

interface SubscriberAuthority {
  readonly personId: string
  /** 401 if the credential or the session has ended. */
  readonly requireLive: (now: Instant) => Effect.Effect<void, EndedAuthority>
  /** True if every project is in scope; otherwise none of them is locked. */
  readonly isInScope: boolean
}

export const agentCaller = (by: Credential): WebhookCaller => ({
  locks: authorityLocks(by),
  authorityLocks: () => [],
  requireLive: (reader, now) =>
    Effect.flatMap(readAuthority(reader, by), (authority) => Effect.asVoid(requireLive(authority, now))),
  owns: (row) => row.grantId === by.grantId,
  requireProjectAccess: () => Effect.void,
  ownsSecret: (row) => row.grantId === by.grantId
})

export const agentSubscriber = (by: Credential): Subscriber => ({
  ...agentCaller(by),
  owner: by.grantId,
  grantId: by.grantId,
  membershipId: by.membershipId,
  readAuthority: (reader, projectIds) =>
    Effect.map(readTogether(projectIds.map((projectId) => readAuthority(reader, by, projectId))), (authorities) => ({
      personId: authorities[0]?.grant.personId ?? "",
      requireLive: (now) => Effect.asVoid(requireLive(authorities[0], now)),
      isInScope: authorities.every((authority) => authority?.link !== undefined)
    })),
  readRepresentedSide: (reader) =>
    Effect.flatMap(readAuthority(reader, by), (authority) =>
      authority === undefined ? refuse("AUTH_INVALID") : Effect.succeed(authority.grant.role)
    )
})

/** A person sees and changes their own subscriptions and those of their agents, but not the agents' secrets. */
export const personCaller = (by: ActingPerson): WebhookCaller => ({
  locks: sessionLocks(by),
  authorityLocks: ({ grantId, membershipId }) =>
    grantId === null ? [shared("membership", membershipId)] : authorityLocks({ grantId, membershipId }),
  requireLive: (reader, now) => requireSession(reader, by, now),
  owns: (row) => row.personId === by.personId,
  requireProjectAccess: (reader, { membershipId }, now) =>
    Effect.flatMap(readMembership(reader, membershipId), (membership) =>
      membership !== undefined && isInForce(membership, now)
        ? Effect.void
        : refuse("FORBIDDEN", {
            detail: "This person is no longer a member of the organization that the subscription belongs to."
          })
    ),
  ownsSecret: (row) => row.owner === by.personId
})

/** A person with the membership that represents a party on every project of the subscription. */
export const personSubscriber = Effect.fnUntraced(function* (
  by: ActingPerson,
  projectIds: ReadonlyArray<string>,
  organizationId?: string
) {
  const membershipId = yield* findCommonMembership(by, projectIds, organizationId)
  const { locks, ...caller } = personCaller(by)
  return {
    ...caller,
    locks: [...locks, shared("membership", membershipId)],
    owner: by.personId,
    grantId: null,
    membershipId,
    readAuthority: (reader) =>
      Effect.succeed({
        personId: by.personId,
        requireLive: (now) => requireSession(reader, by, now),
        // The scope of each project is checked in `sideOn`, under the project's lock.
        isInScope: true
      }),
    readRepresentedSide: (reader, id, now) =>
      Effect.flatMap(readMemberSide(reader, membershipId, id, now), (side) =>
        side === undefined ? refuse("FORBIDDEN", { detail: noCommonMembership }) : Effect.succeed(side)
      )
  } satisfies Subscriber
})

/**
 * The membership that represents a party on each of these projects. Until the supplier has responded, several
 * memberships of one person can represent it.
 */
const findCommonMembership = Effect.fnUntraced(function* (
  by: ActingPerson,
  projectIds: ReadonlyArray<string>,
  organizationId: string | undefined
) {
  const now = yield* currentTime
  const [first = [], ...others] = yield* inView((reader) =>
    readTogether(projectIds.map((projectId) => readSideMemberships(reader, by, projectId, now)))
  )
  const common = first
    .filter((one) => organizationId === undefined || one.organizationId === organizationId)
    .filter(({ membershipId }) => others.every((other) => other.some((one) => one.membershipId === membershipId)))
  const [found, another] = common
  if (found === undefined) return yield* refuse("FORBIDDEN", { detail: noCommonMembership })
  return another === undefined ? found.membershipId : yield* refuse("INVALID_REQUEST", { detail: chooseOrganization })
})

const noCommonMembership = "No single membership of this person represents a party on all of these projects."
