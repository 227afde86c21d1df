/** The authority of a person over what belongs to a project, as its publications and its Result Orders. */
import { Effect } from "effect"
import { readMembership, requireSession, type ActingPerson } from "../people/acting-person.ts"
import type { CallerAuthority } from "../pipeline/pipeline.ts"
import type { Reader } from "../ports/storage.ts"

export interface PersonAuthority extends CallerAuthority {
  /** Undefined if the membership does not exist. */
  readonly membership: Effect.Success<ReturnType<typeof readMembership>>
}

/** Under the membership's lock: the membership as it is, and the session that every command requires. */
export const readPersonAuthority = (
  reader: Reader,
  by: ActingPerson,
  membershipId: string
): Effect.Effect<PersonAuthority> =>
  Effect.map(readMembership(reader, membershipId), (membership) => ({
    personId: by.personId,
    organizationId: membership?.organizationId ?? "",
    membership,
    isInScope: membership !== undefined,
    outOfScopeCode: "FORBIDDEN",
    requireLive: (now) => requireSession(reader, by, now)
  }))
