/**
 * Computes the subscriptions of an event independently (spec 6.1), from the subscriptions that were active at its
 * commit: neither the list of subscribers nor the event type comes from the code that queues.
 */
import { GrantProjects } from "../../../src/access/store.ts"
import { Memberships } from "../../../src/people/store.ts"
import { ProjectEvents, Projects } from "../../../src/projects/store.ts"
import { never } from "../../../src/vocabulary/instant.ts"
import {
  WebhookDeliveries,
  WebhookEvents,
  WebhookProjectCursors,
  WebhookSubscriptions,
  type EventRow,
  type SubscriptionRow
} from "../../../src/webhooks/store.ts"
import {
  type PropertyViolation,
  violation,
  monitoredProperty,
  type Moment,
  rowIn,
  type Rows,
  rowsWithPrefix
} from "../property.ts"
import { authorityEndOf } from "../support/subscription-authority.ts"
import { writesTo } from "../support/commits.ts"
import { payloadOf } from "../support/signed-events.ts"

/** Pairs of event and subscription whose authority had ended at the event's commit. */
type EndedAuthorities = ReadonlyArray<string>

export const eventIsQueuedOncePerActiveSubscription = monitoredProperty<EndedAuthorities>({
  name: "event is queued once per active subscription",
  kind: "always",
  says: "An event is queued exactly once for each subscription that was active for it at its commit, and for no other.",
  judges: { kinds: [], commitsTo: [ProjectEvents, WebhookDeliveries, WebhookEvents, WebhookProjectCursors] },
  initial: [],
  next: (endedPairs, moment) => {
    const { observed, rows } = moment
    if (observed.kind !== "commit") return endedPairs
    let now = endedPairs
    for (const { key } of writesTo(observed, ProjectEvents)) {
      const result = queuedFor(String(key[0]), Number(key[1]), moment)
      if (!Array.isArray(result)) return result as PropertyViolation
      if (result.length > 0) now = [...now, ...result].sort()
    }
    for (const { key, change } of writesTo(observed, WebhookDeliveries)) {
      const wrong = change === "insert" ? deliveryViolation(String(key[0]), rows, now) : undefined
      if (wrong !== undefined) return wrong
    }
    for (const event of numberedEvents(moment)) {
      const wrong = numberingViolation(event, rows, now)
      if (wrong !== undefined) return wrong
    }
    return now
  }
})

/** The queued pairs whose authority had already ended, or a violation. */
const queuedFor = (
  projectId: string,
  sequence: number,
  { before, rows }: Moment
): EndedAuthorities | PropertyViolation => {
  const event = rowIn(rows, ProjectEvents, [projectId, sequence])
  if (event === undefined) return []
  const [queued, another] = rowsWithPrefix(rows, WebhookEvents, [projectId, sequence], "byProject")
  const type = typeOf(event.kind, payloadOf(event)["action"])
  const now = queued?.dueAt ?? event.occurredAt
  const active = rowsWithPrefix(before, WebhookSubscriptions, []).filter(
    (one) =>
      one.projectIds.includes(projectId) &&
      one.eventTypes.includes(type) &&
      !one.isPaused &&
      one.revokedAt === null &&
      now < one.expiresAt
  )
  const named = queued?.subscriptionIds ?? []
  const foreign = named.find((id) => !active.some(({ subscriptionId }) => subscriptionId === id))
  if (foreign !== undefined)
    return violation(`event ${sequence} of ${projectId} is queued for ${foreign}, which is not active for it`)
  const ended = active.filter((one) => authorityEndOf(one, before) <= now)
  const missed = active.find(
    (one) => !ended.includes(one) && !named.includes(one.subscriptionId) && hasAccess(one, projectId, before)
  )
  if (missed !== undefined)
    return violation(`event ${sequence} of ${projectId} is not queued for ${missed.subscriptionId}`)
  if (queued === undefined) return []
  if (another !== undefined || new Set(named).size < named.length)
    return violation(`event ${sequence} of ${projectId} is queued twice`)
  const queuedEvent = JSON.parse(queued.event) as { readonly headEventHash: string; readonly type: string }
  if (queued.type !== type || queuedEvent.type !== type || queuedEvent.headEventHash !== event.hash) {
    return violation(`the queue entry of event ${sequence} of ${projectId} describes another event`)
  }
  return ended
    .filter((one) => named.includes(one.subscriptionId))
    .map((one) => `${queued.eventId} ${one.subscriptionId}`)
}

