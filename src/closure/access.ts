/** Who receives closures and their statuses: persons of either side who read payments and pass the record gate. */
import { Effect } from "effect"
import { findOrderAsReader, requireReader } from "../commerce/financial-side.ts"
import type { ActingPerson } from "../people/acting-person.ts"
import type { Reader, Transaction } from "../ports/storage.ts"
import { notAParty, readMemberOfSide, sideOfMembership } from "../projects/representation.ts"
import { needsRecordGate, passesRecordGate, type NamedPersons, type PartyMember } from "../records/record-gate.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { refuse } from "../vocabulary/refusals.ts"

/** The order of this person's project, with the membership that passes both gates. */
export const findOrderForClosure = Effect.fnUntraced(function* (
  reader: Reader,
  by: ActingPerson,
  resultOrderId: string,
  now: Instant
) {
  const found = yield* findOrderAsReader(reader, by, resultOrderId, now)
  yield* requireRecordGate(found)
  return found
})

/** Under the locks of the membership and the project: both gates once more, by the rows as they are now. */
export const requireClosureAccess = Effect.fnUntraced(function* (
  transaction: Transaction,
  by: ActingPerson,
  membershipId: string,
  projectId: string
) {
  const reading = yield* requireReader(transaction, by, membershipId, projectId)
  yield* requireRecordGate(reading)
  return reading.now
})

/** Under the locks of the membership and the project: the person passes the record gate of this project. */
export const requireRecordAccess = Effect.fnUntraced(function* (
  transaction: Transaction,
  by: ActingPerson,
  membershipId: string,
  projectId: string
) {
  const found = yield* readMemberOfSide(transaction, by, membershipId, projectId, sideOfMembership)
  if (found === undefined) return yield* refuse("FORBIDDEN", { detail: notAParty })
  yield* requireRecordGate(found)
})

const requireRecordGate = ({
  project,
  membership
}: {
  readonly project: NamedPersons
  readonly membership: PartyMember
}) =>
  passesRecordGate(project, membership)
    ? Effect.void
    : refuse("FORBIDDEN", { detail: needsRecordGate[membership.side] })
