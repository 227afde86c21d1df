/** A journal states what the provider held for true, in the order in which it was so, and no later than it was observed. */
import { CommerceComponents, CommerceEntries, CommerceOrders } from "../../../src/commerce/store.ts"
import type { Instant } from "../../../src/vocabulary/instant.ts"
import { addMilliseconds } from "../../../src/vocabulary/instant.ts"
import { answerAbout } from "../../payments/answers.ts"
import type { TimedObservation } from "../../observation/observation.ts"
import { monitoredProperty, type PropertyViolation, rowIn, type Rows, violation } from "../property.ts"
import { digestOf, type Entry, parsed } from "../support/commerce.ts"
import { changesTo, rowsWritten } from "../support/commits.ts"

/** One value of an entity's facts, and until when the provider held it for true; null if it still does. */
type Period = readonly [facts: string, until: Instant | null]

/** By attempt and entity: its facts in their order, the first of which is the latest captured one. */
type Truth = { readonly [entity: string]: ReadonlyArray<Period> }

export const journalsStateObservedFacts = monitoredProperty<Truth>({
  name: "journals state observed facts",
  kind: "always",
  says: "The facts of an entry were true at the provider, or stated by it, at or after the entry's observation time, and no entry states older facts of an entity than the entry before it; the observation time of a component moves only when it was read, and never back.",
  judges: { kinds: ["payments", "answer"], commitsTo: [CommerceEntries, CommerceComponents] },
  initial: {},
  next: (truth, moment) => {
    const { observed, rows } = moment
    if (observed.kind !== "commit") return afterProvider(truth, observed)
    for (const { was, is } of changesTo(moment, CommerceComponents)) {
      if (is === undefined) return violation(`a component of ${was?.commerceOrderId} was removed`)
      const [earlier, now] = [was?.lastObservedAt ?? null, is.lastObservedAt]
      const isMoved = earlier !== now && (is.failure !== null || now === null || (earlier !== null && now < earlier))
      if (isMoved) return violation(`${is.component} of ${is.commerceOrderId} was not read at ${now}`)
    }
    let known: Truth = truth
    for (const { commerceOrderId, entry } of rowsWritten(observed, rows, CommerceEntries, "insert")) {
      const captured = afterEntry(known, commerceOrderId, parsed<Entry>(entry), rows)
      if ("words" in captured) return captured
      known = captured
    }
    return known
  }
})

/** The periods after an act at the provider or its answer to a call. A wrong answer is stated at its moment alone. */
const afterProvider = (truth: Truth, observed: TimedObservation): Truth => {
  const { at, ofProvider, ofReadback } = observed
  if (ofProvider === undefined) return truth
  const changes: Array<readonly [entity: string, periods: ReadonlyArray<Period>]> = []
  for (const { request, checkout } of ofProvider.purchases) {
    const { commerceOrderId } = request
    const held = factsIn(commerceOrderId, answerAbout(ofProvider, checkout.entity, at) ?? {})
    const isAnswered = observed.kind === "payments" && observed.on === commerceOrderId
    const stated = isAnswered && ofReadback !== undefined ? factsIn(commerceOrderId, entitiesIn(ofReadback)) : held
    for (const [entity, facts] of [...held, ...stated]) {
      const before = truth[entity] ?? []
      const isStale = observed.kind === "payments" && observed.fault === "STALE"
      const periods = withFacts(before, { held: held.get(entity), stated: facts, at, isStale })
      if (periods !== before) changes.push([entity, periods])
    }
  }
  return changes.length === 0 ? truth : { ...truth, ...Object.fromEntries(changes) }
}

interface Values {
  /** Undefined for an entity that the provider does not have. */
  readonly held: string | undefined
  readonly stated: string
  readonly at: Instant
  /** True if the provider stated what it held for true earlier. */
  readonly isStale: boolean
}

/** Facts that are stated although they are stale keep their place among the others. */
const withFacts = (before: ReadonlyArray<Period>, { held, stated, at, isStale }: Values): ReadonlyArray<Period> => {
  const last = before.at(-1)
  if (isStale && stated !== held) {
    return before.map(([facts, until]) => (facts === stated && until !== null ? [facts, at] : [facts, until]))
  }
  if (stated === held) return last?.[0] === held && last[1] === null ? before : [...ended(before, at), [stated, null]]
  return [...ended(before, at), [stated, at], ...(held === undefined ? [] : [[held, null] as const])]
}

const ended = (periods: ReadonlyArray<Period>, at: Instant): ReadonlyArray<Period> =>
  periods.map(([facts, until]) => [facts, until ?? at])

type Answered = { readonly [component: string]: ReadonlyArray<{ readonly entity: string; readonly facts: unknown }> }

const entitiesIn = (readback: NonNullable<TimedObservation["ofReadback"]>): Answered =>
  Object.fromEntries(
    Object.entries(readback).map(([component, read]) => [component, read.outcome === "READ" ? read.entities : []])
  )

const factsIn = (commerceOrderId: string, answer: Answered): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(answer).flatMap(([component, entities]) =>
      entities.map(({ entity, facts }) => [keyOf(commerceOrderId, component, entity), digestOf(facts)] as const)
    )
  )

const keyOf = (commerceOrderId: string, component: string, entity: string): string =>
  `${commerceOrderId} ${component} ${entity}`

/** The periods from that of the entry on. */
const afterEntry = (truth: Truth, id: string, entry: Entry, rows: Rows): Truth | PropertyViolation => {
  const { sequence, component, entity, facts, observedAt } = entry
  const key = keyOf(id, component, entity)
  const periods = truth[key] ?? []
  const digest = digestOf(facts)
  const found = periods.findIndex(([one, until]) => one === digest && isWithin(until, entry, rows, id))
  if (found >= 0) return { ...truth, [key]: periods.slice(found) }
  const what = `entry ${sequence} of ${id}`
  return periods.some(([one]) => one === digest)
    ? violation(`${what} states facts of ${entity} as observed at ${observedAt}, which had changed before`)
    : violation(`${what} states facts of ${entity} that the provider did not hold for true, or older ones than before`)
}

/** The tolerated clock offset of a process, in milliseconds. */
const clockOffsetMax = 1000

/** A clock that is set back dates an observation like the one before it, or like the opening. */
const isWithin = (until: Instant | null, { sequence, observedAt }: Entry, rows: Rows, id: string): boolean => {
  if (until === null || observedAt <= addMilliseconds(until, clockOffsetMax)) return true
  const before = rowIn(rows, CommerceEntries, [id, sequence - 1])
  const earliest =
    before === undefined ? rowIn(rows, CommerceOrders, [id])?.openedAt : parsed<Entry>(before.entry).observedAt
  return observedAt === earliest
}
