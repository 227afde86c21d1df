/** The signed package of an issued result, for the people of its two sides. Taking a copy changes nothing. */
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
 * For the buyer any member of its organization, for the supplier its named representative alone, as agents export it.
 * Where a side is asked for, whoever stands on the other one is told what a stranger is told.
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
      const [standing] = yield* standingMemberships(reader, by, projectId, now)
      if (side !== undefined && standing.side !== side) return yield* refuse("FORBIDDEN", { detail: noParty })
      const stored = yield* readStored(reader, projectId)
      if (stored === undefined) return yield* refuse("FORBIDDEN", { detail: noParty })
      if (!takesCopies(by, standing.side, stored.project.supplier.actorId)) {
        return yield* refuse("FORBIDDEN", { detail: representativeAlone })
      }
      const record = yield* requireIssuedRecord(stored.project, reader)
      return { parts: yield* readPackageParts(reader, stored, record), issuedAt: dateOfCopy(stored, now) }
    })
  )
  return yield* sign("PACKAGE", packagePayload(parts, issuedAt))
})

export const takesCopies = ({ personId }: Pick<Human, "personId">, side: Role, supplierActorId: string | null) =>
  side === "BUYER" || personId === supplierActorId

const representativeAlone = "For the supplier its named representative alone takes copies of the result."