/** As in the table of moves: an event without a type of its own is a recorded change. */
const typeOf = (kind: string, action: unknown): EventRow["type"] => {
  if (kind === "SUBMIT") return "delivery.submitted"
  if (kind === "RESPOND") return action === "ACCEPT" ? "agreement.confirmed" : "record.changed"
  if (kind !== "REVIEW") return "record.changed"
  return action === "ACCEPT" || action === "REJECT" ? "acceptance.decided" : "changes.requested"
}

/** True if the subscription certainly includes the project: a lost access may be detected only at the send. */
const hasAccess = ({ grantId, membershipId, personId }: SubscriptionRow, projectId: string, rows: Rows): boolean => {
  if (grantId !== null) return rowIn(rows, GrantProjects, [grantId, projectId]) !== undefined
  const project = rowIn(rows, Projects, [projectId])
  const membership = rowIn(rows, Memberships, [membershipId])
  if (project === undefined || membership === undefined) return false
  return project.supplierActorId === personId || project.buyerOrganizationId === membership.organizationId
}

const deliveryViolation = (
  deliveryId: string,
  rows: Rows,
  endedPairs: EndedAuthorities
): PropertyViolation | undefined => {
  const delivery = rowIn(rows, WebhookDeliveries, [deliveryId])
  if (delivery === undefined) return undefined
  const { subscriptionId, eventId } = delivery
  const event = rowIn(rows, WebhookEvents, [eventId])
  if (event?.subscriptionIds.includes(subscriptionId) !== true || endedPairs.includes(`${eventId} ${subscriptionId}`)) {
    return violation(`${subscriptionId} has a delivery of ${eventId}, which was not queued for it`)
  }
  if (delivery.projectId !== event.projectId || delivery.eventType !== event.type) {
    return violation(`the delivery ${deliveryId} differs from its event`)
  }
  return countOf(event, subscriptionId, rows) === 1
    ? undefined
    : violation(`${subscriptionId} has ${eventId} more than once`)
}

/** The events that this commit marks as numbered, with their subscriptions. */
const numberedEvents = ({
  observed,
  rows
}: Moment): ReadonlyArray<EventRow & { readonly for: ReadonlyArray<string> }> => [
  ...writesTo(observed, WebhookEvents).flatMap(({ key }) => {
    const event = rowIn(rows, WebhookEvents, key)
    return event?.dueAt === never ? [{ ...event, for: event.subscriptionIds }] : []
  }),
  ...writesTo(observed, WebhookProjectCursors).flatMap(({ key: [subscriptionId, projectId] }) => {
    const id = String(subscriptionId)
    const reach = rowIn(rows, WebhookProjectCursors, [id, String(projectId)])?.numberedThrough ?? 0
    return rowsWithPrefix(rows, WebhookEvents, [String(projectId)], "byProject")
      .filter(({ sequence, subscriptionIds }) => sequence <= reach && subscriptionIds.includes(id))
      .map((event) => ({ ...event, for: [id] }))
  })
]

const numberingViolation = (
  event: EventRow & { readonly for: ReadonlyArray<string> },
  rows: Rows,
  endedPairs: EndedAuthorities
): PropertyViolation | undefined => {
  const { eventId, committedAt } = event
  const missed = event.for.find((id) => {
    const subscription = rowIn(rows, WebhookSubscriptions, [id])
    if (subscription === undefined || countOf(event, id, rows) > 0) return false
    return !endedPairs.includes(`${eventId} ${id}`) && committedAt < authorityEndOf(subscription, rows)
  })
  return missed === undefined
    ? undefined
    : violation(`${missed} has no delivery of ${eventId}, and the event is marked as numbered`)
}

const countOf = ({ eventId }: Pick<EventRow, "eventId">, subscriptionId: string, rows: Rows): number =>
  rowsWithPrefix(rows, WebhookDeliveries, [subscriptionId], "byNumber").filter((one) => one.eventId === eventId).length
