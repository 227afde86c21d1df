/** People, members, invitations and contacts as the workspace API returns them: no token, no code, no hash. */
import type { Effect } from "effect"
import type { SignedInPerson } from "./acting-person.ts"
import type { Contact, Invitation, Member, PersonProfile } from "./wire.ts"
import type { listContacts } from "./contacts.ts"
import type { listInvitations } from "./invitations.ts"
import type { listMembers } from "./memberships.ts"
import type { readProfile } from "./profile.ts"

type Success<O extends (...input: never) => Effect.Effect<unknown, unknown, unknown>> = Effect.Success<ReturnType<O>>

export const viewProfile = (
  { personId, name, authenticatedAt }: SignedInPerson["Service"],
  { account, memberships }: Success<typeof readProfile>
): typeof PersonProfile.Type => ({
  personId,
  name,
  authenticatedAt,
  account,
  memberships: memberships.map(
    ({ membershipId, organizationId, organizationName, authorities, validFrom, validUntil, isInForce }) => ({
      membershipId,
      organizationId,
      organizationName,
      authorities,
      validFrom,
      validUntil,
      isInForce
    })
  )
})

export const viewMember = ({
  membershipId,
  personId,
  name,
  authorities,
  validFrom,
  validUntil,
  endedAt,
  isInForce
}: Success<typeof listMembers>[number]): typeof Member.Type => ({
  membershipId,
  personId,
  name,
  authorities,
  validFrom,
  validUntil,
  endedAt,
  isInForce
})

export const viewInvitation = ({
  invitationId,
  kind,
  terms,
  projectId,
  expiresAt,
  state,
  invitedBy,
  createdAt,
  isExpired,
  concludedAt,
  acceptedBy
}: Success<typeof listInvitations>[number]): typeof Invitation.Type => ({
  invitationId,
  kind,
  terms,
  projectId,
  expiresAt,
  state,
  invitedBy,
  createdAt,
  isExpired,
  concludedAt,
  acceptedBy
})

export const viewContact = ({
  contactId,
  reference,
  name,
  personId,
  createdAt
}: Success<typeof listContacts>[number]): typeof Contact.Type => ({ contactId, reference, name, personId, createdAt })
