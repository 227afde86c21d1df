/** The requester of an issuance, whose authority is rechecked at every attempt: an agent or a person. */
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
  readonly locks: ReadonlyArray<Root>
  /** True if the request is still this requester's. */
  readonly isOf: (issuance: IssuanceRow) => boolean
  /** Undefined if the grant or membership of the request no longer exists. */
  readonly read: (reader: Reader, projectId: string) => Effect.Effect<IssuingAuthority | undefined>
}

interface IssuingAuthority {
  readonly notBefore: Instant
  /** The actor of the event; undefined if the requester is no longer authorized. */
  readonly actorAt: (stored: Stored, at: Instant) => Actor | undefined
}

export const issuingOwner = (issuance: IssuanceRow): IssuingOwner => {
  const { grantId, membershipId, generation, personId } = issuance
  return grantId !== null && generation !== null
    ? agentRequester({ grantId, membershipId, generation })
    : personRequester(membershipId, personId)
}

const agentRequester = (credential: {
  readonly grantId: string
  readonly membershipId: string
  readonly generation: number
}): IssuingOwner => ({
  isPerson: false,
  locks: authorityRoots(credential),
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

/** A person's request survives the end of the session, not of the membership. */
const personRequester = (membershipId: string, personId: string | null): IssuingOwner => ({
  isPerson: true,
  locks: [shared("membership", membershipId)],
  isOf: (issuance) => issuance.membershipId === membershipId && issuance.personId === personId,
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
