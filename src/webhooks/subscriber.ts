/** The callers of webhook operations: an agent under its grant, or a person under a membership. */
import { Effect } from "effect"
import { authorityRoots, readAuthority, requireLive, type Credential } from "../access/authorize.ts"
import type { Role } from "../access/actions.ts"
import { humanRoots, readMembership, requireHuman, type Human } from "../people/human.ts"
import { isInForce } from "../people/membership.ts"
import { shared, Storage, type Reader, type Root } from "../ports/storage.ts"
import { chooseOrganization, standingMemberships } from "../projects/speaker.ts"
import { readStanding } from "../projects/listening.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse, type Refused } from "../vocabulary/refusals.ts"
import type { SubscriptionRow } from "./store.ts"

/** A caller of an operation on one subscription. */
export interface Caller {
  readonly roots: ReadonlyArray<Root>
  /** Lock keys of the subscription's own authority: a person may resume a subscription of a grant. */
  readonly rootsOn: (row: SubscriptionRow) => ReadonlyArray<Root>
  /** 401 if the credential or the session has ended. */
  readonly requireLive: (reader: Reader, now: Instant) => Effect.Effect<void, Refused>
  /** True if this caller may see and change the subscription. */
  readonly owns: (row: SubscriptionRow) => boolean
  /** 403 if the caller may no longer read about the projects of the subscription. */
  readonly requireReach: (reader: Reader, row: SubscriptionRow, now: Instant) => Effect.Effect<void, Refused>
  /** True if the caller may also use and replace the signing secret. */
  readonly ownsSecret: (row: SubscriptionRow) => boolean
}

/** A caller that creates a subscription. */
export interface Subscriber extends Caller {
  readonly owner: string
  readonly grantId: string | null
  readonly membershipId: string
  /** Reads the authority before any project is locked. */
  readonly read: (reader: Reader, projectIds: ReadonlyArray<string>) => Effect.Effect<SubscriberAuthority>
  /** The side represented on the project, read under the project's lock. */
  readonly sideOn: (reader: Reader, projectId: string, now: Instant) => Effect.Effect<Role, Refused>
}

interface SubscriberAuthority {
  readonly personId: string
  /** 401 if the credential or the session has ended. */
  readonly requireLive: (now: Instant) => Effect.Effect<void, Refused>
  /** True if every project is in scope; otherwise none of them is locked. */
  readonly isInScope: boolean
}

export const agentCaller = (by: Credential): Caller => ({
  roots: authorityRoots(by),
  rootsOn: () => [],
  requireLive: (reader, now) =>
    Effect.flatMap(readAuthority(reader, by), (authority) => Effect.asVoid(requireLive(authority, now))),
  owns: (row) => row.grantId === by.grantId,
  requireReach: () => Effect.void,
  ownsSecret: (row) => row.grantId === by.grantId
})

export const agentSubscriber = (by: Credential): Subscriber => ({
  ...agentCaller(by),
  owner: by.grantId,
  grantId: by.grantId,
  membershipId: by.membershipId,
  read: (reader, projectIds) =>
    Effect.map(
      Effect.forEach(projectIds, (projectId) => readAuthority(reader, by, projectId), { concurrency: "unbounded" }),
      (authorities) => ({
        personId: authorities[0]?.grant.personId ?? "",
        requireLive: (now) => Effect.asVoid(requireLive(authorities[0], now)),
        isInScope: authorities.every((authority) => authority?.link !== undefined)
      })
    ),
  sideOn: (reader) =>
    Effect.flatMap(readAuthority(reader, by), (authority) =>
      authority === undefined ? refuse("AUTH_INVALID") : Effect.succeed(authority.grant.role)
    )
})

/** A person sees and changes their own subscriptions and those of their agents, but not the agents' secrets. */
export const personCaller = (by: Human): Caller => ({
  roots: humanRoots(by),
  rootsOn: ({ grantId, membershipId }) =>
    grantId === null ? [shared("membership", membershipId)] : authorityRoots({ grantId, membershipId }),
  requireLive: (reader, now) => requireHuman(reader, by, now),
  owns: (row) => row.personId === by.personId,
  requireReach: (reader, { membershipId }, now) =>
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
  by: Human,
  projectIds: ReadonlyArray<string>,
  organizationId?: string
) {
  const membershipId = yield* findCommonMembership(by, projectIds, organizationId)
  const { roots, ...caller } = personCaller(by)
  return {
    ...caller,
    roots: [...roots, shared("membership", membershipId)],
    owner: by.personId,
    grantId: null,
    membershipId,
    read: (reader) =>
      Effect.succeed({
        personId: by.personId,
        requireLive: (now) => requireHuman(reader, by, now),
        // The scope of each project is checked in `sideOn`, under the project's lock.
        isInScope: true
      }),
    sideOn: (reader, id, now) =>
      Effect.flatMap(readStanding(reader, membershipId, id, now), (side) =>
        side === undefined ? refuse("FORBIDDEN", { detail: noCommonMembership }) : Effect.succeed(side)
      )
  } satisfies Subscriber
})

/**
 * The membership that represents a party on each of these projects. Until the supplier has responded, several
 * memberships of one person can represent it.
 */
const findCommonMembership = Effect.fnUntraced(function* (
  by: Human,
  projectIds: ReadonlyArray<string>,
  organizationId: string | undefined
) {
  const storage = yield* Storage
  const now = yield* currentTime
  const [first = [], ...others] = yield* storage.view((reader) =>
    Effect.forEach(projectIds, (projectId) => standingMemberships(reader, by, projectId, now), {
      concurrency: "unbounded"
    })
  )
  const common = first
    .filter((one) => organizationId === undefined || one.organizationId === organizationId)
    .filter(({ membershipId }) => others.every((other) => other.some((one) => one.membershipId === membershipId)))
  const [found, another] = common
  if (found === undefined) return yield* refuse("FORBIDDEN", { detail: noCommonMembership })
  return another === undefined ? found.membershipId : yield* refuse("INVALID_REQUEST", { detail: chooseOrganization })
})

const noCommonMembership = "No single membership of this person represents a party on all of these projects."
