/** A reference model of subscriptions and deliveries: no store, no leases, time in seconds. */
import fc from "fast-check"

export const situations = ["ACTIVE", "PAUSED", "HELD", "REVOKED", "EXPIRED"] as const
export type Situation = (typeof situations)[number]

/** Actions on one subscription, and actions on all. */
export const subscriptionActions = ["PAUSE", "RESUME", "REVOKE", "ROTATE", "REDELIVER", "READ"] as const
export const globalActions = ["EVENT", "PASS", "PASS_AND_FAIL", "CRASH", "FAIL_FOR_HOURS", "RENEW"] as const
export const actionNames = [...subscriptionActions, ...globalActions] as const
export type ActionName = (typeof actionNames)[number]

export interface Step {
  readonly name: ActionName | "WAIT"
  /** An index of a subscription, project or delivery, modulo their number. */
  readonly pick: number
  readonly hours: number
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  name: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("EVENT" as const) },
    { weight: 2, arbitrary: fc.constantFrom("PASS" as const, "PASS_AND_FAIL" as const, "CRASH" as const) },
    { weight: 1, arbitrary: fc.constantFrom("WAIT" as const) },
    { weight: 5, arbitrary: fc.constantFrom(...subscriptionActions) },
    { weight: 2, arbitrary: fc.constantFrom(...globalActions) }
  ),
  pick: fc.nat(100),
  hours: fc.constantFrom(1, 5, 13)
})

export const anySequence = fc.array(anyStep, { minLength: 30, maxLength: 40, size: "max" })

const hour = 3_600
export const grantLifetime = 12 * hour
export const subscriptionLifetimes = [5 * hour, 50 * hour, 500 * hour] as const

export interface ModelDelivery {
  readonly event: string
  readonly state: "PENDING" | "DELIVERED" | "EXHAUSTED"
  readonly scheduled: number
  readonly total: number
  readonly dueAt: number
}

export interface ModelSubscription {
  readonly isPaused: boolean
  readonly isRevoked: boolean
  readonly expiresAt: number
  readonly isFailing: boolean
  /** Events committed for it and not yet numbered. */
  readonly waiting: ReadonlyArray<string>
  readonly deliveries: ReadonlyArray<ModelDelivery>
}

/** Times are seconds since the start. */
export interface Model {
  readonly now: number
  readonly grantEnds: number
  readonly subscriptions: ReadonlyArray<ModelSubscription>
}

export const initialModel: Model = {
  now: 0,
  grantEnds: grantLifetime,
  subscriptions: subscriptionLifetimes.map((expiresAt) => ({
    isPaused: false,
    isRevoked: false,
    expiresAt,
    isFailing: false,
    waiting: [],
    deliveries: []
  }))
}

export const situationOf = (one: ModelSubscription, { now, grantEnds }: Model): Situation => {
  if (one.isRevoked) return "REVOKED"
  if (one.expiresAt <= now) return "EXPIRED"
  if (one.isPaused) return "PAUSED"
  return grantEnds <= now ? "HELD" : "ACTIVE"
}

const hasEnded = (situation: Situation): boolean => situation === "REVOKED" || situation === "EXPIRED"

export const changeSubscription = (
  model: Model,
  index: number,
  change: (one: ModelSubscription) => ModelSubscription
): Model => ({
  ...model,
  subscriptions: model.subscriptions.with(index, change(model.subscriptions[index]!))
})

/** The response to an owner's change, and the state after it. */
export const afterChange = (
  model: Model,
  index: number,
  name: "PAUSE" | "RESUME" | "REVOKE"
): readonly [answer: string, model: Model] => {
  const one = model.subscriptions[index]!
  if (hasEnded(situationOf(one, model))) return ["STATE_CONFLICT", model]
  switch (name) {
    case "PAUSE":
    case "RESUME":
      return ["DONE", changeSubscription(model, index, (before) => ({ ...before, isPaused: name === "PAUSE" }))]
    case "REVOKE":
      return ["DONE", changeSubscription(model, index, (before) => ({ ...before, isRevoked: true }))]
  }
}

