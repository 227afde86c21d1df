/** Stored Result Orders: the terms, the financial events appended one at a time, the payment attempts and what was captured. */
import { Effect } from "effect"
import { canonicalText, parseCanonical } from "../canonical/jcs.ts"
import { rangeAll } from "../ports/storage/range-all.ts"
import { readTogether } from "../ports/storage/run.ts"
import type { Reader, Transaction } from "../ports/storage.ts"
import { limits } from "../vocabulary/limits.ts"
import { components } from "../vocabulary/payments.ts"
import type { LatestObservation } from "./attempt.ts"
import {
  nextFinancialEvent,
  type FinancialEvent,
  type FinancialEventContent,
  type Occurrence
} from "./financial-event.ts"
import { evolveOrder, orderFrom, type ResultOrder } from "./result-order.ts"
import {
  CommerceComponents,
  CommerceEntities,
  CommerceOrders,
  FinancialEvents,
  ResultOrderPackages,
  ResultOrders,
  type ResultOrderRow
} from "./store.ts"

/** A stored order: its row and the fold of its events. */
export interface StoredOrder {
  readonly row: ResultOrderRow
  readonly order: ResultOrder
}

/** Undefined if unknown. */
export const readStoredOrder = Effect.fnUntraced(function* (reader: Reader, resultOrderId: string) {
  const row = yield* reader.get(ResultOrders, [resultOrderId])
  return row === undefined ? undefined : foldOrder(row, yield* readFinancialEvents(reader, resultOrderId))
})

export const readFinancialEvents = (reader: Reader, resultOrderId: string) =>
  Effect.map(rangeAll(reader, FinancialEvents, "key", { prefix: [resultOrderId] }), (events) =>
    events.map(({ event }) => parseCanonical(event))
  )

export const foldOrder = (row: ResultOrderRow, events: ReadonlyArray<FinancialEvent>): StoredOrder => ({
  row,
  order: orderFrom(row.resultOrderId, parseCanonical(row.terms), events)
})

/** Every order of a project, the oldest first. */
export const readOrdersOfProject = (reader: Reader, projectId: string) =>
  reader.range(ResultOrders, "byProject", { prefix: [projectId], limit: limits.resultOrders })

/** The attempts of an order, the first one first. */
export const readAttempts = (reader: Reader, resultOrderId: string) =>
  reader.range(CommerceOrders, "byOrder", { prefix: [resultOrderId], limit: limits.paymentAttempts })

/** An order with its attempts. */
export const readOrderWithAttempts = Effect.fnUntraced(function* (reader: Reader, resultOrderId: string) {
  const [stored, attempts] = yield* readTogether([
    readStoredOrder(reader, resultOrderId),
    readAttempts(reader, resultOrderId)
  ])
  return stored === undefined ? undefined : { stored, attempts }
})

/** The Result Package that was signed with the offer of an order, as compact JWS. */
export const readOrderPackage = (reader: Reader, resultOrderId: string) =>
  Effect.map(reader.get(ResultOrderPackages, [resultOrderId]), (row) => row!.package)

/** The components of an attempt that were asked about. */
export const readComponents = (reader: Reader, commerceOrderId: string) =>
  reader.range(CommerceComponents, "key", { prefix: [commerceOrderId], limit: components.length })

/** The latest captured facts of every entity of an attempt. */
export const readLatestObservations = (reader: Reader, commerceOrderId: string) =>
  Effect.map(rangeAll(reader, CommerceEntities, "key", { prefix: [commerceOrderId] }), (rows) =>
    rows.map(
      // A row has the facts of its component.
      ({ component, entity, facts, sequence }) => ({ component, entity, facts, sequence }) as LatestObservation
    )
  )

/** Under the project's lock: appends the next event of an order and returns the order after it. */
export const appendFinancialEvent = Effect.fnUntraced(function* (
  transaction: Transaction,
  { row, order }: StoredOrder,
  content: FinancialEventContent,
  occurrence: Occurrence
) {
  const event = nextFinancialEvent(order, content, occurrence)
  const next = evolveOrder(order, event)
  const { resultOrderId, projectId } = row
  yield* transaction.insert(FinancialEvents, {
    resultOrderId,
    sequence: event.sequence,
    projectId,
    hash: event.hash,
    event: canonicalText(event)
  })
  const state = next.state ?? row.state
  if (state !== row.state) yield* transaction.update(ResultOrders, [resultOrderId], { state })
  return { row: { ...row, state }, order: next } satisfies StoredOrder
})
