/** The signed package of an issued result, for the people of both parties. A download changes nothing. */
import { Effect } from "effect"
import type { Role } from "../access/actions.ts"
import type { Human } from "../people/human.ts"
import { Storage } from "../ports/storage.ts"
import { readStored } from "../projects/history.ts"
import { noParty, standingMemberships } from "../projects/speaker.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { requireIssuedRecord } from "./issued-record.ts"
import { packagePayload } from "./package.ts"
import { readPackageParts } from "./package-parts.ts"
import { dateOfCopy, sign } from "./signed-copy.ts"

/**
 * For any member of the buyer's organization, and for the supplier's named representative only, as for agents. If a side
 * is requested, a person of the other side gets the same refusal as an unrelated person.
 */
export const readPackageAsPerson = Effect.fn("records.readPackageAsPerson")(function* (
  by: Human,
  projectId: string,
  side?: Role
) {
  const storage = yield* Storage
  const now = yield* currentTime
  const { parts, issuedAt } = yield* storage.view((reader) =>
    Effect.gen(function* () {
      const [membership] = yield* standingMemberships(reader, by, projectId, now)
      if (side !== undefined && membership.side !== side) return yield* refuse("FORBIDDEN", { detail: noParty })
      const stored = yield* readStored(reader, projectId)
      if (stored === undefined) return yield* refuse("FORBIDDEN", { detail: noParty })
      if (!takesCopies(by, membership.side, stored.project.supplier.actorId)) {
        return yield* refuse("FORBIDDEN", { detail: representativeOnly })
      }
      const record = yield* requireIssuedRecord(stored.project, reader)
      return { parts: yield* readPackageParts(reader, stored, record), issuedAt: dateOfCopy(stored, now) }
    })
  )
  return yield* sign("PACKAGE", packagePayload(parts, issuedAt))
})

export const takesCopies = ({ personId }: Pick<Human, "personId">, side: Role, supplierActorId: string | null) =>
  side === "BUYER" || personId === supplierActorId

const representativeOnly = "Only the supplier's named representative may export the result."
