/**
 * Checks a readback against itself and against what was captured before. A component that fails a check counts as not read,
 * with the components that depend on it.
 */
import { failedComponent } from "../ports/payment-readback.ts"
import type { ComponentReadback, ReadEntity, Readback, ReadFailure } from "../ports/payments.ts"
import type { Facts } from "../vocabulary/payment-facts.ts"
import type { Component } from "../vocabulary/payments.ts"
import type { Observation } from "./journal.ts"
import { isStepBack } from "./steps-back.ts"

/** The captured part of an attempt with which its next readback is compared. */
export interface AttemptBeforeReadback {
  readonly checkoutId: string
  /** The latest facts of every entity. */
  readonly observations: ReadonlyArray<Observation>
}

/** The readback, with every component that contradicts itself, another one or the past as failed. */
export const checkedReadback = (readback: Readback, known: AttemptBeforeReadback): Readback => {
  const own = <C extends Component>(component: C): ComponentReadback<C> => {
    const read = readback[component]
    const reason = read.outcome === "READ" ? failureOf(component, readback, known) : undefined
    return reason === undefined ? read : failedComponent(reason)
  }
  const payment = own("PAYMENT")
  const transfer = dependentOn(payment, own("TRANSFER"))
  return {
    CHECKOUT: own("CHECKOUT"),
    PAYMENT: payment,
    REFUND: dependentOn(payment, own("REFUND")),
    DISPUTE: dependentOn(payment, own("DISPUTE")),
    TRANSFER: transfer,
    PAYOUT: dependentOn(transfer, own("PAYOUT"))
  }
}

const dependentOn = <C extends Component>(
  { outcome }: ComponentReadback,
  dependent: ComponentReadback<C>
): ComponentReadback<C> =>
  outcome === "FAILED" && dependent.outcome === "READ" ? failedComponent("DEPENDENCY_FAILED") : dependent

const failureOf = (component: Component, readback: Readback, known: AttemptBeforeReadback): ReadFailure | undefined => {
  const entities = entitiesOf(readback, component)
  const names = new Set(entities.map(({ entity }) => entity))
  if (names.size < entities.length || !isConsistent(component, readback, known)) return "LIST_INCONSISTENT"
  const earlier = known.observations.filter((one) => one.component === component)
  if (earlier.some(({ entity }) => !names.has(entity))) return "ENTITY_ABSENT"
  const returned = returnedRefunds(readback, known)
  const isBack = observationsOf(readback, component).some((later) => {
    const before = earlier.find(({ entity }) => entity === later.entity)
    return before !== undefined && isStepBack(before, later, returned)
  })
  return isBack ? "STEP_BACK" : undefined
}

const entitiesOf = <C extends Component>(readback: Readback, component: C): ReadonlyArray<ReadEntity<C>> => {
  const read: ComponentReadback<C> = readback[component]
  return read.outcome === "READ" ? read.entities : []
}

/** The observations of one component; none if it was not read. */
export const observationsOf = (readback: Readback, component: Component): ReadonlyArray<Observation> =>
  entitiesOf(readback, component).map(
    // The readback has the facts of a component under its name.
    ({ entity, facts }) => ({ component, entity, facts }) as Observation
  )

/** False if the list of a component contradicts what another one, or an entity of its own, says about it. */
const isConsistent = (component: Component, readback: Readback, { checkoutId }: AttemptBeforeReadback): boolean => {
  const charges = entitiesOf(readback, "PAYMENT").flatMap(({ facts }) => facts.charge ?? [])
  const isListed = (entity: string | null): boolean =>
    entity === null || entitiesOf(readback, component).some((one) => one.entity === entity)
  switch (component) {
    case "CHECKOUT": {
      const checkouts = entitiesOf(readback, "CHECKOUT")
      return checkouts.length === 1 && isListed(checkoutId)
    }
    case "PAYMENT":
      return entitiesOf(readback, "CHECKOUT").every(({ facts }) => isListed(facts.paymentId))
    case "REFUND":
      return entitiesOf(readback, "REFUND").length > 0 || charges.every((charge) => charge.amountRefundedMinor === 0)
    case "DISPUTE":
      return isDisputeFlagged(readback)
    case "TRANSFER":
      return charges.every(({ transferId }) => isListed(transferId)) && areReversalsComplete(readback)
    case "PAYOUT":
      return true
  }
}

/** Every dispute has its charge's flag, and a flagged charge has a dispute. */
const isDisputeFlagged = (readback: Readback): boolean => {
  const disputes = entitiesOf(readback, "DISPUTE")
  return entitiesOf(readback, "PAYMENT").every(({ facts: { charge } }) => {
    if (charge === null) return true
    const own = disputes.filter(({ facts }) => facts.chargeId === charge.id)
    return own.every(({ facts }) => facts.disputed === charge.disputed) && (own.length > 0 || !charge.disputed)
  })
}

const areReversalsComplete = (readback: Readback): boolean =>
  entitiesOf(readback, "TRANSFER").every(
    ({ facts: { reversals, amountReversedMinor } }) => sumOf(reversals) === amountReversedMinor
  )

/**
 * The sum by which the refunded sum of a charge may shrink: the refunds that came back since the last observation, and those
 * that had come back before but were still in the sum, which was read a moment earlier than they were.
 */
const returnedRefunds = (readback: Readback, { observations }: AttemptBeforeReadback): number => {
  const earlier = observations.flatMap((one) => (one.component === "REFUND" ? [one] : []))
  const standing = earlier.filter(({ facts }) => !isReturned(facts))
  const returned = entitiesOf(readback, "REFUND").filter(({ facts }) => isReturned(facts))
  const since = returned.filter(({ entity }) => standing.some((one) => one.entity === entity))
  const refunded = observations.reduce(
    (sum, one) => sum + (one.component === "PAYMENT" ? (one.facts.charge?.amountRefundedMinor ?? 0) : 0),
    0
  )
  const unexplained = Math.max(0, refunded - sumOf(standing.map(({ facts }) => facts)))
  return Math.min(sumOf(returned.map(({ facts }) => facts)), sumOf(since.map(({ facts }) => facts)) + unexplained)
}

const isReturned = ({ state }: Facts<"REFUND">): boolean => state === "FAILED" || state === "CANCELED"

const sumOf = (parts: ReadonlyArray<{ readonly amountMinor: number }>): number =>
  parts.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
