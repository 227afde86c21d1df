/** Who reads and who commits on the Result Orders of a project. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { requireSession, type ActingPerson } from "../people/acting-person.ts"
import { holds, type Validity } from "../people/membership.ts"
import type { Reader, Transaction } from "../ports/storage.ts"
import type { ProjectRow } from "../projects/project-row.ts"
import { readMemberOfSide, readProjectAsParty, sideOfMembership } from "../projects/representation.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { CommerceOrders, ResultOrders } from "./store.ts"

export type Member = Validity & { readonly organizationId: string; readonly personId: string }

/** The side for which this membership commits the buyer to a payment or makes the supplier's offers; undefined for none. */
export const managingSide = (row: ProjectRow, membership: Member, now: Instant): Role | undefined => {
  const side = sideOfMembership(row, membership, now)
  const isRepresentative = side === "BUYER" || membership.personId === row.supplierActorId
  return isRepresentative && holds(membership, "FINANCIAL_MANAGE", now) ? side : undefined
}

/** The side as whose member this person reads orders and exports records; undefined for none. */
export const readingSide = (row: ProjectRow, membership: Member, now: Instant): Role | undefined =>
  holds(membership, "FINANCIAL_READ", now) ? sideOfMembership(row, membership, now) : undefined

export const needsReading = "Result Orders are for members of either party with the authority FINANCIAL_READ."

/** The order, its project, and the membership with which this person is a party to it; others' orders are unknown ones. */
export const findOrderAsParty = Effect.fnUntraced(function* (
  reader: Reader,
  by: ActingPerson,
  resultOrderId: string,
  now: Instant
) {
  const row = yield* reader.get(ResultOrders, [resultOrderId])
  if (row === undefined) return yield* refuse("NOT_FOUND")
  const { project, memberships } = yield* Effect.catch(readProjectAsParty(reader, by, row.projectId, now), () =>
    refuse("NOT_FOUND")
  )
  return { row, project, membership: memberships[0] }
})

/** The same for a membership that reads for its side. */
export const findOrderAsReader = Effect.fnUntraced(function* (
  reader: Reader,
  by: ActingPerson,
  resultOrderId: string,
  now: Instant
) {
  const found = yield* findOrderAsParty(reader, by, resultOrderId, now)
  return holds(found.membership, "FINANCIAL_READ", now) ? found : yield* refuse("FORBIDDEN", { detail: needsReading })
})

/** An attempt, and the membership with which this person reads for a side; others' attempts are unknown ones. */
export const findAttemptAsReader = Effect.fnUntraced(function* (
  reader: Reader,
  by: ActingPerson,
  commerceOrderId: string,
  now: Instant
) {
  const row = yield* reader.get(CommerceOrders, [commerceOrderId])
  if (row === undefined) return yield* refuse("NOT_FOUND")
  const { membership } = yield* findOrderAsReader(reader, by, row.resultOrderId, now)
  return { row, membershipId: membership.membershipId }
})

/** Under the locks of the membership and the project: the side for which the person still reads. */
export const requireReader = Effect.fnUntraced(function* (
  transaction: Transaction,
  by: ActingPerson,
  membershipId: string,
  projectId: string
) {
  const reading = yield* readMemberOfSide(transaction, by, membershipId, projectId, readingSide)
  yield* requireSession(transaction, by, yield* transaction.now)
  return reading ?? (yield* refuse("FORBIDDEN", { detail: needsReading }))
})
