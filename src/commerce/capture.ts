/**
 * The pure half of a capture: from what is known of an attempt and a readback to the next entries of its journal, the times
 * of its components and its next state. The caller has fenced the readback: nothing was captured since the view.
 */
import { canonicalText } from "../canonical/jcs.ts"
import type { Readback, ReadFailure } from "../ports/payments.ts"
import { later, type Instant } from "../vocabulary/instant.ts"
import type { Facts } from "../vocabulary/payment-facts.ts"
import { components, type CommerceBinding, type Component } from "../vocabulary/payments.ts"
import { attemptOutcome, type AttemptEvidence, type AttemptOutcome, type LatestObservation } from "./attempt.ts"
import type { JournalPosition } from "./financial-event.ts"
import { appendEntries, journalAfter, type JournalEntry, type Observation } from "./journal.ts"
import { checkedReadback, observationsOf } from "./readback-checks.ts"

/** An attempt with a checkout, as the view before the readback found it. */
export interface CapturedAttempt extends Omit<AttemptEvidence, "isPaymentRead"> {
  readonly checkoutId: string
  readonly openedAt: Instant
  readonly journal: JournalPosition
  /** The last observation of each component that was ever read. */
  readonly lastObservedAt: { readonly [C in Component]?: Instant }
}

export interface CapturedComponent {
  readonly component: Component
  readonly outcome: "READ" | "FAILED"
  /** Null where it was read. */
  readonly reason: ReadFailure | null
  /** Null if it was never read. */
  readonly lastObservedAt: Instant | null
  readonly newEntries: number
}

export interface Capture {
  readonly observedAt: Instant
  readonly entries: ReadonlyArray<JournalEntry>
  readonly journal: JournalPosition
  /** The latest facts of every entity after the capture. */
  readonly observations: ReadonlyArray<LatestObservation>
  /** In the order of the components. */
  readonly components: ReadonlyArray<CapturedComponent>
  /** Undefined if the state is unchanged. */
  readonly outcome: AttemptOutcome | undefined
}

/** `startedAt`: when the provider was about to be asked. */
export const capture = (attempt: CapturedAttempt, readback: Readback, startedAt: Instant): Capture => {
  const observedAt = observationTime(attempt, startedAt)
  const checked = checkedReadback(readback, attempt)
  const entries = appendEntries(attempt.journal, observedAt, changesIn(checked, attempt.observations))
  const observations = latestAfter(attempt.observations, entries)
  return {
    observedAt,
    entries,
    journal: journalAfter(attempt.journal, entries),
    observations,
    components: components.map((component): CapturedComponent => {
      const read = checked[component]
      const isRead = read.outcome === "READ"
      return {
        component,
        outcome: read.outcome,
        reason: read.outcome === "READ" ? null : read.reason,
        lastObservedAt: isRead ? observedAt : (attempt.lastObservedAt[component] ?? null),
        newEntries: entries.filter((entry) => entry.component === component).length
      }
    }),
    outcome: attemptOutcome({ ...attempt, observations, isPaymentRead: checked.PAYMENT.outcome === "READ" }, observedAt)
  }
}

/** When the provider was asked: never when it answered, and never before the last observation or the opening. */
export const observationTime = (
  { openedAt, lastObservedAt }: Pick<CapturedAttempt, "openedAt" | "lastObservedAt">,
  startedAt: Instant
): Instant => Object.values(lastObservedAt).reduce(later, later(startedAt, openedAt))

/** The observations that differ from the latest ones: by component, time of creation and id. */
const changesIn = (readback: Readback, known: ReadonlyArray<Observation>): ReadonlyArray<Observation> =>
  components.flatMap((component) =>
    observationsOf(readback, component)
      .filter((one) => {
        const before = known.find(({ component, entity }) => component === one.component && entity === one.entity)
        return before === undefined || canonicalText(before.facts) !== canonicalText(one.facts)
      })
      .toSorted((a, b) => compare(a.facts.createdAt, b.facts.createdAt) || compare(a.entity, b.entity))
  )

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const latestAfter = (
  known: ReadonlyArray<LatestObservation>,
  entries: ReadonlyArray<JournalEntry>
): ReadonlyArray<LatestObservation> => {
  const isReplaced = (one: Observation): boolean =>
    entries.some(({ component, entity }) => component === one.component && entity === one.entity)
  return [...known.filter((one) => !isReplaced(one)), ...entries]
}

/** True for the checkout of this attempt, though its opening was never answered: the attempt may adopt it. */
export const isOwnCheckout = (binding: CommerceBinding, checkout: Facts<"CHECKOUT">): boolean =>
  checkout.commerceOrderId === binding.commerceOrderId &&
  checkout.acceptedSourceDigest === binding.acceptedSourceDigest &&
  checkout.environment === binding.environment
