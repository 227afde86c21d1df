/** Only a timely notification that the payment provider signed has an effect: it makes a readback due, and states no fact. */
import { CommerceOrders } from "../../../src/commerce/store.ts"
import { monitoredProperty, pendingRequestKey, type PropertyViolation, violation, type Moment } from "../property.ts"
import { changesTo } from "../support/commits.ts"
import { isNotification, isSignedByProvider, signedAtOf } from "../../payments/observed-notification.ts"

/** Milliseconds: the tolerance of notifications, and how far the clock of a working process may be off. */
const tolerance = 300_000 + 1000

export const notificationsAreOnlyHints = monitoredProperty<null>({
  name: "notifications are only hints",
  kind: "always",
  says: "A notification that the payment provider did not sign, or signed more than 300 seconds before or after its receipt, is refused; an accepted one changes nothing of a payment attempt but when it is read back and which checkout that may adopt.",
  judges: { kinds: ["response", "commit"] },
  initial: null,
  next: (_, moment) => {
    const { observed, request } = moment
    if (request === undefined || !isNotification(request)) return null
    if (observed.kind === "commit") return commitViolation(moment) ?? null
    if (observed.kind !== "response" || observed.status >= 400) return null
    const what = `a notification of ${pendingRequestKey(request).trim()}`
    if (!isSignedByProvider(request)) return violation(`${what} was accepted without the provider's signature`)
    const age = Math.abs(Date.parse(observed.at) - Date.parse(signedAtOf(request)))
    return age <= tolerance ? null : violation(`${what} was accepted ${age / 1000} seconds from its signing`)
  }
})

/** The columns that say when an attempt is read back, and of which checkout. */
const ofReadbacks: ReadonlySet<string> = new Set([
  "hintedCheckoutId",
  "captureRevision",
  "dueAt",
  "leasedUntil",
  "leaseToken"
])

const commitViolation = (moment: Moment): PropertyViolation | undefined => {
  const { observed } = moment
  if (observed.kind !== "commit") return undefined
  const other = observed.writes.find(({ table, change }) => table !== CommerceOrders.name || change !== "update")
  if (other !== undefined) return violation(`a notification wrote ${other.change} to ${other.table}`)
  for (const { was, is } of changesTo(moment, CommerceOrders)) {
    const changed = Object.keys(CommerceOrders.columns).find(
      (column) => !ofReadbacks.has(column) && valueOf(was, column) !== valueOf(is, column)
    )
    if (changed !== undefined) return violation(`a notification changed ${changed} of ${is?.commerceOrderId}`)
  }
  return undefined
}

const valueOf = (row: object | undefined, column: string): string =>
  JSON.stringify((row as { readonly [column: string]: unknown } | undefined)?.[column] ?? null)
