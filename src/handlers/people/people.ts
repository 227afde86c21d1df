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
import { asPerson, asPersonRequest } from "../../people/request.ts"
import { endOtherSessions, endSession } from "../../people/sessions.ts"
import { readProfile } from "../../people/profile.ts"

export const sessionHandlers = HttpApiBuilder.group(WorkspaceApi, "personSession", (handlers) =>
  handlers.handleAll({
    readSession: () => asPerson((by) => Effect.map(readProfile(by), (profile) => viewProfile(by, profile))),
    signOut: () => asPerson((by) => Effect.as(endSession(by), withoutSession)),
    endOtherSessions: () => asPerson(endOtherSessions)
  })
)

const withoutSession = clearCookie("session")(HttpServerResponse.empty({ status: 204 }))

export const memberHandlers = HttpApiBuilder.group(WorkspaceApi, "members", (handlers) =>
  handlers.handleAll({
    listMembers: ({ params, query: { after } }) =>
      asPerson((by) =>
        Effect.map(listMembers(by, params.organizationId, after), ({ items, next }) => ({
          members: items.map(viewMember),
          next
        }))
      ),
    endMembership: ({ params }) => asPerson((by) => endMembership(by, params))
  })
)

export const invitationHandlers = HttpApiBuilder.group(WorkspaceApi, "invitations", (handlers) =>
  handlers.handleAll({
    listInvitations: ({ params, query: { after } }) =>
      asPerson((by) =>
        Effect.map(listInvitations(by, params.organizationId, after), ({ items, next }) => ({
          invitations: items.map(viewInvitation),
          next
        }))
      ),
    inviteMember: (sent) =>
      asPersonRequest(sent, (by, request) => inviteMember(by, request, { ...sent.params, ...sent.payload })),
    revokeInvitation: ({ params }) => asPerson((by) => revokeInvitation(by, params.invitationId)),
    readInvitation: ({ payload }) => asPerson((by) => readInvitation(by, payload.code)),
    acceptMembership: ({ payload }) => asPerson((by) => acceptMembership(by, payload.code))
  })
)

export const contactHandlers = HttpApiBuilder.group(WorkspaceApi, "contacts", (handlers) =>
  handlers.handleAll({
    listContacts: ({ params }) =>
      asPerson((by) =>
        Effect.map(listContacts(by, params.organizationId), (contacts) => ({ contacts: contacts.map(viewContact) }))
      ),
    addContact: ({ params, payload }) =>
      asPerson((by) => Effect.map(addContact(by, { ...params, ...payload }), viewContact)),
    removeContact: ({ params, payload }) => asPerson((by) => removeContact(by, { ...params, ...payload }))
  })
)
