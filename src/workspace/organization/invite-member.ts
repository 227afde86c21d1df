/** Invites a member to an organization, and revokes invitations. */
import { Effect, Layer, Result, Schema } from "effect"
import { inviteMember, listInvitations, revokeInvitation } from "../../people/invitations.ts"
import { authorities } from "../../people/membership.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { pathId } from "../kit/url-parameters.ts"
import { decodeForm } from "../kit/form.ts"
import { anyOf, optionalDay } from "../kit/form-values.ts"
import { showInvitationCode } from "./invitation-code.ts"
import { organizationPath, readOwnMembership } from "./own-membership.ts"
import { rejectPastDate } from "../kit/expired-date.ts"
import { requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm } from "../kit/signed-in.ts"
import { showMembers } from "./member-list.ts"

const InvitationInput = Schema.Struct({
  authorities: anyOf("the authorities", authorities),
  until: optionalDay("The last day")
})

const shownAt = "/workspace/organizations/:organizationId/members"
const address = "/workspace/organizations/:organizationId/invitations"

const invite = signedInForm({ path: address, shownAt }, (visitor, sent) =>
  Effect.gen(function* () {
    const own = yield* readOwnMembership(visitor)
    const { requestId, form } = yield* takeRequestId(sent)
    const decoded = yield* rejectPastDate(yield* decodeForm(InvitationInput, form), form, ["until", "The last day"])
    if (Result.isFailure(decoded)) {
      return pageResponse(yield* showMembers(visitor, own, { state: decoded.failure, requestId }), 400)
    }
    const { organizationId } = own
    const { until } = decoded.success
    const terms = { authorities: decoded.success.authorities, ...(until === undefined ? {} : { validUntil: until }) }
    const values = { ...terms, authorities: [...terms.authorities] }
    const request = requestOf(visitor, requestId, "inviteMember", { pathIds: [organizationId], values })
    const invitation = yield* inviteMember(visitor.person, request, { organizationId, ...terms })
    return yield* showInvitationCode(visitor, invitation, {
      title: "Invitation to join",
      place: "members",
      back: [organizationPath(organizationId, "members"), "Go to the members"]
    })
  })
)

const Nothing = Schema.Struct({})

const revoke = signedInForm({ path: `${address}/:invitationId/revoke`, shownAt }, (visitor, sent) =>
  Effect.gen(function* () {
    const { organizationId } = yield* readOwnMembership(visitor)
    const invitationId = yield* pathId("invitationId", "invitation")
    yield* decodeForm(Nothing, sent)
    const invitations = yield* listInvitations(visitor.person, organizationId)
    if (!invitations.some((one) => one.invitationId === invitationId)) return yield* refuse("NOT_FOUND")
    yield* revokeInvitation(visitor.person, invitationId)
    return seeOther(organizationPath(organizationId, "members"))
  })
)

export const memberInvitations = Layer.mergeAll(invite, revoke)
