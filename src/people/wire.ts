/** Operations of people on themselves and their organizations: session, members, invitations, contacts. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { nextPage } from "../http/next-page.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { idOf, PersonId, UuidV4 } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { textUpTo } from "../vocabulary/text.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { invitationKinds } from "./invitation.ts"
import { authorities } from "./membership.ts"
import { forPeople } from "./session-authentication.ts"

export const OrganizationId = idOf("organization")

const Authorities = Schema.Array(Schema.Literals(authorities))

export const PersonProfile = Schema.Struct({
  personId: Schema.String,
  name: Schema.String,
  authenticatedAt: Instant,
  memberships: Schema.Array(
    Schema.Struct({
      membershipId: Schema.String,
      organizationId: Schema.String,
      organizationName: Schema.String,
      authorities: Authorities,
      validFrom: Instant,
      validUntil: Instant,
      isInForce: Schema.Boolean
    })
  ),
  account: Schema.NullOr(Schema.Struct({ organizationId: Schema.String }))
}).annotate({ identifier: "Standing" })

export class PersonSession extends HttpApiGroup.make("personSession", { topLevel: true })
  .add(
    HttpApiEndpoint.get("readSession", "/session", { success: PersonProfile }).annotateMerge(
      titled("The signed-in person and their memberships")
    ),
    HttpApiEndpoint.post("signOut", "/session/sign-out", {
      success: HttpApiSchema.NoContent
    }).annotateMerge(titled("End this session; agents are not affected")),
    HttpApiEndpoint.post("endOtherSessions", "/session/end-others", {
      success: Schema.Struct({ count: Schema.Int })
    }).annotateMerge(titled("End every other session of this person; agents are not affected"))
  )
  .pipe(forPeople) {}

export const Member = Schema.Struct({
  membershipId: Schema.String,
  personId: Schema.String,
  name: Schema.String,
  authorities: Authorities,
  validFrom: Instant,
  validUntil: Instant,
  endedAt: Schema.NullOr(Instant),
  isInForce: Schema.Boolean
}).annotate({ identifier: "Member" })

const MembershipPath = { membershipId: idOf("membership") }

export class Members extends HttpApiGroup.make("members", { topLevel: true })
  .add(
    HttpApiEndpoint.get("listMembers", "/organizations/:organizationId/members", {
      params: { organizationId: OrganizationId },
      query: { after: Schema.optionalKey(MembershipPath.membershipId) },
      success: Schema.Struct({ members: Schema.Array(Member), next: nextPage }),
      error: refuses(...checks.person)
    }).annotateMerge(
      titled(
        `The members of an organization, former ones too, in the order of their ids, ${limits.entriesListed} on a page`
      )
    ),
    HttpApiEndpoint.post("endMembership", "/memberships/:membershipId/end", {
      params: MembershipPath,
      success: Schema.Struct({ membershipId: Schema.String, endedAt: Instant }),
      error: refuses(...checks.person, "UNKNOWN_PARTY")
    }).annotateMerge(titled("End a membership, and everything granted under it"))
  )
  .pipe(forPeople) {}

/** The terms of an invitation, by its kind. */
export const InvitationTerms = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("MEMBERSHIP"), authorities: Authorities, validUntil: Instant }),
  Schema.Struct({ kind: Schema.Literal("REPRESENTATIVE"), title: Schema.String, agreementDigest: Schema.String }),
  Schema.Struct({
    kind: Schema.Literal("PARTICIPATION"),
    title: Schema.String,
    instructions: Schema.String,
    dueAt: Schema.NullOr(Instant)
  })
]).annotate({ identifier: "InvitationTerms" })

const invitationFields = {
  invitationId: Schema.String,
  kind: Schema.Literals(invitationKinds),
  terms: InvitationTerms,
  projectId: Schema.NullOr(Schema.String),
  expiresAt: Instant,
  state: Schema.Literals(["OPEN", "ACCEPTED", "REVOKED"])
}

