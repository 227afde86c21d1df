/** Eight attempts, eighty with redeliveries, each under a lease, with the digest of what was sent (spec 6.3, 6.4). */
import type { RowOf } from "../../src/ports/table.ts"
import {
  WebhookAttempts,
  WebhookDeliveries,
  WebhookSubscriptions,
  type DeliveryRow,
  type SubscriptionRow
} from "../../src/webhooks/store.ts"
import { type Broken, broken, invariant, type Moment, rowIn, rowsUnder } from "./invariant.ts"
import { changesTo, firstKeysOf, rowsWritten, writesTo } from "./support/commits.ts"

export const attemptsAreCounted = invariant<null>({
  name: "attempts are counted",
  kind: "always",
  says: "Attempts are numbered without a gap, stay within their limits, and belong to the one who held the delivery.",
  begins: null,
  sees: (_, moment) => {
    const { observed, rows } = moment
    if (observed.kind !== "commit") return null
    for (const id of firstKeysOf(observed, WebhookDeliveries, WebhookAttempts)) {
      const wrong = wrongInCounts(id, moment) ?? wrongInLease(id, moment)
      if (wrong !== undefined) return wrong
    }
    for (const row of rowsWritten(observed, rows, WebhookSubscriptions)) {
      const wrong = wrongInFlights(row)
      if (wrong !== undefined) return wrong
    }
    return null
  }
})

/** As the specification has it: eight since it was queued or queued again, eighty in all, five at a time. */
const most = { scheduled: 8, total: 80, flights: 5 }

type AttemptRow = RowOf<typeof WebhookAttempts>

const wrongInCounts = (deliveryId: string, { observed, rows }: Moment): Broken | undefined => {
  const delivery = rowIn(rows, WebhookDeliveries, [deliveryId])
  if (delivery === undefined) return broken(`the delivery ${deliveryId} is gone`)
  const removed = writesTo(observed, WebhookAttempts, "remove").some(({ key: [id] }) => id === deliveryId)
  if (removed) return broken(`an attempt of ${deliveryId} is gone`)
  const attempts = rowsUnder(rows, WebhookAttempts, [deliveryId])
  const gap = attempts.find(({ attempt }, index) => attempt !== index + 1)
  if (gap !== undefined) return broken(`attempt ${gap.attempt} of ${deliveryId} is not numbered as it was made`)
  const { totalAttempts, scheduledAttempts } = delivery
  if (totalAttempts !== attempts.length) {
    return broken(`${deliveryId} counts ${totalAttempts} attempts where there are ${attempts.length}`)
  }
  const isWithin = scheduledAttempts <= Math.min(totalAttempts, most.scheduled) && totalAttempts <= most.total
  return isWithin ? undefined : broken(`${deliveryId} was tried ${scheduledAttempts} times, ${totalAttempts} in all`)
}

/** Whoever writes an attempt down, or what came of one, holds the delivery at that moment. */
const wrongInLease = (deliveryId: string, moment: Moment): Broken | undefined => {
  const { observed, before, rows } = moment
  const held = rowIn(before, WebhookDeliveries, [deliveryId])
  const now = rowIn(rows, WebhookDeliveries, [deliveryId])
  for (const { key, was, is } of changesTo(moment, WebhookAttempts)) {
    if (key[0] !== deliveryId) continue
    const wrong = is === undefined || held === undefined ? undefined : wrongInAttempt(was, is, held)
    if (wrong !== undefined) return broken(`attempt ${key[1]} of ${deliveryId} ${wrong}`)
    const ofLease = rowsUnder(rows, WebhookAttempts, [deliveryId]).filter(
      ({ leaseToken }) => leaseToken === is?.leaseToken
    )
    if (ofLease.length > 1) return broken(`${deliveryId} was tried ${ofLease.length} times under one lease`)
  }
  if (held === undefined || now === undefined) return undefined
  if (isTakenOver(held, now) && observed.at < held.dueAt) {
    return broken(`${deliveryId} was taken over while it was held until ${held.dueAt}`)
  }
  if (held.leaseToken !== "" && now.leaseToken === held.leaseToken && now.dueAt < held.dueAt) {
    return broken(`${deliveryId} was put up again while it was held until ${held.dueAt}`)
  }
  if (now.totalAttempts > held.totalAttempts && now.scheduledAttempts !== held.scheduledAttempts + 1) {
    return broken(`${deliveryId} counts no attempt of those that it has left, though one was made`)
  }
  const isLost = held.totalAttempts > now.totalAttempts
  return isLost ? broken(`${deliveryId} forgot attempts`) : undefined
}

const isTakenOver = (held: DeliveryRow, now: DeliveryRow): boolean =>
  held.leaseToken !== "" && now.leaseToken !== "" && now.leaseToken !== held.leaseToken

const wrongInAttempt = (was: AttemptRow | undefined, is: AttemptRow, held: DeliveryRow): string | undefined => {
  if (is.leaseToken === "" || is.leaseToken !== held.leaseToken)
    return "was written by one who did not hold the delivery"
  if (was === undefined) return undefined
  if (was.outcome !== null) return "ended twice"
  return was.envelopeDigest === is.envelopeDigest && was.leaseToken === is.leaseToken && was.timestamp === is.timestamp
    ? undefined
    : "was changed after it was sent"
}

const wrongInFlights = ({ subscriptionId, flights }: SubscriptionRow): Broken | undefined => {
  const isTwice = new Set(flights.map(({ deliveryId }) => deliveryId)).size < flights.length
  if (isTwice) return broken(`a delivery of ${subscriptionId} is under way twice`)
  return flights.length > most.flights
    ? broken(`${flights.length} deliveries of ${subscriptionId} are under way`)
    : undefined
}
