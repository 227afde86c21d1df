/** People, members, invitations and contacts as the workspace API returns them: no token, no code, no hash. */
import type { Effect } from "effect"
import type { SignedInPerson } from "./acting-person.ts"
import { pick } from "../vocabulary/pick.ts"
import { Contact, Invitation, Member, PersonProfile } from "./wire.ts"
import type { readProfile } from "./profile.ts"

export const viewProfile = (
  { personId, name, authenticatedAt }: SignedInPerson["Service"],
  { account, memberships }: Effect.Success<ReturnType<typeof readProfile>>
): typeof PersonProfile.Type => ({
  personId,
  name,
  authenticatedAt,
  account,
  memberships: memberships.map(pick(PersonProfile.fields.memberships.value))
})

export const viewMember = pick(Member)

export const viewInvitation = pick(Invitation)

export const viewContact = pick(Contact)