export const Invitation = Schema.Struct({
  ...invitationFields,
  invitedBy: Schema.String,
  createdAt: Instant,
  isExpired: Schema.Boolean,
  concludedAt: Schema.NullOr(Instant),
  acceptedBy: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Invitation" })

export const ReceivedInvitation = Schema.Struct({
  ...invitationFields,
  organizationName: Schema.String,
  inviterName: Schema.String
}).annotate({ identifier: "ReceivedInvitation" })

/** The only response that contains an invitation's code. */
export const MadeInvitation = Schema.Struct({
  invitationId: Schema.String,
  code: Schema.String,
  expiresAt: Instant
}).annotate({ identifier: "MadeInvitation" })

export const InvitationCode = textUpTo(limits.titleCharacters).annotate({
  description: "As it was sent to the person; never part of an address."
})

const InviteMember = Schema.Struct({
  requestId: UuidV4,
  authorities: Authorities.check(Schema.isMaxLength(authorities.length), Schema.isUnique()),
  validUntil: Schema.optionalKey(Instant)
}).annotate({ identifier: "InviteMember" })

const InvitationPath = { invitationId: idOf("invitation") }

export class Invitations extends HttpApiGroup.make("invitations", { topLevel: true })
  .add(
    HttpApiEndpoint.get("listInvitations", "/organizations/:organizationId/invitations", {
      params: { organizationId: OrganizationId },
      query: { after: Schema.optionalKey(InvitationPath.invitationId) },
      success: Schema.Struct({ invitations: Schema.Array(Invitation), next: nextPage }),
      error: refuses(...checks.person)
    }).annotateMerge(
      titled(
        `The invitations of an organization, without their codes, in the order of their ids, ${limits.entriesListed} on a page`
      )
    ),
    HttpApiEndpoint.post("inviteMember", "/organizations/:organizationId/invitations", {
      params: { organizationId: OrganizationId },
      payload: InviteMember,
      success: MadeInvitation.pipe(HttpApiSchema.status(201)),
      error: refuses(...checks.person, ...checks.requestId, "SECRET_ALREADY_SHOWN")
    }).annotateMerge(titled("Invite a person to join the organization")),
    HttpApiEndpoint.post("revokeInvitation", "/invitations/:invitationId/revoke", {
      params: InvitationPath,
      success: Schema.Struct({ invitationId: Schema.String, state: Schema.Literals(["REVOKED"]) }),
      error: refuses(...checks.person, "STATE_CONFLICT", "UNKNOWN_PARTY")
    }).annotateMerge(titled("Revoke an invitation that has not been accepted")),
    HttpApiEndpoint.post("readInvitation", "/invitations/read", {
      payload: Schema.Struct({ code: InvitationCode }),
      success: ReceivedInvitation,
      error: refuses("INVITATION_UNKNOWN")
    }).annotateMerge(titled("The terms of an invitation, before it is accepted")),
    HttpApiEndpoint.post("acceptMembership", "/invitations/accept-membership", {
      payload: Schema.Struct({ code: InvitationCode }),
      success: Schema.Struct({ membershipId: Schema.String, organizationId: Schema.String }),
      error: refuses("ALREADY_EXISTS", "INVITATION_UNKNOWN", "STATE_CONFLICT")
    }).annotateMerge(titled("Join the organization on exactly these terms"))
  )
  .pipe(forPeople) {}

export const Contact = Schema.Struct({
  contactId: Schema.String,
  reference: Schema.String,
  name: Schema.String,
  personId: Schema.String,
  createdAt: Instant
}).annotate({ identifier: "Contact" })

const Reference = textUpTo(limits.contactReferenceCharacters)

export class Contacts extends HttpApiGroup.make("contacts", { topLevel: true })
  .add(
    HttpApiEndpoint.get("listContacts", "/organizations/:organizationId/contacts", {
      params: { organizationId: OrganizationId },
      success: Schema.Struct({ contacts: Schema.Array(Contact) }),
      error: refuses(...checks.person)
    }).annotateMerge(titled("The contacts of an organization")),
    HttpApiEndpoint.post("addContact", "/organizations/:organizationId/contacts", {
      params: { organizationId: OrganizationId },
      payload: Schema.Struct({ reference: Reference, name: textUpTo(limits.titleCharacters), personId: PersonId }),
      success: Contact.pipe(HttpApiSchema.status(201)),
      error: refuses(...checks.person, "ALREADY_EXISTS", "STATE_CONFLICT", "UNKNOWN_PARTY")
    }).annotateMerge(titled("Add a person under a reference; idempotent")),
    HttpApiEndpoint.post("removeContact", "/organizations/:organizationId/contacts/remove", {
      params: { organizationId: OrganizationId },
      payload: Schema.Struct({ reference: Reference }),
      success: Schema.Struct({ organizationId: Schema.String, reference: Schema.String }),
      error: refuses(...checks.person)
    }).annotateMerge(titled("Remove a contact"))
  )
  .pipe(forPeople) {}
