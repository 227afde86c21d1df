/** The requester of an issuance, whose authority is rechecked at every attempt: an agent or a person. */
import { Effect } from "effect"
import { authorityLocks, isLive, mayAct, readAuthority } from "../access/authorize.ts"
import { readMembership } from "../people/acting-person.ts"
import { holds } from "../people/membership.ts"
import { shared, type Reader, type LockKey } from "../ports/storage.ts"
import { agentActor, personActor, type Actor } from "../projects/event.ts"
import type { StoredProject } from "../projects/history.ts"
import type { IssuanceRow } from "../projects/issuance.ts"
import { sideOfMembership } from "../projects/representation.ts"
import type { Instant } from "../vocabulary/instant.ts"

export interface IssuanceRequester {
  readonly isPerson: boolean
  readonly locks: ReadonlyArray<LockKey>
  /** True if the request is still this requester's. */
  readonly isRequesterOf: (issuance: IssuanceRow) => boolean
  /** Undefined if the grant or membership of the request no longer exists. */
  readonly read: (reader: Reader, projectId: string) => Effect.Effect<IssuingAuthority | undefined>
}

interface IssuingAuthority {
  readonly notBefore: Instant
  /** The actor of the event; undefined if the requester is no longer authorized. */
  readonly actorAt: (stored: StoredProject, at: Instant) => Actor | undefined
}

export const requesterOf = (issuance: IssuanceRow): IssuanceRequester => {
  const { grantId, membershipId, generation, personId } = issuance
  return grantId !== null && generation !== null
    ? agentRequester({ grantId, membershipId, generation })
    : personRequester(membershipId, personId)
}

const agentRequester = (credential: {
  readonly grantId: string
  readonly membershipId: string
  readonly generation: number
}): IssuanceRequester => ({
  isPerson: false,
  locks: authorityLocks(credential),
  isRequesterOf: ({ grantId, generation }) => grantId === credential.grantId && generation === credential.generation,
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
const personRequester = (membershipId: string, personId: string | null): IssuanceRequester => ({
  isPerson: true,
  locks: [shared("membership", membershipId)],
  isRequesterOf: (issuance) => issuance.membershipId === membershipId && issuance.personId === personId,
  read: (reader) =>
    Effect.map(readMembership(reader, membershipId), (membership) =>
      membership === undefined
        ? undefined
        : {
            notBefore: membership.validFrom,
            actorAt: ({ row }, at) =>
              sideOfMembership(row, membership, at) === "BUYER" && holds(membership, "RECORD_ISSUE", at)
                ? personActor({ id: membership.personId, organizationId: membership.organizationId, role: "BUYER" })
                : undefined
          }
    )
})
