/** Result Orders as people of their parties read them: one, those of a project, and those of an organization. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { requireMembershipIn, type ActingPerson } from "../people/acting-person.ts"
import { holds } from "../people/membership.ts"
import { Payments } from "../ports/payments.ts"
import { inReplicaView, inView, readTogether } from "../ports/storage/run.ts"
import type { Reader } from "../ports/storage.ts"
import { readProjectRow, type ProjectRow } from "../projects/project-row.ts"
import { readProjectAsParty } from "../projects/representation.ts"
import { readRecordedSide } from "../projects/side-exclusivity.ts"
import type { State } from "../projects/project.ts"
import { findRecordOfProject } from "../records/issued-record.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { traced } from "../vocabulary/traced.ts"
import type { InstalledPayments } from "./conditions.ts"
import { findOrderAsParty, managingSide, needsReading, readingSide } from "./financial-side.ts"
import { offerRefusal } from "./offer.ts"
import { readRecipientAccountId } from "./stored-account.ts"
import { ResultOrders, type CommerceComponentRow, type CommerceOrderRow, type ResultOrderRow } from "./store.ts"
import {
  foldOrder,
  readAttempts,
  readComponents,
  readFinancialEvents,
  readOrdersOfProject,
  type StoredOrder
} from "./stored-order.ts"

/** A Result Order with everything that its view shows to one side. */
export interface OrderReadModel {
  readonly stored: StoredOrder
  readonly attempts: ReadonlyArray<{
    readonly row: CommerceOrderRow
    readonly components: ReadonlyArray<CommerceComponentRow>
  }>
  readonly projectState: State
  readonly side: Role
  /** True for a person who can make the moves of this side. */
  readonly mayManage: boolean
  readonly payments: InstalledPayments
}

/** One order, for a person with FINANCIAL_READ on either side. */
export const readResultOrder = traced("commerce.readOrder")(function* (by: ActingPerson, resultOrderId: string) {
  const now = yield* currentTime
  const payments = yield* Payments
  return yield* inView(function* (reader) {
    const [found, parts] = yield* readTogether([
      Effect.result(findOrderAsParty(reader, by, resultOrderId, now)),
      readParts(reader, resultOrderId)
    ])
    const { row, project, membership } = yield* Effect.fromResult(found)
    if (!holds(membership, "FINANCIAL_READ", now)) return yield* refuse("FORBIDDEN", { detail: needsReading })
    const mayManage = managingSide(project, membership, now) !== undefined
    return orderReadModel(row, parts, { project, side: membership.side, mayManage, payments })
  })
})

/** The order after a command of a person who manages this side. */
export const readCommandedOrder = Effect.fnUntraced(function* ({
  resultOrderId,
  side,
  replayed
}: {
  readonly resultOrderId: string
  readonly side: Role
  readonly replayed: boolean
}) {
  const payments = yield* Payments
  const order = yield* inView(function* (reader) {
    const [found, parts] = yield* readTogether([
      reader.get(ResultOrders, [resultOrderId]),
      readParts(reader, resultOrderId)
    ])
    const row = found!
    const project = (yield* readProjectRow(reader, row.projectId))!
    return orderReadModel(row, parts, { project, side, mayManage: true, payments })
  })
  return { ...order, replayed }
})

interface Viewpoint {
  readonly project: ProjectRow
  readonly side: Role
  readonly mayManage: boolean
  readonly payments: InstalledPayments
}

/** The events of an order, and its attempts with their components. */
const readParts = Effect.fnUntraced(function* (reader: Reader, resultOrderId: string) {
  const readAttempt = (row: CommerceOrderRow) =>
    Effect.map(readComponents(reader, row.commerceOrderId), (read) => ({ row, components: read }))
  return yield* readTogether({
    events: readFinancialEvents(reader, resultOrderId),
    attempts: Effect.flatMap(readAttempts(reader, resultOrderId), (rows) => readTogether(rows.map(readAttempt)))
  })
})

const orderReadModel = (
  row: ResultOrderRow,
  { events, attempts }: Effect.Success<ReturnType<typeof readParts>>,
  { project, ...viewpoint }: Viewpoint
): OrderReadModel => ({ stored: foldOrder(row, events), attempts, projectState: project.state, ...viewpoint })

const readOrderReadModel = (reader: Reader, row: ResultOrderRow, viewpoint: Viewpoint) =>
  Effect.map(readParts(reader, row.resultOrderId), (parts) => orderReadModel(row, parts, viewpoint))

