/** Who speaks for a side of a project, about its agents and about the tasks that it gives to others. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import { membershipsOf, readMembership } from "../people/human.ts"
import { holds, type Validity } from "../people/membership.ts"
import type { Reader } from "../ports/storage.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { tookOtherSide } from "./one-side.ts"
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
  const memberships = yield* membershipsOf(reader, personId)
  const speakers = memberships.flatMap((membership) => speakerFrom(row, membership, now) ?? [])
  // A representative who is also a member at the buyer's speaks from elsewhere, where there is an elsewhere.
  const speaker =
    speakers.find(({ side, organizationId }) => side === "BUYER" || organizationId !== row.buyerOrganizationId) ??
    speakers[0]
  return yield* unlessOtherSide(reader, speaker, projectId, personId)
})

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
export const sideOf = (row: ProjectRow, membership: Omit<Member, "membershipId">, now: Instant): Role | undefined => {
  if (!holds(membership, "DELEGATE", now)) return undefined
  // The representative is the supplier, whatever else that person is a member of: nobody speaks for both sides. Once the
  // supplier's organization is known, only the membership there carries it.
  if (membership.personId === row.supplierActorId) {
    const organizationId = row.supplierOrganizationId ?? membership.organizationId
    return membership.organizationId === organizationId ? "SUPPLIER" : undefined
  }
  if (membership.organizationId === row.buyerOrganizationId) return "BUYER"
  return membership.organizationId === row.supplierOrganizationId ? "SUPPLIER" : undefined
}
