/** The agreement of a representative invitation, for the holder of its code before the acceptance. */
import { parseCanonical } from "../canonical/jcs.ts"
import type { ActingPerson } from "../people/acting-person.ts"
import { findInvitation } from "../people/invitation.ts"
import { inView } from "../ports/storage/run.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { Projects } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** Reads the exact agreement that an acceptance binds the person to. */
export const readInvitedAgreement = traced("projects.readInvitedAgreement")(function* (by: ActingPerson, code: string) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const { kind, projectId } = yield* findInvitation(reader, code, by, now)
    if (kind !== "REPRESENTATIVE" || projectId === null) return yield* refuse("INVITATION_UNKNOWN")
    const row = yield* reader.get(Projects, [projectId])
    if (row === undefined) return yield* refuse("INVITATION_UNKNOWN")
    const { createdAt, agreementDigest } = row
    return { projectId, createdAt, agreementDigest, agreement: parseCanonical(row.agreement) }
  })
})
