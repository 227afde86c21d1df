/** The members of an organization, its open invitations, and the form that invites a member. */
import { Effect } from "effect"
import { authorityToInvite } from "../../people/invitation.ts"
import { listInvitations } from "../../people/invitations.ts"
import { authorities } from "../../people/membership.ts"
import { listMembers } from "../../people/memberships.ts"
import { buttonForm } from "../kit/button-form.ts"
import { checkboxGroup } from "../kit/choices.ts"
import { emptyForm, form, textField, type FormState } from "../kit/fields.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { hasAuthority, organizationPath, readOwnMembership, type OwnMembership } from "./own-membership.ts"
import { page, type Viewer } from "../kit/page.ts"
import { badge, linkTo, list, paragraph, section, table, time, timeText } from "../kit/parts.ts"
import { newRequestId, requestIdField } from "../kit/idempotent-form.ts"
import { pageResponse } from "../kit/response.ts"
import { signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { authorityLabels, invitationKindLabels } from "../kit/labels.ts"

export const memberList = signedInPage("/workspace/organizations/:organizationId/members", (visitor) =>
  Effect.gen(function* () {
    const own = yield* readOwnMembership(visitor)
    return pageResponse(yield* showMembers(visitor, own, { state: emptyForm, requestId: yield* newRequestId }))
  })
)

/** The form that invites, as last submitted. */
export interface InvitationForm {
  readonly state: FormState
  readonly requestId: string
}

export const showMembers = Effect.fnUntraced(function* (
  { person, viewer }: Visitor,
  own: OwnMembership,
  inviting: InvitationForm
) {
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

export const memberPath = (organizationId: string, membershipId: string): `/workspace/${string}` =>
  `${organizationPath(organizationId, "members")}/${membershipId}`

const memberTable = ({ organizationId }: OwnMembership, members: ReadonlyArray<Member>): Element =>
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

export const membershipBadge = ({ isInForce, endedAt }: Member): Element =>
  isInForce ? badge("good", "member") : badge("ended", endedAt === null ? "expired" : "ended")

export const authorityList = (held: Member["authorities"]): Content =>
  held.length === 0 ? "Read only" : list(held.map((authority) => authorityLabels[authority]))

const invitationTable = (
  { formToken }: Viewer,
  own: OwnMembership,
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

export const invitationsPath = (organizationId: string): `/workspace/${string}` =>
  `/workspace/organizations/${organizationId}/invitations`

const termsOf = ({ terms }: Invitation): Content =>
  terms.kind === "MEMBERSHIP"
    ? [authorityList(terms.authorities), "until ", time(terms.validUntil)]
    : untrusted(terms.title)

const inviteForm = (
  { formToken }: Viewer,
  own: OwnMembership,
  { state, requestId }: InvitationForm
): ReadonlyArray<Element> => [
  paragraph(
    "You get a code, which you send to the person yourself. Any person who has it can join, once, within 14 days."
  ),
  form(
    { action: invitationsPath(own.organizationId), formToken, submitLabel: "Invite, and show the code" },
    requestIdField(requestId),
    checkboxGroup(state, {
      name: "authorities",
      legend: "What may the member do?",
      hint: "Without any of these, a member can only read.",
      choices: authorities.map((authority) => ({ value: authority, label: authorityLabels[authority] }))
    }),
    textField(state, {
      name: "until",
      label: "Member until the end of",
      hint: "A day in UTC; ten years from now if empty.",
      type: "date",
      isOptional: true,
      size: "short"
    })
  )
]
