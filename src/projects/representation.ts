/** Representation: which membership represents a side of a project, for its agents and its tasks. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { membershipsOf, readMembership, type ActingPerson } from "../people/acting-person.ts"
import { holds, isInForce, type Validity } from "../people/membership.ts"
import { inView, readTogether } from "../ports/storage/run.ts"
import type { Reader, Transaction } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { readRecordedSide, hasOtherRecordedSide } from "./side-exclusivity.ts"
import { Projects, type ProjectRow } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

export interface Representation {
  readonly side: Role
  readonly membershipId: string
  readonly organizationId: string
}

/** The membership with which a person represents a side of the project; undefined for none. */
export const findRepresentation = Effect.fnUntraced(function* (
  reader: Reader,
  personId: string,
  projectId: string,
  now: Instant
) {
  const row = yield* reader.get(Projects, [projectId])
  if (row === undefined) return undefined
  const [memberships, recordedSide] = yield* readTogether([
    membershipsOf(reader, personId),
    readRecordedSide(reader, projectId, personId)
  ])
  const representations = memberships.flatMap((membership) => representationFrom(row, membership, now) ?? [])
  return ofOneSide(row, representations, recordedSide)[0]
})

interface SideMembership {
  readonly side: Role
  readonly organizationId: string
}

/**
 * A person has one side: the recorded one, else the buyer's if memberships of both sides qualify. A representative who is
 * also a member of the buyer's organization represents another organization if possible.
 */
const ofOneSide = <S extends SideMembership>(
  row: ProjectRow,
  memberships: ReadonlyArray<S>,
  recordedSide: Role | undefined
): ReadonlyArray<S> => {
  const side = recordedSide ?? (memberships.some((one) => one.side === "BUYER") ? "BUYER" : "SUPPLIER")
  const own = memberships.filter((one) => one.side === side)
  const ofSupplier = own.filter((one) => side === "BUYER" || one.organizationId !== row.buyerOrganizationId)
  return ofSupplier.length > 0 ? ofSupplier : own
}

/** The membership of a person on a side of the project, for the transaction that rechecks it. */
export const findSideMembership = traced("projects.findMembership")(function* (
  by: ActingPerson,
  projectId: string,
  organizationId?: string
) {
  const now = yield* currentTime
  const memberships = yield* inView((reader) => readSideMemberships(reader, by, projectId, now))
  const [found, another] =
    organizationId === undefined ? memberships : memberships.filter((one) => one.organizationId === organizationId)
  if (found === undefined) return yield* refuse("FORBIDDEN", { detail: notAParty })
  return another === undefined ? found : yield* refuse("INVALID_REQUEST", { detail: chooseOrganization })
})

/**
 * The project, and every membership with which a person is a party to it, at least one; several only for a named supplier
 * before the first response. Another party's project and an unknown one are indistinguishable.
 */
export const readProjectAsParty = Effect.fnUntraced(function* (
  reader: Reader,
  { personId }: ActingPerson,
  projectId: string,
  now: Instant
) {
  const row = yield* reader.get(Projects, [projectId])
  if (row === undefined) return yield* refuse("FORBIDDEN", { detail: notAParty })
  const [memberships, recordedSide] = yield* readTogether([
    membershipsOf(reader, personId),
    readRecordedSide(reader, projectId, personId)
  ])
  const sideMemberships = memberships.flatMap((membership) => {
    const side = sideOfMembership(row, membership, now)
    return side === undefined ? [] : [{ ...membership, side }]
  })
  const [found, ...others] = ofOneSide(row, sideMemberships, recordedSide)
  if (found === undefined) return yield* refuse("FORBIDDEN", { detail: notAParty })
  return { project: row, memberships: [found, ...others] as const }
})

export const readSideMemberships = (reader: Reader, by: ActingPerson, projectId: string, now: Instant) =>
  Effect.map(readProjectAsParty(reader, by, projectId, now), ({ memberships }) => memberships)

/**
 * Under the locks of the membership and the project: a member with the side for which they act now, `sideOf` this
 * membership; undefined where it has none, or where they acted for the other one.
 */
export const readMemberOfSide = Effect.fnUntraced(function* (
  transaction: Transaction,
  { personId }: ActingPerson,
  membershipId: string,
  projectId: string,
  sideOf: typeof sideOfMembership
) {
  const [membership, project, recordedSide] = yield* readTogether([
    readMembership(transaction, membershipId),
    transaction.get(Projects, [projectId]),
    readRecordedSide(transaction, projectId, personId)
  ])
  const now = yield* transaction.now
  if (membership === undefined || project === undefined) return undefined
  const side = sideOf(project, membership, now)
  if (side === undefined || (recordedSide ?? side) !== side) return undefined
  return { project, membership: { ...membership, side }, now }
})

export const notAParty = "This person is not a party to the project."
export const chooseOrganization =
  "This person is a member of several organizations: name the responding one in organizationId."

/** Under the locks of the membership and the project: the side that this membership represents now. */
export const readRepresentation = Effect.fnUntraced(function* (
  reader: Reader,
  membershipId: string,
  projectId: string,
  now: Instant
) {
  const [row, membership] = yield* readTogether([
    reader.get(Projects, [projectId]),
    readMembership(reader, membershipId)
  ])
  if (row === undefined || membership === undefined) return undefined
  return yield* unlessOtherSide(reader, representationFrom(row, membership, now), projectId, membership.personId)
})

const unlessOtherSide = Effect.fnUntraced(function* (
  reader: Reader,
  representation: Representation | undefined,
  projectId: string,
  personId: string
) {
  if (representation === undefined) return undefined
  const { side } = representation
  return (yield* hasOtherRecordedSide(reader, { projectId, personId, side })) ? undefined : representation
})

type Member = Validity & Pick<Representation, "membershipId" | "organizationId"> & { readonly personId: string }

const representationFrom = (row: ProjectRow, membership: Member, now: Instant): Representation | undefined => {
  const side = representedSide(row, membership, now)
  const { membershipId, organizationId } = membership
  return side === undefined ? undefined : { side, membershipId, organizationId }
}

/** A membership with DELEGATE represents its side. */
export const representedSide = (
  row: ProjectRow,
  membership: Omit<Member, "membershipId">,
  now: Instant
): Role | undefined => (holds(membership, "DELEGATE", now) ? sideOfMembership(row, membership, now) : undefined)

/** The side of a membership in force, regardless of its authorities. */
export const sideOfMembership = (
  row: ProjectRow,
  membership: Omit<Member, "membershipId">,
  now: Instant
): Role | undefined => (isInForce(membership, now) ? sideOfMember(row, membership) : undefined)

/** The side of a membership while it is in force. */
export const sideOfMember = (
  row: ProjectRow,
  membership: Pick<Member, "personId" | "organizationId">
): Role | undefined => {
  // The representative is on the supplier's side, regardless of other memberships. Once the supplier's organization is
  // known, only the membership there counts.
  if (membership.personId === row.supplierActorId) {
    const organizationId = row.supplierOrganizationId ?? membership.organizationId
    return membership.organizationId === organizationId ? "SUPPLIER" : undefined
  }
  if (membership.organizationId === row.buyerOrganizationId) return "BUYER"
  return membership.organizationId === row.supplierOrganizationId ? "SUPPLIER" : undefined
}
