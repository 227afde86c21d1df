/**
 * Who is called back about an event (spec 6.1) is worked out once more, from who was subscribed when it was committed:
 * it shares neither the list of listeners nor the choice of a type with what queues.
 */
import { GrantProjects } from "../../src/access/store.ts"
import { Memberships } from "../../src/people/store.ts"
import { ProjectEvents, Projects } from "../../src/projects/store.ts"
import { never } from "../../src/vocabulary/instant.ts"
import {
  WebhookDeliveries,
  WebhookEvents,
  WebhookReaches,
  WebhookSubscriptions,
  type EventRow,
  type SubscriptionRow
} from "../../src/webhooks/store.ts"
import { type Broken, broken, invariant, type Moment, rowIn, type Rows, rowsUnder } from "./invariant.ts"
import { endOf } from "./support/subscriptions.ts"
import { writesTo } from "./support/commits.ts"
import { payloadIn } from "./support/signed.ts"

/** Event and subscription, where the authority behind that had ended when the event was committed. */
type Barred = ReadonlyArray<string>

export const everyEventIsQueuedExactly = invariant<Barred>({
  name: "every event is queued exactly",
  kind: "always",
  says: "An event is queued once for each subscription that was active for it at its commit, and for no other.",
  begins: [],
  sees: (barred, moment) => {
    const { observed, rows } = moment
    if (observed.kind !== "commit") return barred
    let now = barred
    for (const { key } of writesTo(observed, ProjectEvents)) {
      const came = queuedFor(String(key[0]), Number(key[1]), moment)
      if (!Array.isArray(came)) return came as Broken
      if (came.length > 0) now = [...now, ...came].sort()
    }
    for (const { key, change } of writesTo(observed, WebhookDeliveries)) {
      const wrong = change === "insert" ? wrongInDelivery(String(key[0]), rows, now) : undefined
      if (wrong !== undefined) return wrong
    }
    for (const event of numbered(moment)) {
      const wrong = wrongOnceNumbered(event, rows, now)
      if (wrong !== undefined) return wrong
    }
    return now
  }
})

/** Whose authority had ended already among those for whom it was queued, or what is wrong with the queue. */
const queuedFor = (projectId: string, sequence: number, { before, rows }: Moment): Barred | Broken => {
  const event = rowIn(rows, ProjectEvents, [projectId, sequence])
  if (event === undefined) return []
  const [queued, another] = rowsUnder(rows, WebhookEvents, [projectId, sequence], "byProject")
  const type = typeOf(event.kind, payloadIn(event)["action"])
  const now = queued?.dueAt ?? event.occurredAt
  const active = rowsUnder(before, WebhookSubscriptions, []).filter(
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
    return broken(`event ${sequence} of ${projectId} is queued for ${foreign}, which is not active for it`)
  const ended = active.filter((one) => endOf(one, before) <= now)
  const forgotten = active.find(
    (one) => !ended.includes(one) && !named.includes(one.subscriptionId) && stands(one, projectId, before)
  )
  if (forgotten !== undefined)
    return broken(`event ${sequence} of ${projectId} is not queued for ${forgotten.subscriptionId}`)
  if (queued === undefined) return []
  if (another !== undefined || new Set(named).size < named.length)
    return broken(`event ${sequence} of ${projectId} is queued twice`)
  const told = JSON.parse(queued.event) as { readonly headEventHash: string; readonly type: string }
  if (queued.type !== type || told.type !== type || told.headEventHash !== event.hash) {
    return broken(`what is queued of event ${sequence} of ${projectId} tells of another`)
  }
  return ended
    .filter((one) => named.includes(one.subscriptionId))
    .map((one) => `${queued.eventId} ${one.subscriptionId}`)
}

/** As the table of moves has it: what has no type of its own there is another recorded change. */
const typeOf = (kind: string, action: unknown): EventRow["type"] => {
  if (kind === "SUBMIT") return "delivery.submitted"
  if (kind === "RESPOND") return action === "ACCEPT" ? "agreement.confirmed" : "record.changed"
  if (kind !== "REVIEW") return "record.changed"
  return action === "ACCEPT" || action === "REJECT" ? "acceptance.decided" : "changes.requested"
}

/** True where it surely reaches the project: one that lost it may be told until a send finds that out. */
const stands = ({ grantId, membershipId, personId }: SubscriptionRow, projectId: string, rows: Rows): boolean => {
  if (grantId !== null) return rowIn(rows, GrantProjects, [grantId, projectId]) !== undefined
  const project = rowIn(rows, Projects, [projectId])
  const membership = rowIn(rows, Memberships, [membershipId])
  if (project === undefined || membership === undefined) return false
  return project.supplierActorId === personId || project.buyerOrganizationId === membership.organizationId
}

const wrongInDelivery = (deliveryId: string, rows: Rows, barred: Barred): Broken | undefined => {
  const delivery = rowIn(rows, WebhookDeliveries, [deliveryId])
  if (delivery === undefined) return undefined
  const { subscriptionId, eventId } = delivery
  const event = rowIn(rows, WebhookEvents, [eventId])
  if (event?.subscriptionIds.includes(subscriptionId) !== true || barred.includes(`${eventId} ${subscriptionId}`)) {
    return broken(`${subscriptionId} has a delivery of ${eventId}, which was not queued for it`)
  }
  if (delivery.projectId !== event.projectId || delivery.eventType !== event.type) {
    return broken(`the delivery ${deliveryId} is of another event than it says`)
  }
  return countOf(event, subscriptionId, rows) === 1
    ? undefined
    : broken(`${subscriptionId} has ${eventId} more than once`)
}

/** The events of which this commit says that deliveries were made of them. */
const numbered = ({ observed, rows }: Moment): ReadonlyArray<EventRow & { readonly for: ReadonlyArray<string> }> => [
  ...writesTo(observed, WebhookEvents).flatMap(({ key }) => {
    const event = rowIn(rows, WebhookEvents, key)
    return event?.dueAt === never ? [{ ...event, for: event.subscriptionIds }] : []
  }),
  ...writesTo(observed, WebhookReaches).flatMap(({ key: [subscriptionId, projectId] }) => {
    const id = String(subscriptionId)
    const reach = rowIn(rows, WebhookReaches, [id, String(projectId)])?.numberedThrough ?? 0
    return rowsUnder(rows, WebhookEvents, [String(projectId)], "byProject")
      .filter(({ sequence, subscriptionIds }) => sequence <= reach && subscriptionIds.includes(id))
      .map((event) => ({ ...event, for: [id] }))
  })
]

const wrongOnceNumbered = (
  event: EventRow & { readonly for: ReadonlyArray<string> },
  rows: Rows,
  barred: Barred
): Broken | undefined => {
  const { eventId, committedAt } = event
  const missed = event.for.find((id) => {
    const subscription = rowIn(rows, WebhookSubscriptions, [id])
    if (subscription === undefined || countOf(event, id, rows) > 0) return false
    return !barred.includes(`${eventId} ${id}`) && committedAt < endOf(subscription, rows)
  })
  return missed === undefined ? undefined : broken(`${missed} has no delivery of ${eventId}, and none is made any more`)
}

const countOf = ({ eventId }: Pick<EventRow, "eventId">, subscriptionId: string, rows: Rows): number =>
  rowsUnder(rows, WebhookDeliveries, [subscriptionId], "byPlace").filter((one) => one.eventId === eventId).length
