/** The subscriptions of one owner, and of a person's agents. */
import { Effect } from "effect"
import { Caller as AgentCaller, readAuthority, requireLive } from "../access/authorize.ts"
import { readAgentName, readOwnGrant } from "../access/grants.ts"
import type { ActingPerson } from "../people/acting-person.ts"
import { readNewestListing, readNewestPage, type NewestPageRequest } from "../ports/storage/newest-page.ts"
import { inReplicaView, inView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { findOwnSubscription } from "./change.ts"
import { readAuthorityState, type AuthorityState } from "./subscription-authority.ts"
import { WebhookQuotaSlots, WebhookSubscriptions, type SubscriptionRow } from "./store.ts"
import { personCaller } from "./subscriber.ts"
import { traced } from "../vocabulary/traced.ts"

/** The active subscriptions of this grant, and those that ended last. */
export const listSubscriptions = traced("webhooks.list")(function* () {
  const by = yield* AgentCaller
  const now = yield* currentTime
  return yield* inReplicaView(function* (reader) {
    yield* requireLive(yield* readAuthority(reader, by), now)
    return { rows: yield* readSubscriptionsOf(reader, by.grantId), now }
  })
})

/** A subscription of a person or of one of their agents, with the state of its authority. */
export interface SubscriptionWithAuthority {
  readonly row: SubscriptionRow
  /** Null for a subscription of the person. */
  readonly agentName: string | null
  readonly authorityState: AuthorityState
}

/** A page of the subscriptions of a person and of every grant that the person authorized, newest first. */
export const listOwnSubscriptions = traced("webhooks.listOwn")(function* ({ personId }: ActingPerson, after?: string) {
  const now = yield* currentTime
  return yield* inReplicaView(function* (reader) {
    const page = yield* readNewestListing(reader, subscriptionsOf(personId), after)
    return { ...page, items: yield* withAuthority(reader, page.items, now) }
  })
})

/** The same in pages that a person turns in both directions. */
export const listSubscriptionPage = traced("webhooks.listSubscriptionPage")(function* (
  { personId }: ActingPerson,
  request: NewestPageRequest
) {
  const now = yield* currentTime
  return yield* inReplicaView(function* (reader) {
    const page = yield* readNewestPage(reader, subscriptionsOf(personId), request)
    return { ...page, items: yield* withAuthority(reader, page.items, now) }
  })
})

const subscriptionsOf = (personId: string) =>
  ({
    table: WebhookSubscriptions,
    ranges: [{ index: "byCreation", prefix: [personId] }],
    positionOf: ({ createdAt, subscriptionId }: SubscriptionRow) => ({ at: createdAt, id: subscriptionId })
  }) as const

const withAuthority = (reader: Reader, rows: ReadonlyArray<SubscriptionRow>, now: Instant) =>
  readTogether(
    rows.map((row) =>
      Effect.map(
        readTogether([readAgentName(reader, row.grantId), readAuthorityState(reader, row, now)]),
        ([agentName, authorityState]) => ({ row, agentName, authorityState, now })
      )
    )
  )

/** One subscription of a person or of a grant that the person authorized. */
export const readSubscriptionForPerson = traced("webhooks.readSubscriptionForPerson")(function* (
  by: ActingPerson,
  subscriptionId: string
) {
  const row = yield* findOwnSubscription(personCaller(by), subscriptionId)
  const agentName = row.grantId === null ? null : (yield* readOwnGrant(by, row.grantId)).grant.agentName
  const now = yield* currentTime
  const authorityState = yield* inView((reader) => readAuthorityState(reader, row, now))
  return { row, agentName, authorityState, now }
})

/** In descending order of their ends. */
const readSubscriptionsOf = Effect.fnUntraced(function* (reader: Reader, owner: string) {
  const range = { prefix: [owner], limit: limits.subscriptionsListed, direction: "descending" } as const
  const slots = yield* reader.range(WebhookQuotaSlots, "byEnd", range)
  const rows = yield* readTogether(
    slots.map(({ subscriptionId }) => reader.get(WebhookSubscriptions, [subscriptionId]))
  )
  return rows.flatMap((row) => row ?? [])
})