/** The orders of a project, the newest first, and whether this person can offer one now. */
export const listOrdersOfProject = traced("commerce.listOfProject")(function* (by: ActingPerson, projectId: string) {
  const now = yield* currentTime
  const payments = yield* Payments
  return yield* inReplicaView(function* (reader) {
    const { project, memberships } = yield* readProjectAsParty(reader, by, projectId, now)
    const [membership] = memberships
    if (!holds(membership, "FINANCIAL_READ", now)) return yield* refuse("FORBIDDEN", { detail: needsReading })
    const side = managingSide(project, membership, now)
    const viewpoint = { project, side: membership.side, mayManage: side !== undefined, payments }
    const rows = yield* readOrdersOfProject(reader, projectId)
    const orders = yield* readTogether(rows.toReversed().map((row) => readOrderReadModel(reader, row, viewpoint)))
    return { orders, mayOffer: side === "SUPPLIER" && (yield* isOfferable(reader, project, rows)) }
  })
})

/** True if an offer of the project's result would not be refused now. */
const isOfferable = Effect.fnUntraced(function* (
  reader: Reader,
  project: ProjectRow,
  orders: ReadonlyArray<ResultOrderRow>
) {
  const payments = yield* Payments
  const { projectId, supplierOrganizationId } = project
  const [record, recipientAccount] = yield* readTogether([
    findRecordOfProject(reader, projectId),
    readRecipientAccountId(reader, payments, supplierOrganizationId)
  ])
  const offered = { ...project, recordId: record?.recordId ?? null }
  return offerRefusal(offered, { payments, recipientAccount, orders }) === undefined
})

/** A page of the orders of an organization as buyer or supplier, the newest first. */
export const listOrdersOfOrganization = traced("commerce.listOfOrganization")(function* (
  by: ActingPerson,
  organizationId: string,
  after: string | undefined
) {
  const now = yield* currentTime
  const payments = yield* Payments
  return yield* inReplicaView(function* (reader) {
    const membership = yield* requireMembershipIn(reader, by.personId, organizationId, now)
    if (!holds(membership, "FINANCIAL_READ", now)) return yield* refuse("FORBIDDEN", { detail: needsReading })
    const page = yield* readPage(reader, organizationId, yield* cursorOf(reader, organizationId, after))
    const rows = page.slice(0, limits.resultOrdersOnPage)
    const readable = yield* readTogether(
      rows.map(
        Effect.fnUntraced(function* (row) {
          const [project, recordedSide] = yield* readTogether([
            readProjectRow(reader, row.projectId),
            readRecordedSide(reader, row.projectId, by.personId)
          ])
          const side = project === undefined ? undefined : readingSide(project, membership, now)
          // A person with a recorded side does not read for the other one.
          if (project === undefined || side === undefined || (recordedSide ?? side) !== side) return undefined
          const mayManage = managingSide(project, membership, now) !== undefined
          return yield* readOrderReadModel(reader, row, { project, side, mayManage, payments })
        })
      )
    )
    return {
      orders: readable.flatMap((order) => order ?? []),
      next: page.length > rows.length ? rows.at(-1)!.resultOrderId : null
    }
  })
})

interface OrderCursor {
  readonly offeredAt: Instant
  readonly resultOrderId: string
}

/** The order after which the next page begins; only `next` of an earlier page of this organization is accepted. */
const cursorOf = Effect.fnUntraced(function* (reader: Reader, organizationId: string, after: string | undefined) {
  if (after === undefined) return undefined
  const row = yield* reader.get(ResultOrders, [after])
  const isOwn = row?.buyerOrganizationId === organizationId || row?.supplierOrganizationId === organizationId
  if (row === undefined || !isOwn) {
    const issues = [{ path: "after", message: "The value must be the next of an earlier page of this organization." }]
    return yield* refuse("INVALID_REQUEST", { issues })
  }
  return row
})

/** One order more than the page holds, from both sides' indexes. */
const readPage = Effect.fnUntraced(function* (reader: Reader, organizationId: string, cursor: OrderCursor | undefined) {
  const range = {
    prefix: [organizationId],
    direction: "descending",
    limit: limits.resultOrdersOnPage + 1,
    ...(cursor && { after: [cursor.offeredAt, cursor.resultOrderId] })
  } as const
  const [bought, supplied] = yield* readTogether([
    reader.range(ResultOrders, "byBuyer", range),
    reader.range(ResultOrders, "bySupplier", range)
  ])
  const ownOffers = supplied.filter(({ buyerOrganizationId }) => buyerOrganizationId !== organizationId)
  const sortKeyOf = ({ offeredAt, resultOrderId }: OrderCursor) => `${offeredAt} ${resultOrderId}`
  const newestFirst = [...bought, ...ownOffers].toSorted((one, other) => (sortKeyOf(one) < sortKeyOf(other) ? 1 : -1))
  return newestFirst.slice(0, limits.resultOrdersOnPage + 1)
})
