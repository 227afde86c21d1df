/** Under whose authority a record is issued: the agent that asked, or the person who did. Rechecked at every attempt. */
import { Effect } from "effect"
import { authorityRoots, isLive, mayAct, readAuthority } from "../access/authorize.ts"
import { readMembership } from "../people/human.ts"
import { holds } from "../people/membership.ts"
import { shared, type Reader, type Root } from "../ports/storage.ts"
import { agentActor, personActor, type Actor } from "../projects/event.ts"
import type { Stored } from "../projects/history.ts"
import type { IssuanceRow } from "../projects/issuance.ts"
import { standingOf } from "../projects/speaker.ts"
import type { Instant } from "../vocabulary/instant.ts"

export interface IssuingOwner {
  readonly isPerson: boolean
  readonly roots: ReadonlyArray<Root>
  /** True while the wish is still this owner's. */
  readonly isOf: (wish: IssuanceRow) => boolean
  /** Undefined where what the wish rests on is gone. */
  readonly read: (reader: Reader, projectId: string) => Effect.Effect<IssuingAuthority | undefined>
}

interface IssuingAuthority {
  readonly notBefore: Instant
  /** Who issues, where they still may. */
  readonly actorAt: (stored: Stored, at: Instant) => Actor | undefined
}

export const issuingOwner = (wish: IssuanceRow): IssuingOwner => {
  const { grantId, membershipId, generation, personId } = wish
  return grantId !== null && generation !== null
    ? agentOwner({ grantId, membershipId, generation })
    : personOwner(membershipId, personId)
}

const agentOwner = (credential: {
  readonly grantId: string
  readonly membershipId: string
  readonly generation: number
}): IssuingOwner => ({
  isPerson: false,
  roots: authorityRoots(credential),
  isOf: ({ grantId, generation }) => grantId === credential.grantId && generation === credential.generation,
  read: (reader, projectId) =>
    Effect.map(readAuthority(reader, credential, projectId), (authority) =>
      authority === undefined
        ? undefined
        : {
            notBefore: authority.grant.authorityAt,
            actorAt: (_, at) =>
              authority.link !== undefined && isLive(authority, at) && mayAct(authority, "ISSUE_RESULT_RECORD", at)
                ? agentActor(authority.grant)
                : undefined
          }
    )
})

/** The session in which the person asked may end; their membership may not. */
const personOwner = (membershipId: string, personId: string | null): IssuingOwner => ({
  isPerson: true,
  roots: [shared("membership", membershipId)],
  isOf: (wish) => wish.membershipId === membershipId && wish.personId === personId,
  read: (reader) =>
    Effect.map(readMembership(reader, membershipId), (membership) =>
      membership === undefined
        ? undefined
        : {
            notBefore: membership.validFrom,
            actorAt: ({ row }, at) =>
              standingOf(row, membership, at) === "BUYER" && holds(membership, "RECORD_ISSUE", at)
                ? personActor({ id: membership.personId, organizationId: membership.organizationId, role: "BUYER" })
                : undefined
          }
    )
})
