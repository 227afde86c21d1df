/** Reading a history of deliveries on from a checkpoint leaves none out and tells none twice (spec 6.5). */
import { WebhookDeliveries, WebhookEvents, WebhookSubscriptions, type DeliveryRow } from "../../src/webhooks/store.ts"
import type { Json } from "../script/json.ts"
import { isObject } from "../script/json.ts"
import {
  askedBy,
  type Broken,
  broken,
  invariant,
  type Moment,
  type RequestSeen,
  rowIn,
  type Rows,
  rowsUnder
} from "./invariant.ts"
import { endOf } from "./support/subscriptions.ts"
import { changesTo } from "./support/commits.ts"

/** How many deliveries there had to be when a page was asked for, by who asked and for what. */
interface Asked {
  readonly [request: string]: number
}

export const aReaderSeesEveryDeliveryOnce = invariant<Asked>({
  name: "a reader sees every delivery once",
  kind: "always",
  says: "Whoever reads on from a place in a history sees each delivery behind it once and in order, however late it came.",
  begins: {},
  sees: (asked, moment) => {
    const { observed, request, rows } = moment
    if (observed.kind === "commit") return wrongInNumbers(moment) ?? asked
    if (request === undefined || (observed.kind !== "request" && observed.kind !== "response")) return asked
    const page = pageOf(request)
    if (page === undefined) return asked
    const name = `${askedBy(request)} ${request.path}`
    if (observed.kind === "request") return { ...asked, [name]: queuedFor(page.subscriptionId, rows) }
    const { [name]: least = 0, ...others } = asked
    if (observed.status !== 200) return others
    return wrongInPage(page, observed.body, { least, rows }) ?? others
  }
})

interface Page {
  readonly subscriptionId: string
  readonly after: string | undefined
}

const pageOf = ({ method, path }: RequestSeen): Page | undefined => {
  const [route = "", query] = path.split("?", 2)
  const found = /\/(webhook_[^/]+)\/deliveries$/.exec(route)
  if (method !== "GET" || found === null) return undefined
  return { subscriptionId: found[1]!, after: new URLSearchParams(query).get("after") ?? undefined }
}

/** How many deliveries there are to be: what was committed once the authority had ended is not told any more. */
const queuedFor = (subscriptionId: string, rows: Rows): number => {
  const subscription = rowIn(rows, WebhookSubscriptions, [subscriptionId])
  if (subscription === undefined) return 0
  const end = endOf(subscription, rows)
  return rowsUnder(rows, WebhookEvents, []).filter(
    (event) => event.subscriptionIds.includes(subscriptionId) && event.committedAt < end
  ).length
}

const wrongInPage = (
  { subscriptionId, after }: Page,
  body: Json | undefined,
  { least, rows }: { readonly least: number; readonly rows: Rows }
): Broken | undefined => {
  const { deliveries, next, checkpoint } = isObject(body) ? body : {}
  const shown = (Array.isArray(deliveries) ? deliveries : []).map((one: Json) =>
    isObject(one) ? one["deliveryId"] : null
  )
  const all = rowsUnder(rows, WebhookDeliveries, [subscriptionId], "byPlace")
  const start = after === undefined ? 0 : (all.find((one) => one.checkpoint === after)?.number ?? 0)
  const behind = all.slice(start, start + shown.length)
  const wrong = behind.find(({ deliveryId }, index) => deliveryId !== shown[index])
  if (wrong !== undefined || behind.length < shown.length) {
    return broken(
      `a page behind ${start} of ${subscriptionId} does not go on with delivery ${wrong?.number ?? start + behind.length + 1}`
    )
  }
  const last = behind.at(-1)
  if (last !== undefined && last.checkpoint !== checkpoint)
    return broken(`a page of ${subscriptionId} ends at another place than it says`)
  if (last === undefined && after !== undefined && checkpoint !== after)
    return broken(`an empty page of ${subscriptionId} moves its reader`)
  const end = start + shown.length
  if (next === null && end < Math.min(least, queuedFor(subscriptionId, rows))) {
    return broken(`the history of ${subscriptionId} ends at ${end} where ${least} deliveries were committed before`)
  }
  return undefined
}

/** A place that was given stays, and what comes later comes behind it. */
const wrongInNumbers = (moment: Moment): Broken | undefined => {
  for (const { was, is } of changesTo(moment, WebhookDeliveries)) {
    if (is === undefined) continue
    if (was !== undefined && placeOf(was) !== placeOf(is)) return broken(`${is.deliveryId} moved in its history`)
    if (was === undefined) {
      const wrong = wrongInOrder(is, moment.rows)
      if (wrong !== undefined) return wrong
    }
  }
  return undefined
}

const placeOf = ({ subscriptionId, number, checkpoint, eventId }: DeliveryRow): string =>
  [subscriptionId, number, checkpoint, eventId].join(" ")

const wrongInOrder = ({ subscriptionId, number, projectId, eventId }: DeliveryRow, rows: Rows): Broken | undefined => {
  const sequenceOf = (id: string) => rowIn(rows, WebhookEvents, [id])?.sequence ?? 0
  const all = rowsUnder(rows, WebhookDeliveries, [subscriptionId], "byPlace")
  const own = sequenceOf(eventId)
  const late = all.find((one) => one.projectId === projectId && one.number < number && sequenceOf(one.eventId) > own)
  return late === undefined
    ? undefined
    : broken(`event ${own} of ${projectId} stands behind a later one in the history of ${subscriptionId}`)
}
