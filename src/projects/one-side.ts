/** One person acts on one side of a project at most. Whoever took a side stays on it, also once the task is over. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { membershipsOf } from "../people/human.ts"
import { isInForce } from "../people/membership.ts"
import type { Reader, Transaction } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { Projects, ProjectSides, type ProjectRow } from "./store.ts"

/** A person who is about to act for a side. */
export interface TakenSide {
  readonly projectId: string
  readonly personId: string
  readonly side: Role
}

/** Under the project's root: the person takes the side, or has it already; never both. */
export const takeSide = Effect.fn("projects.takeSide")(function* (
  transaction: Transaction,
  { projectId, personId, side }: TakenSide
) {
  const taken = yield* transaction.get(ProjectSides, [personId, projectId])
  if (taken === undefined) {
    return yield* transaction.insert(ProjectSides, { party: personId, projectId, role: side })
  }
  if (taken.role !== side) return yield* refuseOtherSide
})

/** The side that the person took before; undefined where none. */
export const readTakenSide = (reader: Reader, projectId: string, personId: string) =>
  Effect.map(reader.get(ProjectSides, [personId, projectId]), (taken) => taken?.role)

/** True where the person once acted for the other side: then they do not act for this one, whatever they have joined. */
export const tookOtherSide = (reader: Reader, { projectId, personId, side }: TakenSide) =>
  Effect.map(readTakenSide(reader, projectId, personId), (taken) => taken !== undefined && taken !== side)

/** Under the project's root: the person does not stand on the other side as a party of the project. */
export const requireNoOtherSide = Effect.fn("projects.requireNoOtherSide")(function* (
  reader: Reader,
  { projectId, personId, side }: TakenSide,
  organizations: ReadonlyArray<string>
) {
  const row = yield* reader.get(Projects, [projectId])
  if (row === undefined || sidesOf(row, personId, organizations).some((one) => one !== side)) {
    return yield* refuseOtherSide
  }
})

/**
 * The organizations for which the person stands somewhere. Found before the transaction: whoever joins another one
 * later, or at the same time, joins after the side was taken.
 */
export const organizationsOf = Effect.fnUntraced(function* (reader: Reader, personId: string, now: Instant) {
  const memberships = yield* membershipsOf(reader, personId)
  return memberships.filter((one) => isInForce(one, now)).map((one) => one.organizationId)
})

/** The representative is the supplier, whatever else that person is a member of. */
const sidesOf = (row: ProjectRow, personId: string, organizations: ReadonlyArray<string>): ReadonlyArray<Role> => {
  const { buyerActorId, buyerOrganizationId, supplierActorId, supplierOrganizationId } = row
  if (personId === supplierActorId) return ["SUPPLIER"]
  const isBuyer = personId === buyerActorId || organizations.includes(buyerOrganizationId)
  const isSupplier =
    supplierOrganizationId !== null &&
    supplierOrganizationId !== buyerOrganizationId &&
    organizations.includes(supplierOrganizationId)
  return [...(isBuyer ? (["BUYER"] as const) : []), ...(isSupplier ? (["SUPPLIER"] as const) : [])]
}

const refuseOtherSide = refuse("SAME_PARTY", { detail: "This person stands on the other side of the project." })

/** Under the project's root: the organization of the side is known, so that what it gives is filed there. */
export const requireKnownOrganization = Effect.fnUntraced(function* (reader: Reader, projectId: string, side: Role) {
  const row = yield* reader.get(Projects, [projectId])
  if (side === "SUPPLIER" && row?.supplierOrganizationId === null) {
    return yield* refuse("STATE_CONFLICT", {
      detail: "The supplier gives tasks once it has answered the agreement: until then its organization is not known."
    })
  }
})
