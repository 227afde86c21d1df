/** Who speaks for a side of a project, about its agents and about the tasks that it gives to others. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { membershipsOf, readMembership, type Human } from "../people/human.ts"
import { holds, isInForce, type Validity } from "../people/membership.ts"
import { Storage, type Reader } from "../ports/storage.ts"
import { now as currentTime, type Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { readTakenSide, tookOtherSide } from "./one-side.ts"
import { Projects, type ProjectRow } from "./store.ts"

export interface Speaker {
  readonly side: Role
  readonly membershipId: string
  readonly organizationId: string
}

/** The membership with which a person speaks for one side of the project; undefined where they speak for none. */
export const findSpeaker = Effect.fnUntraced(function* (
  reader: Reader,
  personId: string,
  projectId: string,
  now: Instant
) {
  const row = yield* reader.get(Projects, [projectId])
  if (row === undefined) return undefined
  const [memberships, taken] = yield* Effect.all(
    [membershipsOf(reader, personId), readTakenSide(reader, projectId, personId)],
    { concurrency: "unbounded" }
  )
  const speakers = memberships.flatMap((membership) => speakerFrom(row, membership, now) ?? [])
  return ofOneSide(row, speakers, taken)[0]
})

interface Stand {
  readonly side: Role
  readonly organizationId: string
}

/**
 * One person has one side: the one that they took, else the buyer's where they could stand on either. A representative
 * who is also a member at the buyer's stands for somewhere else, where there is an elsewhere.
 */
const ofOneSide = <S extends Stand>(
  row: ProjectRow,
  standing: ReadonlyArray<S>,
  taken: Role | undefined
): ReadonlyArray<S> => {
  const side = taken ?? (standing.some((one) => one.side === "BUYER") ? "BUYER" : "SUPPLIER")
  const own = standing.filter((one) => one.side === side)
  const elsewhere = own.filter((one) => side === "BUYER" || one.organizationId !== row.buyerOrganizationId)
  return elsewhere.length > 0 ? elsewhere : own
}

/** The membership with which a person stands on a side of the project, for the transaction that rechecks it. */
export const findMembership = Effect.fn("projects.findMembership")(function* (
  by: Human,
  projectId: string,
  organizationId?: string
) {
  const storage = yield* Storage
  const now = yield* currentTime
  const standing = yield* storage.view((reader) => standingMemberships(reader, by, projectId, now))
  const [found, another] =
    organizationId === undefined ? standing : standing.filter((one) => one.organizationId === organizationId)
  if (found === undefined) return yield* refuse("FORBIDDEN", { detail: noParty })
  return another === undefined ? found : yield* refuse("INVALID_REQUEST", { detail: chooseOrganization })
})

/**
 * Every membership with which a person stands on the project, at least one: several only for a named supplier who has
 * not answered yet. A project that is not theirs is as unknown to them as one that does not exist.
 */
export const standingMemberships = Effect.fnUntraced(function* (
  reader: Reader,
  { personId }: Human,
  projectId: string,
  now: Instant
) {
  const row = yield* reader.get(Projects, [projectId])
  if (row === undefined) return yield* refuse("FORBIDDEN", { detail: noParty })
  const [memberships, taken] = yield* Effect.all(
    [membershipsOf(reader, personId), readTakenSide(reader, projectId, personId)],
    { concurrency: "unbounded" }
  )
  const standing = memberships.flatMap((membership) => {
    const side = standingOf(row, membership, now)
    return side === undefined ? [] : [{ ...membership, side }]
  })
  const [found, ...others] = ofOneSide(row, standing, taken)
  return found === undefined ? yield* refuse("FORBIDDEN", { detail: noParty }) : ([found, ...others] as const)
})

export const noParty = "This person is no party of the project."
export const chooseOrganization = "This person is a member of several organizations: name the one that they act for."

/** Under the roots of the membership and the project: the side that this membership speaks for now. */
export const readSpeaker = Effect.fnUntraced(function* (
  reader: Reader,
  membershipId: string,
  projectId: string,
  now: Instant
) {
  const [row, membership] = yield* Effect.all(
    [reader.get(Projects, [projectId]), readMembership(reader, membershipId)],
    { concurrency: "unbounded" }
  )
  if (row === undefined || membership === undefined) return undefined
  return yield* unlessOtherSide(reader, speakerFrom(row, membership, now), projectId, membership.personId)
})

const unlessOtherSide = Effect.fnUntraced(function* (
  reader: Reader,
  speaker: Speaker | undefined,
  projectId: string,
  personId: string
) {
  if (speaker === undefined) return undefined
  return (yield* tookOtherSide(reader, { projectId, personId, side: speaker.side })) ? undefined : speaker
})

type Member = Validity & Pick<Speaker, "membershipId" | "organizationId"> & { readonly personId: string }

const speakerFrom = (row: ProjectRow, membership: Member, now: Instant): Speaker | undefined => {
  const side = sideOf(row, membership, now)
  const { membershipId, organizationId } = membership
  return side === undefined ? undefined : { side, membershipId, organizationId }
}

/** Any member of a side who may delegate speaks for it. */
export const sideOf = (row: ProjectRow, membership: Omit<Member, "membershipId">, now: Instant): Role | undefined =>
  holds(membership, "DELEGATE", now) ? standingOf(row, membership, now) : undefined

/** The side on which a membership in force stands, whatever it carries. */
export const standingOf = (
  row: ProjectRow,
  membership: Omit<Member, "membershipId">,
  now: Instant
): Role | undefined => {
  if (!isInForce(membership, now)) return undefined
  // The representative is the supplier, whatever else that person is a member of: nobody speaks for both sides. Once the
  // supplier's organization is known, only the membership there carries it.
  if (membership.personId === row.supplierActorId) {
    const organizationId = row.supplierOrganizationId ?? membership.organizationId
    return membership.organizationId === organizationId ? "SUPPLIER" : undefined
  }
  if (membership.organizationId === row.buyerOrganizationId) return "BUYER"
  return membership.organizationId === row.supplierOrganizationId ? "SUPPLIER" : undefined
}
