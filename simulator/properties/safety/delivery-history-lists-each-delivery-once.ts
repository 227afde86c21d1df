/** Reading a delivery history from a checkpoint has no gaps and no duplicates (spec 6.5). */
import {
  WebhookDeliveries,
  WebhookEvents,
  WebhookSubscriptions,
  type DeliveryRow
} from "../../../src/webhooks/store.ts"
import type { Json } from "../../vocabulary/json.ts"
import { isObject } from "../../vocabulary/json.ts"
import {
  pendingRequestKey,
  type PropertyViolation,
  violation,
  monitoredProperty,
  type Moment,
  type RequestObservation,
  rowIn,
  type Rows,
  rowsWithPrefix
} from "../property.ts"
import { authorityEndOf } from "../support/subscription-authority.ts"
import { changesTo } from "../support/commits.ts"

/** The number of queued deliveries when a page was requested, by actor, step and path. */
interface ExpectedCounts {
  readonly [request: string]: number
}

export const deliveryHistoryListsEachDeliveryOnce = monitoredProperty<ExpectedCounts>({
  name: "delivery history lists each delivery once",
  kind: "always",
  says: "A reader of a delivery history gets every delivery after its checkpoint exactly once and in order, also late ones.",
  judges: { kinds: ["request", "response"], commitsTo: [WebhookDeliveries] },
  initial: {},
  next: (expected, moment) => {
    const { observed, request, rows } = moment
    if (observed.kind === "commit") return numberingViolation(moment) ?? expected
    if (request === undefined || (observed.kind !== "request" && observed.kind !== "response")) return expected
    const page = pageOf(request)
    if (page === undefined) return expected
    const name = `${pendingRequestKey(request)} ${request.path}`
    if (observed.kind === "request") return { ...expected, [name]: queuedFor(page.subscriptionId, rows) }
    const { [name]: least = 0, ...others } = expected
    if (observed.status !== 200) return others
    return pageViolation(page, observed.body, { least, rows }) ?? others
  }
})

interface Page {
  readonly subscriptionId: string
  readonly after: string | undefined
}

const pageOf = ({ method, path }: RequestObservation): Page | undefined => {
  const [route = "", query] = path.split("?", 2)
  const found = /\/(webhook_[^/]+)\/deliveries$/.exec(route)
  if (method !== "GET" || found === null) return undefined
  return { subscriptionId: found[1]!, after: new URLSearchParams(query).get("after") ?? undefined }
}

/** The number of deliveries to be expected: none for an event that was committed after the authority ended. */
const queuedFor = (subscriptionId: string, rows: Rows): number => {
  const subscription = rowIn(rows, WebhookSubscriptions, [subscriptionId])
  if (subscription === undefined) return 0
  const end = authorityEndOf(subscription, rows)
  return rowsWithPrefix(rows, WebhookEvents, []).filter(
    (event) => event.subscriptionIds.includes(subscriptionId) && event.committedAt < end
  ).length
}

const pageViolation = (
  { subscriptionId, after }: Page,
  body: Json | undefined,
  { least, rows }: { readonly least: number; readonly rows: Rows }
): PropertyViolation | undefined => {
  const { deliveries, next, checkpoint } = isObject(body) ? body : {}
  const shown = (Array.isArray(deliveries) ? deliveries : []).map((one: Json) =>
    isObject(one) ? one["deliveryId"] : null
  )
  const all = rowsWithPrefix(rows, WebhookDeliveries, [subscriptionId], "byNumber")
  const start = after === undefined ? 0 : (all.find((one) => one.checkpoint === after)?.number ?? 0)
  const following = all.slice(start, start + shown.length)
  const wrong = following.find(({ deliveryId }, index) => deliveryId !== shown[index])
  if (wrong !== undefined || following.length < shown.length) {
    return violation(
      `a page after ${start} of ${subscriptionId} does not continue with delivery ${wrong?.number ?? start + following.length + 1}`
    )
  }
  const last = following.at(-1)
  if (last !== undefined && last.checkpoint !== checkpoint)
    return violation(`a page of ${subscriptionId} has a checkpoint that is not its last delivery's`)
  if (last === undefined && after !== undefined && checkpoint !== after)
    return violation(`an empty page of ${subscriptionId} changes the checkpoint`)
  const end = start + shown.length
  if (next === null && end < Math.min(least, queuedFor(subscriptionId, rows))) {
    return violation(
      `the history of ${subscriptionId} ends at ${end} although ${least} deliveries were committed before`
    )
  }
  return undefined
}

/** A delivery's number never changes, and later events of a project have higher numbers. */
const numberingViolation = (moment: Moment): PropertyViolation | undefined => {
  for (const { was, is } of changesTo(moment, WebhookDeliveries)) {
    if (is === undefined) continue
    if (was !== undefined && identityOf(was) !== identityOf(is))
      return violation(`${is.deliveryId} changed its number in the history`)
    if (was === undefined) {
      const wrong = orderViolation(is, moment.rows)
      if (wrong !== undefined) return wrong
    }
  }
  return undefined
}

const identityOf = ({ subscriptionId, number, checkpoint, eventId }: DeliveryRow): string =>
  [subscriptionId, number, checkpoint, eventId].join(" ")

const orderViolation = (
  { subscriptionId, number, projectId, eventId }: DeliveryRow,
  rows: Rows
): PropertyViolation | undefined => {
  const sequenceOf = (id: string) => rowIn(rows, WebhookEvents, [id])?.sequence ?? 0
  const all = rowsWithPrefix(rows, WebhookDeliveries, [subscriptionId], "byNumber")
  const own = sequenceOf(eventId)
  const late = all.find((one) => one.projectId === projectId && one.number < number && sequenceOf(one.eventId) > own)
  return late === undefined
    ? undefined
    : violation(`event ${own} of ${projectId} follows a later event in the history of ${subscriptionId}`)
}
