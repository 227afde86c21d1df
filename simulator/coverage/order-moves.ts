/** The transitions of Result Orders in a trace, from the events that answers have. */
import { orderMoves, type OrderMoveName, type OrderState } from "../../src/commerce/moves.ts"

interface TracedOrderMove {
  readonly move: OrderMoveName
  /** Undefined for a new order. */
  readonly state: OrderState | undefined
}

/** All transitions in one trace: those of the longest history of each order. */
export const orderMovesIn = (lines: ReadonlyArray<any>): ReadonlyArray<TracedOrderMove> => {
  const histories = new Map<string, ReadonlyArray<{ readonly kind: OrderMoveName }>>()
  for (const { kind, body } of lines) {
    if (kind !== "response") continue
    for (const order of Array.isArray(body?.resultOrders) ? body.resultOrders : [body]) {
      const { resultOrderId, financialEvents = [] } = order ?? {}
      if (financialEvents.length > (histories.get(resultOrderId)?.length ?? 0)) {
        histories.set(resultOrderId, financialEvents)
      }
    }
  }
  return [...histories.values()].flatMap((events) =>
    events.map(({ kind: move }, index) => {
      const before = events[index - 1]
      return { move, state: before === undefined ? undefined : orderMoves[before.kind].to }
    })
  )
}
