/** The signed package of an issued result, for the people of both parties. A download changes nothing. */
import type { Role } from "../access/actions.ts"
import type { ActingPerson } from "../people/acting-person.ts"
import { inReplicaView } from "../ports/storage/run.ts"
import { readStoredProject } from "../projects/history.ts"
import { notAParty, readSideMemberships } from "../projects/representation.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { requireIssuedRecord } from "./issued-record.ts"
import { packagePayload } from "./package.ts"
import { readPackageParts } from "./package-parts.ts"
import { needsRecordGate, passesRecordGate } from "./record-gate.ts"
import { copyDate, signOrRefuse } from "./signed-copy.ts"
import { traced } from "../vocabulary/traced.ts"

/**
 * For the persons of both parties who pass the record gate. If a side is requested, a person of the other side gets the same
 * refusal as an unrelated person.
 */
export const readPackageAsPerson = traced("records.readPackageAsPerson")(function* (
  by: ActingPerson,
  projectId: string,
  side?: Role
) {
  const now = yield* currentTime
  const { parts, issuedAt } = yield* inReplicaView(function* (reader) {
    const [membership] = yield* readSideMemberships(reader, by, projectId, now)
    if (side !== undefined && membership.side !== side) return yield* refuse("FORBIDDEN", { detail: notAParty })
    const stored = yield* readStoredProject(reader, projectId)
    if (stored === undefined) return yield* refuse("FORBIDDEN", { detail: notAParty })
    if (!passesRecordGate(stored.row, membership)) {
      return yield* refuse("FORBIDDEN", { detail: needsRecordGate[membership.side] })
    }
    const record = yield* requireIssuedRecord(stored.project, reader)
    return { parts: yield* readPackageParts(reader, stored, record), issuedAt: copyDate(stored, now) }
  })
  return yield* signOrRefuse("PACKAGE", packagePayload(parts, issuedAt))
})
