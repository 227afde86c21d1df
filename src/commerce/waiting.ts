/** The Result Orders that wait for a person: to be approved, to be paid, or to be settled outside of this service. */
import { Effect } from "effect"
import { holds } from "../people/membership.ts"
import { compareText } from "../ports/storage/stored-values.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { traced } from "../vocabulary/traced.ts"
import { managingSide, readingSide, type Member } from "./financial-side.ts"
import { readListedOrder } from "./listed-order.ts"
import { ResultOrders, type CommerceOrderRow, type ResultOrderRow } from "./store.ts"
import { readAttempts } from "./stored-order.ts"

export type WaitingReason = "APPROVE" | "PAY" | "CHECKOUT" | "UNVERIFIED" | "LATE_PAYMENT"

/**
 * The orders that wait for a person with these memberships, among the newest of each organization on each side; payments
 * that need attention, among the newest approved ones. Reads nothing for a person without FINANCIAL_READ.
 */
export const listOrdersWaiting = traced("commerce.listWaiting")(function* (memberships: ReadonlyArray<Member>) {
  const now = yield* currentTime
  const readers = memberships.filter((one) => holds(one, "FINANCIAL_READ", now))
  if (readers.length === 0) return { orders: [], isTruncated: false }
  return yield* inView(function* (reader) {
    const { rows, isTruncated } = yield* readNewest(reader, readers)
    const attempted = rows.filter(({ row }) => row.state !== "OFFERED" && row.state !== "DECLINED")
    const attempts = new Map<string, ReadonlyArray<CommerceOrderRow>>(
      yield* readTogether(
        attempted
          .slice(0, limits.resultOrdersOnPage)
          .map(({ row: { resultOrderId } }) =>
            Effect.map(readAttempts(reader, resultOrderId), (found) => [resultOrderId, found] as const)
          )
      )
    )
    const possible = rows.flatMap(({ row, roles }) => {
      const reason = reasonOf(row, attempts.get(row.resultOrderId), now)
      if (reason === undefined) return []
      const own = isAttention(reason)
        ? roles
        : roles.filter(({ membership, isBought }) => isBought && holds(membership, "FINANCIAL_MANAGE", now))
      return own.length === 0 ? [] : [{ row, reason, memberships: own.map(({ membership }) => membership) }]
    })
    const found = yield* readTogether(
      possible.slice(0, limits.resultOrdersOnPage).map((one) => waitingOf(reader, one, now))
    )
    return {
      orders: found.flatMap((one) => one ?? []),
      isTruncated:
        isTruncated || attempted.length > limits.resultOrdersOnPage || possible.length > limits.resultOrdersOnPage
    }
  })
})

/** A membership of the person, and whether its organization is the buyer of an order. */
interface OrderRole {
  readonly membership: Member
  readonly isBought: boolean
}

interface OwnOrder {
  readonly row: ResultOrderRow
  /** A person can be a member of both organizations: on which side they read follows from the project. */
  readonly roles: ReadonlyArray<OrderRole>
}

/** The newest orders of each membership's organization, the newest first, each once. */
const readNewest = Effect.fnUntraced(function* (reader: Reader, memberships: ReadonlyArray<Member>) {
  const lists = yield* readTogether(
    memberships.flatMap((membership) =>
      (["byBuyer", "bySupplier"] as const).map((index) => {
        const limit = limits.resultOrdersWaiting
        const range = { prefix: [membership.organizationId], direction: "descending", limit } as const
        const role: OrderRole = { membership, isBought: index === "byBuyer" }
        return Effect.map(reader.range(ResultOrders, index, range), (rows) => rows.map((row) => ({ row, role })))
      })
    )
  )
  const byOrder = Map.groupBy(lists.flat(), ({ row }) => row.resultOrderId)
  const rows = [...byOrder.values()]
    .map((found): OwnOrder => ({ row: found[0]!.row, roles: found.map(({ role }) => role) }))
    .toSorted((one, other) => compareText(other.row.offeredAt, one.row.offeredAt))
  return { rows, isTruncated: lists.some((list) => list.length === limits.resultOrdersWaiting) }
})

/** A payment that needs attention is named before anything else of its order. Without its attempts only an offer is known. */
const reasonOf = (
  { state }: ResultOrderRow,
  attempts: ReadonlyArray<CommerceOrderRow> | undefined,
  now: Instant
): WaitingReason | undefined => {
  if (state === "OFFERED") return "APPROVE"
  if (attempts === undefined) return undefined
  if (attempts.some((one) => one.state === "UNVERIFIED")) return "UNVERIFIED"
  const paid = attempts.filter((one) => one.state === "PAID").length
  if (paid > (state === "PAID" ? 1 : 0)) return "LATE_PAYMENT"
  if (state === "APPROVED") return "PAY"
  return attempts.some((one) => one.state === "OPEN" && now < one.expiresAt) ? "CHECKOUT" : undefined
}

const isAttention = (reason: WaitingReason | undefined): boolean => reason === "UNVERIFIED" || reason === "LATE_PAYMENT"

interface PossibleOrder {
  readonly row: ResultOrderRow
  readonly reason: WaitingReason
  /** Memberships of one person. */
  readonly memberships: ReadonlyArray<Member>
}

/** Everything but attention waits for a person who manages the buyer's orders, while the result is accepted. */
const waitingOf = Effect.fnUntraced(function* (
  reader: Reader,
  { row, reason, memberships }: PossibleOrder,
  now: Instant
) {
  const found = yield* readListedOrder(reader, row, memberships, isAttention(reason) ? readingSide : managingSide, now)
  if (found === undefined) return undefined
  const { project, listed } = found
  if (!isAttention(reason) && listed.side !== "BUYER") return undefined
  if (reason === "PAY" && project.state !== "BUYER_CONFIRMED") return undefined
  return { ...listed, reason }
})
