/** Side exclusivity: a person acts for at most one side of a project, permanently once the side is recorded. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { membershipsInForceOf } from "../people/acting-person.ts"
import type { Reader, Transaction } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { Projects, ProjectSides, type ProjectRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** A person and the side for which they act. */
export interface PersonSide {
  readonly projectId: string
  readonly personId: string
  readonly side: Role
}

/** Under the project's lock: records the person's side, or refuses a different recorded one. */
export const recordSide = traced("projects.recordSide")(function* (
  transaction: Transaction,
  { projectId, personId, side }: PersonSide
) {
  const recorded = yield* transaction.get(ProjectSides, [personId, projectId])
  if (recorded === undefined) {
    const { createdAt } = (yield* transaction.get(Projects, [projectId]))!
    return yield* takeSide(transaction, { projectId, createdAt }, undefined, { personId, side })
  }
  if (recorded.role !== side) return yield* refuseOtherSide
})

/** Under the project's lock: acting for a side takes it, for a person without a recorded one. */
export const takeSide = (
  transaction: Transaction,
  { projectId, createdAt }: Pick<ProjectRow, "projectId" | "createdAt">,
  recordedSide: Role | undefined,
  { personId, side }: Pick<PersonSide, "personId" | "side">
) =>
  recordedSide === undefined
    ? transaction.insert(ProjectSides, { party: personId, projectId, role: side, createdAt })
    : Effect.void

/** The person's recorded side; undefined if none. */
export const readRecordedSide = (reader: Reader, projectId: string, personId: string) =>
  Effect.map(reader.get(ProjectSides, [personId, projectId]), (recorded) => recorded?.role)

/** True if the person's recorded side is the other one; no later membership changes that. */
export const hasOtherRecordedSide = (reader: Reader, { projectId, personId, side }: PersonSide) =>
  Effect.map(
    readRecordedSide(reader, projectId, personId),
    (recordedSide) => recordedSide !== undefined && recordedSide !== side
  )

/** Under the project's lock: refuses a person who is a party on the other side. */
export const requireNoOtherSide = traced("projects.requireNoOtherSide")(function* (
  reader: Reader,
  { projectId, personId, side }: PersonSide,
  organizations: ReadonlyArray<string>
) {
  const row = yield* reader.get(Projects, [projectId])
  if (row === undefined || sidesOf(row, personId, organizations).some((one) => one !== side)) {
    return yield* refuseOtherSide
  }
})

/**
 * The organizations of the person's memberships in force. Read before the transaction: a membership created later or
 * concurrently follows the recorded side.
 */
export const organizationsOf = (reader: Reader, personId: string, now: Instant) =>
  Effect.map(membershipsInForceOf(reader, personId, now), (memberships) => [
    ...new Set(memberships.map((one) => one.organizationId))
  ])

/** The representative is on the supplier's side, regardless of other memberships. */
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

const refuseOtherSide = refuse("SAME_PARTY", {
  detail: "Conflict of interest: this person already acts for the other party of the project."
})

/** Under the project's lock: the organization of the side must be known, since its tasks are stored under it. */
export const requireKnownOrganization = Effect.fnUntraced(function* (reader: Reader, projectId: string, side: Role) {
  const row = yield* reader.get(Projects, [projectId])
  if (side === "SUPPLIER" && row?.supplierOrganizationId === null) {
    return yield* refuse("STATE_CONFLICT", {
      detail: "The supplier's organization is unknown until its first response: respond to the agreement, then invite."
    })
  }
})
