/** A person's memberships, and the workspace that they created. */
import type { Effect } from "effect"
import { inView, readTogether } from "../ports/storage/run.ts"
import { compareText } from "../ports/storage/stored-values.ts"
import { now as currentTime } from "../vocabulary/instant.ts"
import { readAccount } from "./accounts.ts"
import { membershipsInForceOf, membershipsOf, type ActingPerson } from "./acting-person.ts"
import { isInForce } from "./membership.ts"
import { refuse } from "../vocabulary/refusals.ts"
import { readOrganization, readPerson } from "./operations.ts"
import { traced } from "../vocabulary/traced.ts"

/** Every membership, including ended ones, with the name of its organization. */
export const readProfile = traced("people.readProfile")(function* ({ personId }: ActingPerson) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const [memberships, account] = yield* readTogether([membershipsOf(reader, personId), readAccount(reader, personId)])
    const organizations = yield* readTogether(
      memberships.map(({ organizationId }) => readOrganization(reader, organizationId))
    )
    return {
      account: account === undefined ? null : { organizationId: account.organizationId },
      memberships: memberships.map((membership, index) => ({
        ...membership,
        organizationName: organizations[index]?.name ?? "",
        isInForce: isInForce(membership, now)
      }))
    }
  })
})

/** The memberships in force, one an organization and in the order of their ids, with the name of each: two statements. */
export const readMembershipsInForce = traced("people.readMembershipsInForce")(function* ({ personId }: ActingPerson) {
  const now = yield* currentTime
  return yield* inView(function* (reader) {
    const memberships = (yield* membershipsInForceOf(reader, personId, now)).toSorted((one, other) =>
      compareText(one.organizationId, other.organizationId)
    )
    const organizations = yield* readTogether(
      memberships.map(({ organizationId }) => readOrganization(reader, organizationId))
    )
    return memberships.map((one, index) => ({ ...one, organizationName: organizations[index]?.name ?? "" }))
  })
})

export type MembershipInForce = Effect.Success<ReturnType<typeof readMembershipsInForce>>[number]

/** The issuer of a person's identity, and the person's subject there. */
export const readIdentity = traced("people.readIdentity")(function* ({ personId }: ActingPerson) {
  const person = yield* inView((reader) => readPerson(reader, personId))
  return person === undefined ? yield* refuse("UNKNOWN_PARTY") : { issuer: person.issuer, subject: person.subject }
})
