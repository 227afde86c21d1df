/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { clearCookie } from "../../http/cookies.ts"
import { WorkspaceApi } from "../../api/people.ts"
import { addContact, listContacts, removeContact } from "../../people/contacts.ts"
import { viewContact, viewInvitation, viewMember, viewProfile } from "../../people/view.ts"
import {
  acceptMembership,
  inviteMember,
  listInvitations,
  readInvitation,
  revokeInvitation
} from "../../people/invitations.ts"
import { endMembership, listMembers } from "../../people/memberships.ts"
import { answerPerson, answerRequest } from "../../people/request.ts"
import { endOtherSessions, endSession } from "../../people/sessions.ts"
import { readProfile } from "../../people/profile.ts"

export const sessionHandlers = HttpApiBuilder.group(WorkspaceApi, "personSession", (handlers) =>
  handlers.handleAll({
    readSession: () => answerPerson((by) => Effect.map(readProfile(by), (profile) => viewProfile(by, profile))),
    signOut: () => answerPerson((by) => Effect.as(endSession(by), withoutSession)),
    endOtherSessions: () => answerPerson(endOtherSessions)
  })
)

const withoutSession = clearCookie("session")(HttpServerResponse.empty({ status: 204 }))

export const memberHandlers = HttpApiBuilder.group(WorkspaceApi, "members", (handlers) =>
  handlers.handleAll({
    listMembers: ({ params }) =>
      answerPerson((by) =>
        Effect.map(listMembers(by, params.organizationId), (members) => ({ members: members.map(viewMember) }))
      ),
    endMembership: ({ params }) => answerPerson((by) => endMembership(by, params))
  })
)

export const invitationHandlers = HttpApiBuilder.group(WorkspaceApi, "invitations", (handlers) =>
  handlers.handleAll({
    listInvitations: ({ params }) =>
      answerPerson((by) =>
        Effect.map(listInvitations(by, params.organizationId), (invitations) => ({
          invitations: invitations.map(viewInvitation)
        }))
      ),
    inviteMember: ({ params: { organizationId }, payload: { requestId, ...terms } }) =>
      answerRequest({ operation: "inviteMember", pathIds: [organizationId], requestId }, (by, request) =>
        inviteMember(by, request, { organizationId, ...terms })
      ),
    revokeInvitation: ({ params }) => answerPerson((by) => revokeInvitation(by, params.invitationId)),
    readInvitation: ({ payload }) => answerPerson((by) => readInvitation(by, payload.code)),
    acceptMembership: ({ payload }) => answerPerson((by) => acceptMembership(by, payload.code))
  })
)

export const contactHandlers = HttpApiBuilder.group(WorkspaceApi, "contacts", (handlers) =>
  handlers.handleAll({
    listContacts: ({ params }) =>
      answerPerson((by) =>
        Effect.map(listContacts(by, params.organizationId), (contacts) => ({ contacts: contacts.map(viewContact) }))
      ),
    addContact: ({ params, payload }) =>
      answerPerson((by) => Effect.map(addContact(by, { ...params, ...payload }), viewContact)),
    removeContact: ({ params, payload }) => answerPerson((by) => removeContact(by, { ...params, ...payload }))
  })
)
