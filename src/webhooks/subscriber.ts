/** Who subscribes and changes subscriptions: an agent under its grant, or a person under a membership. */
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
  /** What else stands behind the subscription, beyond the caller: a person resumes what a grant subscribed to. */
  readonly rootsOn: (row: SubscriptionRow) => ReadonlyArray<Root>
  /** 401 where the credential or the session has ended. */
  readonly requireLive: (reader: Reader, now: Instant) => Effect.Effect<void, Refused>
  /** True where the subscription is this caller's own. */
  readonly owns: (row: SubscriptionRow) => boolean
  /** 403 where they may not be told any more what happens on its projects. */
  readonly requireReach: (reader: Reader, row: SubscriptionRow, now: Instant) => Effect.Effect<void, Refused>
  /** True where they may also use and change what its callbacks are signed with. */
  readonly ownsSecret: (row: SubscriptionRow) => boolean
}

/** A caller who makes a subscription. */
export interface Subscriber extends Caller {
  readonly owner: string
  readonly grantId: string | null
  readonly membershipId: string
  /** Before any project is locked. */
  readonly read: (reader: Reader, projectIds: ReadonlyArray<string>) => Effect.Effect<Reached>
  /** Under the project's root: the side that it speaks for there. */
  readonly sideOn: (reader: Reader, projectId: string, now: Instant) => Effect.Effect<Role, Refused>
}

interface Reached {
  readonly personId: string
  /** 401 where the credential or the session has ended. */
  readonly requireLive: (now: Instant) => Effect.Effect<void, Refused>
  /** True where every project is in scope: else none of them is locked. */
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
      (reached) => ({
        personId: reached[0]?.grant.personId ?? "",
        requireLive: (now) => Effect.asVoid(requireLive(reached[0], now)),
        isInScope: reached.every((authority) => authority?.link !== undefined)
      })
    ),
  sideOn: (reader) =>
    Effect.flatMap(readAuthority(reader, by), (authority) =>
      authority === undefined ? refuse("AUTH_INVALID") : Effect.succeed(authority.grant.role)
    )
})

/** People own what they subscribed to themselves, and oversee what their agents did; an agent's secret stays its own. */
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
        : refuse("FORBIDDEN", { detail: "This person has left the organization that the subscription was for." })
    ),
  ownsSecret: (row) => row.owner === by.personId
})

/** A person with the one membership that stands on every project of the subscription. */
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
        // Whether they stand on each is seen under its own root.
        isInScope: true
      }),
    sideOn: (reader, id, now) =>
      Effect.flatMap(readStanding(reader, membershipId, id, now), (side) =>
        side === undefined ? refuse("FORBIDDEN", { detail: notOnEach }) : Effect.succeed(side)
      )
  } satisfies Subscriber
})

/**
 * The membership with which the person stands on each of these projects, as their pages show it: on one they can stand
 * with several until the supplier has answered.
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
  if (found === undefined) return yield* refuse("FORBIDDEN", { detail: notOnEach })
  return another === undefined ? found.membershipId : yield* refuse("INVALID_REQUEST", { detail: chooseOrganization })
})

const notOnEach = "This person does not stand on every one of these projects for one organization."