/** The response to the agent itself: its credential is checked first. */
export const afterRotation = (model: Model, index: number): string => {
  if (model.grantEnds <= model.now) return "AUTH_INVALID"
  return hasEnded(situationOf(model.subscriptions[index]!, model)) ? "STATE_CONFLICT" : "DONE"
}

/** An event is queued for the listeners at its commit, also under an expired grant. */
export const afterEvent = (model: Model, event: string): Model => ({
  ...model,
  subscriptions: model.subscriptions.map((one) =>
    ["ACTIVE", "HELD"].includes(situationOf(one, model)) ? { ...one, waiting: [...one.waiting, event] } : one
  )
})

/** Queued events become deliveries, in the order of their commits. */
export const numberEvents = (one: ModelSubscription, now: number): ModelSubscription => ({
  ...one,
  waiting: [],
  deliveries: [
    ...one.deliveries,
    ...one.waiting.map((event) => ({ event, state: "PENDING" as const, scheduled: 0, total: 0, dueAt: now }))
  ]
})

export const isDue = ({ state, dueAt }: ModelDelivery, now: number): boolean => state === "PENDING" && dueAt <= now

/** Passes until nothing is due, each send with this result; a crash stops after one claim. */
export const afterPass = (model: Model, isAcknowledged: boolean): Model => ({
  ...model,
  subscriptions: model.subscriptions.map((before) => {
    const one = numberEvents(before, model.now)
    if (situationOf(one, model) !== "ACTIVE" || !one.deliveries.some((delivery) => isDue(delivery, model.now))) {
      return one
    }
    const attempted = one.deliveries.filter((delivery) => isDue(delivery, model.now) && delivery.scheduled < 8)
    return {
      ...one,
      isFailing: attempted.length === 0 ? one.isFailing : !isAcknowledged,
      deliveries: one.deliveries.map((delivery) => {
        if (!isDue(delivery, model.now)) return delivery
        // Its worker died in the last attempt.
        if (delivery.scheduled >= 8) return { ...delivery, state: "EXHAUSTED" as const }
        return ended(delivery, model.now, isAcknowledged)
      })
    }
  })
})

const ended = (before: ModelDelivery, now: number, isAcknowledged: boolean): ModelDelivery => {
  const delivery = { ...before, scheduled: before.scheduled + 1, total: before.total + 1 }
  if (isAcknowledged) return { ...delivery, state: "DELIVERED" }
  if (delivery.scheduled >= 8) return { ...delivery, state: "EXHAUSTED" }
  return { ...delivery, dueAt: now + 15 * 2 ** (delivery.scheduled - 1) }
}

/** A worker claimed these deliveries, recorded their attempts, and died: each is due again when its lease expires. */
export const afterCrash = (model: Model, index: number, events: ReadonlyArray<string>): Model =>
  changeSubscription(model, index, (one) => ({
    ...one,
    deliveries: one.deliveries.map((delivery) =>
      events.includes(delivery.event)
        ? { ...delivery, scheduled: delivery.scheduled + 1, total: delivery.total + 1, dueAt: model.now + 30 }
        : delivery
    )
  }))

export const afterRedelivery = (
  model: Model,
  index: number,
  place: number
): readonly [answer: string, model: Model] => {
  const one = model.subscriptions[index]!
  if (hasEnded(situationOf(one, model))) return ["STATE_CONFLICT", model]
  const delivery = one.deliveries[place]!
  if (delivery.state === "PENDING") return ["DONE", model]
  const queued = { ...delivery, state: "PENDING" as const, scheduled: 0, dueAt: model.now }
  return [
    "DONE",
    changeSubscription(model, index, (before) => ({ ...before, deliveries: before.deliveries.with(place, queued) }))
  ]
}

/** The expected view of a delivery. */
export const expectedViewOf = (delivery: ModelDelivery, situation: Situation, model: Model) => {
  const state = delivery.state === "PENDING" && hasEnded(situation) ? "CANCELLED" : delivery.state
  return {
    event: delivery.event,
    state,
    scheduled: delivery.scheduled,
    total: delivery.total,
    isHeld: state === "PENDING" && model.grantEnds <= model.now
  }
}
