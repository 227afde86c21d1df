/** Eight attempts, eighty with redeliveries, each under a lease, with the digest of the request body (spec 6.3, 6.4). */
import { attemptsProblem, concurrencyProblem } from "../../../src/integrity/queues.ts"
import type { RowOf } from "../../../src/ports/table.ts"
import {
  WebhookAttempts,
  WebhookDeliveries,
  WebhookSubscriptions,
  type DeliveryRow
} from "../../../src/webhooks/store.ts"
import { type JsonObject, valueAt } from "../../vocabulary/json.ts"
import {
  type PropertyViolation,
  violation,
  monitoredProperty,
  type Moment,
  rowIn,
  rowsWithPrefix
} from "../property.ts"
import { changesTo, firstKeysOf, rowsWritten, writesTo } from "../support/commits.ts"
import { sorted } from "../support/sorted.ts"

interface SendHistory extends JsonObject {
  /** By delivery: the number of attempts recorded at its last request. */
  readonly requested: { readonly [delivery: string]: number }
  /** By delivery: the process that leased it last. */
  readonly holders: { readonly [delivery: string]: string }
}

export const attemptsAreCountedUnderALease = monitoredProperty<SendHistory>({
  name: "attempts are counted under a lease",
  kind: "always",
  says: "Attempts are numbered without gaps, stay within their limits, are written only by the holder of the delivery's lease, which no other process ends early, and are removed only if nothing was sent.",
  judges: { kinds: ["callback"], commitsTo: [WebhookDeliveries, WebhookAttempts, WebhookSubscriptions] },
  initial: { requested: {}, holders: {} },
  next: (state, moment) => {
    const { observed, rows } = moment
    const { requested } = state
    if (observed.kind === "callback") {
      const id = String(valueAt(observed.headers, "service-delivery-id"))
      const attempts = rowsWithPrefix(rows, WebhookAttempts, [id]).length
      return { ...state, requested: sorted({ ...requested, [id]: attempts }) }
    }
    if (observed.kind !== "commit") return state
    const holders = { ...state.holders }
    for (const id of firstKeysOf(observed, WebhookDeliveries, WebhookAttempts)) {
      const wrong = countViolation(id, moment, requested[id] ?? 0) ?? leaseViolation(id, moment, holders[id])
      if (wrong !== undefined) return wrong
      if (isLeasedBy(id, moment)) holders[id] = observed.actor
    }
    for (const row of rowsWritten(observed, rows, WebhookSubscriptions)) {
      const wrong = concurrencyProblem(row)
      if (wrong !== undefined) return violation(wrong)
    }
    return { requested, holders: sorted(holders) }
  }
})

/** True if this commit leases the delivery. */
const isLeasedBy = (deliveryId: string, { before, rows }: Moment): boolean => {
  const token = rowIn(rows, WebhookDeliveries, [deliveryId])?.leaseToken ?? ""
  return token !== "" && token !== rowIn(before, WebhookDeliveries, [deliveryId])?.leaseToken
}

type AttemptRow = RowOf<typeof WebhookAttempts>

const countViolation = (
  deliveryId: string,
  { observed, rows }: Moment,
  requested: number
): PropertyViolation | undefined => {
  const delivery = rowIn(rows, WebhookDeliveries, [deliveryId])
  if (delivery === undefined) return violation(`the delivery ${deliveryId} is gone`)
  const isGone = writesTo(observed, WebhookAttempts, "remove").some(
    ({ key: [id, attempt] }) => id === deliveryId && Number(attempt) <= requested
  )
  if (isGone) return violation(`an attempt of ${deliveryId} that was sent is gone`)
  const attempts = rowsWithPrefix(rows, WebhookAttempts, [deliveryId])
  const wrong = attemptsProblem(delivery, attempts)
  return wrong === undefined ? undefined : violation(wrong)
}

/** The process that writes an attempt or its outcome holds the delivery's lease at that moment. */
const leaseViolation = (
  deliveryId: string,
  moment: Moment,
  holder: string | undefined
): PropertyViolation | undefined => {
  const { observed, before, rows } = moment
  const held = rowIn(before, WebhookDeliveries, [deliveryId])
  const now = rowIn(rows, WebhookDeliveries, [deliveryId])
  for (const { key, was, is } of changesTo(moment, WebhookAttempts)) {
    if (key[0] !== deliveryId) continue
    const wrong = held === undefined ? undefined : attemptProblem(was, is, held)
    if (wrong !== undefined) return violation(`attempt ${key[1]} of ${deliveryId} ${wrong}`)
    const ofLease = rowsWithPrefix(rows, WebhookAttempts, [deliveryId]).filter(
      ({ leaseToken }) => leaseToken === is?.leaseToken
    )
    if (ofLease.length > 1) return violation(`${deliveryId} was attempted ${ofLease.length} times under one lease`)
  }
  if (held === undefined || now === undefined) return undefined
  if (isReclaimed(held, now) && observed.at < held.leasedUntil) {
    return violation(`${deliveryId} was reclaimed although it was leased until ${held.leasedUntil}`)
  }
  const isReleased = held.leaseToken !== "" && now.leaseToken === "" && observed.at < held.leasedUntil
  if (isReleased && observed.kind === "commit" && holder !== undefined && observed.actor !== holder) {
    return violation(`${observed.actor} ended the lease of ${holder} on ${deliveryId}`)
  }
  if (held.leaseToken !== "" && now.leaseToken === held.leaseToken && now.leasedUntil < held.leasedUntil) {
    return violation(`${deliveryId} was released with its lease token although it was leased until ${held.leasedUntil}`)
  }
  if (now.totalAttempts > held.totalAttempts && now.scheduledAttempts !== held.scheduledAttempts + 1) {
    return violation(`${deliveryId} did not count an attempt that was made`)
  }
  return undefined
}

const isReclaimed = (held: DeliveryRow, now: DeliveryRow): boolean =>
  held.leaseToken !== "" && now.leaseToken !== "" && now.leaseToken !== held.leaseToken

const attemptProblem = (
  was: AttemptRow | undefined,
  is: AttemptRow | undefined,
  held: DeliveryRow
): string | undefined => {
  const token = (is ?? was)?.leaseToken
  if (token === "" || token !== held.leaseToken) return "was written without the delivery's lease"
  if (was === undefined) return undefined
  if (was.outcome !== null) return "ended twice"
  if (is === undefined) return undefined
  return was.envelopeDigest === is.envelopeDigest && was.leaseToken === is.leaseToken && was.timestamp === is.timestamp
    ? undefined
    : "was changed after it was sent"
}
