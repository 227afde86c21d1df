/** The signed package of an issued result, for the people of both parties. A download changes nothing. */
import type { Role } from "../access/actions.ts"
import type { ActingPerson } from "../people/acting-person.ts"
import { inView } from "../ports/storage/run.ts"
import { readStoredProject } from "../projects/history.ts"
import { notAParty, readSideMemberships } from "../projects/representation.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { requireIssuedRecord } from "./issued-record.ts"
import { packagePayload } from "./package.ts"
import { readPackageParts } from "./package-parts.ts"
import { copyDate, signOrRefuse } from "./signed-copy.ts"
import { traced } from "../vocabulary/traced.ts"

/**
 * For any member of the buyer's organization, and for the supplier's named representative only, as for agents. If a side
 * is requested, a person of the other side gets the same refusal as an unrelated person.
 */
export const readPackageAsPerson = traced("records.readPackageAsPerson")(function* (
  by: ActingPerson,
  projectId: string,
  side?: Role
) {
  const now = yield* currentTime
  const { parts, issuedAt } = yield* inView(function* (reader) {
    const [membership] = yield* readSideMemberships(reader, by, projectId, now)
    if (side !== undefined && membership.side !== side) return yield* refuse("FORBIDDEN", { detail: notAParty })
    const stored = yield* readStoredProject(reader, projectId)
    if (stored === undefined) return yield* refuse("FORBIDDEN", { detail: notAParty })
    if (!mayExportPackage(by, membership.side, stored.project.supplier.actorId)) {
      return yield* refuse("FORBIDDEN", { detail: representativeOnly })
    }
    const record = yield* requireIssuedRecord(stored.project, reader)
    return { parts: yield* readPackageParts(reader, stored, record), issuedAt: copyDate(stored, now) }
  })
  return yield* signOrRefuse("PACKAGE", packagePayload(parts, issuedAt))
})

export const mayExportPackage = (
  { personId }: Pick<ActingPerson, "personId">,
  side: Role,
  supplierActorId: string | null
) => side === "BUYER" || personId === supplierActorId

const representativeOnly = "Only the supplier's named representative may export the result."
