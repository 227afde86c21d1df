/** The members of an organization, its open invitations, and the forms that invite a member and revoke invitations. */
import { Effect, Layer } from "effect"
import { authorityToInvite } from "../../people/invitation.ts"
import { inviteMember, listInvitations, revokeInvitation } from "../../people/invitations.ts"
import { authorities } from "../../people/membership.ts"
import { listMembers } from "../../people/memberships.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { buttonForm } from "../kit/button-form.ts"
import { checkboxGroup } from "../kit/choices.ts"
import { form, type FormState } from "../kit/fields.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { page, type Viewer } from "../kit/page.ts"
import { linkTo, paragraph, section, table, time, timeText } from "../kit/parts.ts"
import { requestIdField, requestOf, newForm, type PageForm } from "../kit/idempotent-form.ts"
import { signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { authorityLabels, invitationKindLabels } from "../kit/labels.ts"
import { decodeNoFields } from "../kit/form.ts"
import { formPage, idempotentFormPage } from "../kit/form-page.ts"
import { pathId } from "../kit/url-parameters.ts"
import { anyOf } from "../kit/form-values.ts"
import { rejectPastDate } from "../kit/expired-date.ts"
import { optionalDayField, controlsOf, decodeFields } from "../kit/form-field.ts"
import { authorityList, memberPage, memberPath, membershipBadge } from "./member.ts"
import {
  hasAuthority,
  organizationChoice,
  organizationPath,
  readOwnMembership,
  type Membership
} from "./own-membership.ts"
import { showInvitationCode } from "./invitation-code.ts"

const path = "/workspace/organizations/:organizationId/members"
const invitationRoute = "/workspace/organizations/:organizationId/invitations"

const memberList = signedInPage(path, function* (visitor) {
  const own = yield* readOwnMembership(visitor)
  return yield* showMembers(visitor, own, yield* newForm)
})

const showMembers = Effect.fnUntraced(function* ({ person, viewer }: Visitor, own: Membership, inviting: PageForm) {
  const { organizationId, organizationName } = own
  const members = yield* listMembers(person, organizationId)
  const seesInvitations = hasAuthority(own, ...Object.values(authorityToInvite))
  const invitations = seesInvitations ? yield* listInvitations(person, organizationId) : []
  return page(
    { title: `Members of ${organizationName}`, viewer, place: "members", problems: inviting.state.problems },
    memberTable(own, members),
    seesInvitations ? section("Open invitations", invitationTable(viewer, own, members, invitations)) : null,
    hasAuthority(own, authorityToInvite.MEMBERSHIP)
      ? section("Invite a member", inviteForm(viewer, own, inviting))
      : null,
    paragraph(linkTo(organizationPath(organizationId, "contacts"), "Contacts of this organization"))
  )
})

type Member = Effect.Success<ReturnType<typeof listMembers>>[number]
type Invitation = Effect.Success<ReturnType<typeof listInvitations>>[number]

const memberTable = ({ organizationId }: Membership, members: ReadonlyArray<Member>): Element =>
  table({
    caption: "Members",
    columns: ["Member", "State", "May", "From", "Until"],
    rows: members
      .toSorted((a, b) => Number(b.isInForce) - Number(a.isInForce) || (a.validFrom < b.validFrom ? -1 : 1))
      .map((member) => [
        linkTo(memberPath(organizationId, member.membershipId), untrusted(member.name)),
        membershipBadge(member),
        authorityList(member.authorities),
        time(member.validFrom),
        time(member.endedAt ?? member.validUntil)
      ]),
    empty: "There is no member."
  })

const invitationTable = (
  { formToken }: Viewer,
  own: Membership,
  members: ReadonlyArray<Member>,
  invitations: ReadonlyArray<Invitation>
): Element =>
  table({
    caption: "Unused invitations",
    columns: ["For", "Terms", "Invited by", "Usable until", "Revoke"],
    rows: invitations
      .filter(({ state, isExpired }) => state === "OPEN" && !isExpired)
      .map((invitation) => [
        invitationKindLabels[invitation.kind],
        termsOf(invitation),
        untrusted(members.find(({ personId }) => personId === invitation.invitedBy)?.name ?? invitation.invitedBy),
        time(invitation.expiresAt),
        hasAuthority(own, authorityToInvite[invitation.kind])
          ? buttonForm({
              action: `${invitationsPath(own.organizationId)}/${invitation.invitationId}/revoke`,
              formToken,
              label: "Revoke",
              about: `Revoke the invitation of ${timeText(invitation.createdAt)}`
            })
          : null
      ]),
    empty: "No invitation is open."
  })

const invitationsPath = (organizationId: string): `/workspace/${string}` =>
  `/workspace/organizations/${organizationId}/invitations`

const termsOf = ({ terms }: Invitation): Content =>
  terms.kind === "MEMBERSHIP"
    ? [authorityList(terms.authorities), "until ", time(terms.validUntil)]
    : untrusted(terms.title)

const inviteForm = ({ formToken }: Viewer, own: Membership, { state, requestId }: PageForm): ReadonlyArray<Element> => [
  paragraph(
    "You get a code, which you send to the person yourself. Any person who has it can join, once, within 14 days."
  ),
  form(
    { action: invitationsPath(own.organizationId), formToken, submitLabel: "Invite, and show the code" },
    requestIdField(requestId),
    Object.values(controlsOf(invitationFields, state))
  )
]

const invitationFields = {
  authorities: {
    schema: anyOf("the authorities", authorities),
    control: (state: FormState, name: string): Content =>
      checkboxGroup(state, {
        name,
        legend: "What may the member do?",
        hint: "Without any of these, a member can only read.",
        choices: authorities.map((authority) => ({ value: authority, label: authorityLabels[authority] }))
      })
  },
  until: optionalDayField({
    what: "The last day",
    label: "Member until the end of",
    hint: "A day in UTC; ten years from now if empty."
  })
}

const invite = idempotentFormPage(
  { path: invitationRoute, shownAt: path },
  {
    read: readOwnMembership,
    decode: (sent) =>
      Effect.flatMap(decodeFields(invitationFields, sent), (decoded) =>
        rejectPastDate(decoded, sent, ["until", "The last day"])
      ),
    show: showMembers,
    run: ({ visitor, subject: { organizationId }, values: { authorities, until }, requestId }) =>
      Effect.gen(function* () {
        const terms = { authorities, ...(until === undefined ? {} : { validUntil: until }) }
        const values = { ...terms, authorities: [...authorities] }
        const request = requestOf(visitor, requestId, "inviteMember", { pathIds: [organizationId], values })
        const invitation = yield* inviteMember(visitor.person, request, { organizationId, ...terms })
        return yield* showInvitationCode(visitor, invitation, {
          title: "Invitation to join",
          place: "members",
          back: [organizationPath(organizationId, "members"), "Go to the members"]
        })
      })
  }
)

const revoke = formPage(
  { path: `${invitationRoute}/:invitationId/revoke`, shownAt: path },
  {
    read: (visitor) => Effect.all([readOwnMembership(visitor), pathId("invitationId", "invitation")]),
    decode: decodeNoFields,
    run: ({ visitor, subject: [{ organizationId }, invitationId] }) =>
      Effect.gen(function* () {
        const { person } = visitor
        const invitations = yield* listInvitations(person, organizationId)
        if (!invitations.some((one) => one.invitationId === invitationId)) return yield* refuse("NOT_FOUND")
        yield* revokeInvitation(person, invitationId)
        return { did: "You revoked the invitation.", next: "Its code no longer opens anything." }
      })
  }
)

export const memberPages = Layer.mergeAll(
  organizationChoice("members", "Members"),
  memberList,
  memberPage,
  invite,
  revoke
)
