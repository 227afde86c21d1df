/** Captures of payment attempts on Postgres, against the least transaction that a capture needs. */
import { Effect } from "effect"
import { captureAttempt } from "../../src/commerce/capture-attempt.ts"
import { CommerceOrders } from "../../src/commerce/store.ts"
import { exclusive } from "../../src/ports/storage.ts"
import { inTransaction } from "../../src/ports/storage/run.ts"
import { rowOf } from "../support/attempts.ts"
import { paid, payableResult } from "../support/orders.ts"
import { atProvider } from "../support/payments.ts"
import type { Extent } from "./extent.ts"
import { readable, type Figure, type Section } from "./figure.ts"
import { median } from "./measure.ts"

const attempts = 8
/** A payment has a limited number of refunds, and each refund is read with every later readback. */
const turnsOfAttempt = 15

export const measurePayments = Effect.fnUntraced(function* ({ seconds, rounds }: Extent) {
  const ids = yield* Effect.forEach(Array.from({ length: attempts }), () =>
    Effect.map(Effect.flatMap(payableResult, paid), ({ commerceOrderId }) => commerceOrderId)
  )
  const turns: Array<readonly [unchanged: number, changed: number, least: number]> = []
  const began = performance.now()
  for (let turn = 0; turn < attempts * turnsOfAttempt; turn++) {
    if (turn > attempts && performance.now() - began > seconds * rounds * 1_000) break
    const commerceOrderId = ids[turn % ids.length]!
    const unchanged = yield* timed(captureAttempt(commerceOrderId))
    yield* atProvider({ act: "refund", commerceOrderId, amountMinor: 1 })
    const changed = yield* timed(captureAttempt(commerceOrderId))
    turns.push([
      unchanged,
      changed,
      yield* timed(leastTransaction((yield* rowOf(commerceOrderId)).projectId, commerceOrderId))
    ])
  }
  const warm = turns.slice(turns.length >> 1)
  const [unchanged, changed, least] = ([0, 1, 2] as const).map((at) => median(warm.map((turn) => turn[at]))) as [
    number,
    number,
    number
  ]
  const figureOf = (what: string, milliseconds: number): Figure => ({
    what: `${what}, ${readable(1_000 / milliseconds)} a second one after the other`,
    measured: `${readable(milliseconds)} ms`,
    against: `${readable(least)} ms`,
    ratio: milliseconds / least
  })
  return {
    title: "Captures of payment attempts, against one transaction that locks the project and changes the attempt",
    figures: [figureOf("a capture without a change", unchanged), figureOf("a capture of a refund", changed)]
  } satisfies Section
})

const timed = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const began = performance.now()
  yield* effect
  return performance.now() - began
})

const leastTransaction = (projectId: string, commerceOrderId: string) =>
  inTransaction({ locks: [exclusive("project", projectId)] }, function* (transaction) {
    const row = (yield* transaction.get(CommerceOrders, [commerceOrderId]))!
    yield* transaction.update(CommerceOrders, [commerceOrderId], { captureRevision: row.captureRevision + 1 })
  })
