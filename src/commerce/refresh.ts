/** The refresh of a payment attempt: a person has the provider asked now, instead of when the attempt is due. */
import { Effect } from "effect"
import { requireSession, type ActingPerson } from "../people/acting-person.ts"
import { Payments } from "../ports/payments.ts"
import { inView } from "../ports/storage/run.ts"
import { later, now as currentTime, toMilliseconds, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { components } from "../vocabulary/payments.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import { captureAttempt } from "./capture-attempt.ts"
import type { CapturedComponent } from "./capture.ts"
import type { JournalPosition } from "./financial-event.ts"
import { findAttemptAsReader } from "./financial-side.ts"
import { isHeldBy } from "./attempt-update.ts"
import type { CommerceComponentRow, CommerceOrderRow } from "./store.ts"
import { readComponents } from "./stored-order.ts"

/** What is known of an attempt after its refresh. */
export interface RefreshedAttempt {
  readonly commerceOrderId: string
  readonly observedAt: Instant
  /** True where another readback had just been captured, and this request asked no provider. */
  readonly coalesced: boolean
  readonly components: ReadonlyArray<CapturedComponent>
  readonly journal: JournalPosition
}

/**
 * For persons with FINANCIAL_READ on either side, who must still have it, and their session, when the provider has
 * answered. Where another change won, its capture is the answer.
 */
export const refreshCommerceOrder = traced("commerce.refresh")(function* (by: ActingPerson, commerceOrderId: string) {
  const payments = yield* Payments
  for (let plans = 0; plans < limits.orderPlans; plans++) {
    const { row, read } = yield* readAttempt(by, commerceOrderId)
    if (!isHeldBy(payments, row)) return yield* refuse("PAYMENTS_NOT_CONFIGURED")
    const recent = recentCapture(row, read, yield* currentTime)
    if (recent !== undefined) return recent
    if (row.checkoutId === null) return yield* refuse("STATE_CONFLICT", { detail: withoutCheckout })
    const captured = yield* captureAttempt(commerceOrderId)
    if (captured === undefined) continue
    yield* readAttempt(by, commerceOrderId)
    if (captured.components.every(({ outcome }) => outcome === "FAILED"))
      return yield* refuse("TEMPORARILY_UNAVAILABLE")
    const { observedAt, journal } = captured
    return {
      commerceOrderId,
      observedAt,
      coalesced: false,
      components: captured.components,
      journal
    } satisfies RefreshedAttempt
  }
  return yield* refuse("TEMPORARILY_UNAVAILABLE")
})

const withoutCheckout =
  "The provider has no checkout of this payment attempt that the service knows; the service repeats the opening, so read the order again."

const readAttempt = Effect.fnUntraced(function* (by: ActingPerson, commerceOrderId: string) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    yield* requireSession(reader, by, now)
    const { row } = yield* findAttemptAsReader(reader, by, commerceOrderId, now)
    const read = yield* readComponents(reader, commerceOrderId)
    return { row, read }
  })
})

/** The last capture, if it is so recent that another one is not worth a request to the provider, and read anything. */
const recentCapture = (
  { commerceOrderId, journalCount, journalHead }: CommerceOrderRow,
  read: ReadonlyArray<CommerceComponentRow>,
  now: Instant
): RefreshedAttempt | undefined => {
  if (read.every(({ failure }) => failure !== null)) return undefined
  const times = read.flatMap(({ lastObservedAt }) => lastObservedAt ?? [])
  const [first, ...others] = times
  if (first === undefined) return undefined
  const observedAt = others.reduce(later, first)
  if (Math.abs(toMilliseconds(now) - toMilliseconds(observedAt)) >= limits.refreshCoalescing) return undefined
  return {
    commerceOrderId,
    observedAt,
    coalesced: true,
    components: components.map((component): CapturedComponent => {
      const { lastObservedAt, failure } = read.find((one) => one.component === component)!
      return {
        component,
        outcome: failure === null ? "READ" : "FAILED",
        reason: failure,
        lastObservedAt,
        newEntries: 0
      }
    }),
    journal: { count: journalCount, head: journalHead }
  }
}
