/** The members of an organization, its open invitations, a list of each, and the forms that invite a member and revoke one. */
import { Effect, Layer } from "effect"
import { authorityToInvite } from "../../people/invitation.ts"
import { inviteMember, listOpenInvitationPage, revokeInvitation } from "../../people/invitations.ts"
import { authorities } from "../../people/membership.ts"
import { listMemberPage } from "../../people/memberships.ts"
import { limits } from "../../vocabulary/limits.ts"
import { buttonForm } from "../kit/button-form.ts"
import { checkboxGroup } from "../kit/choices.ts"
import { form, type FormState } from "../kit/fields.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { listPage, type ListColumn } from "../kit/list.ts"
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
  const newest = { limit: limits.itemsOnPage }
  const members = yield* listMemberPage(person, organizationId, newest)
  const invitations = seesInvitations(own) ? yield* listOpenInvitationPage(person, organizationId, newest) : undefined
  return page(
    { title: `Members of ${organizationName}`, viewer, place: "members", problems: inviting.state.problems },
    table({
      caption: members.older === null ? "Members" : "Members whose membership ends last",
      ...rowsOf(memberColumns(own), members.items),
      empty: "There is no member."
    }),
    members.older === null ? null : paragraph(linkTo(organizationPath(organizationId, "all-members"), "All members")),
    invitations === undefined
      ? null
      : section(
          "Open invitations",
          table({
            caption: "Unused invitations",
            ...rowsOf(invitationColumns(viewer, own), invitations.items),
            empty: noInvitation
          }),
          invitations.older === null
            ? null
            : paragraph(linkTo(organizationPath(organizationId, "open-invitations"), "All open invitations"))
        ),
    hasAuthority(own, authorityToInvite.MEMBERSHIP)
      ? section("Invite a member", inviteForm(viewer, own, inviting))
      : null,
    paragraph(linkTo(organizationPath(organizationId, "contacts"), "Contacts of this organization"))
  )
})

type Member = Effect.Success<ReturnType<typeof listMemberPage>>["items"][number]
type OpenInvitation = Effect.Success<ReturnType<typeof listOpenInvitationPage>>["items"][number]

const seesInvitations = (own: Membership): boolean => hasAuthority(own, ...Object.values(authorityToInvite))

const rowsOf = <Item>(columns: ReadonlyArray<ListColumn<Item>>, items: ReadonlyArray<Item>) => ({
  columns: columns.map(({ heading }) => heading),
  rows: items.map((item) => columns.map(({ cell }) => cell(item)))
})

const memberColumns = ({ organizationId }: Membership): ReadonlyArray<ListColumn<Member>> => [
  {
    heading: "Member",
    cell: ({ membershipId, name }) => linkTo(memberPath(organizationId, membershipId), untrusted(name))
  },
  { heading: "State", cell: membershipBadge },
  { heading: "May", cell: (member) => authorityList(member.authorities) },
  { heading: "From", cell: ({ validFrom }) => time(validFrom) },
  { heading: "Until", cell: ({ endedAt, validUntil }) => time(endedAt ?? validUntil) }
]

const invitationColumns = ({ formToken }: Viewer, own: Membership): ReadonlyArray<ListColumn<OpenInvitation>> => [
  { heading: "For", cell: ({ kind }) => invitationKindLabels[kind] },
  { heading: "Terms", cell: termsOf },
  { heading: "Invited by", cell: ({ inviterName }) => untrusted(inviterName) },
  { heading: "Usable until", cell: ({ expiresAt }) => time(expiresAt) },
  {
    heading: "Revoke",
    cell: ({ kind, invitationId, createdAt }) =>
      hasAuthority(own, authorityToInvite[kind])
        ? buttonForm({
            action: `${invitationsPath(own.organizationId)}/${invitationId}/revoke`,
            formToken,
            label: "Revoke",
            about: `Revoke the invitation of ${timeText(createdAt)}`
          })
        : null
  }
]

const noInvitation = "No invitation is open."

const allMembers = signedInPage("/workspace/organizations/:organizationId/all-members", function* (visitor) {
  const { person, viewer } = visitor
  const own = yield* readOwnMembership(visitor)
  const { organizationId, organizationName } = own
  return yield* listPage({
    title: `All members of ${organizationName}`,
    viewer,
    place: "members",
    list: {
      name: "members",
      path: organizationPath(organizationId, "all-members"),
      caption: "Members, those whose membership ends last first",
      columns: memberColumns(own),
      empty: "There is no member."
    },
    read: ({ turn }) => listMemberPage(person, organizationId, { ...turn, limit: limits.itemsOnPage }),
    after: toMembers(organizationId)
  })
})

const openInvitations = signedInPage("/workspace/organizations/:organizationId/open-invitations", function* (visitor) {
  const { person, viewer } = visitor
  const own = yield* readOwnMembership(visitor)
  const { organizationId, organizationName } = own
  return yield* listPage({
    title: `Open invitations of ${organizationName}`,
    viewer,
    place: "members",
    list: {
      name: "invitations",
      path: organizationPath(organizationId, "open-invitations"),
      caption: "Unused invitations, newest first",
      columns: invitationColumns(viewer, own),
      empty: noInvitation
    },
    read: ({ turn }) => listOpenInvitationPage(person, organizationId, { ...turn, limit: limits.itemsOnPage }),
    after: toMembers(organizationId)
  })
})

const toMembers = (organizationId: string): Element =>
  paragraph(linkTo(organizationPath(organizationId, "members"), "Go to the members"))

const invitationsPath = (organizationId: string): `/workspace/${string}` =>
  `/workspace/organizations/${organizationId}/invitations`

const termsOf = ({ terms }: OpenInvitation): Content =>
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
      Effect.as(revokeInvitation(visitor.person, invitationId, organizationId), {
        did: "You revoked the invitation.",
        next: "Its code no longer opens anything."
      })
  }
)

export const memberPages = Layer.mergeAll(
  organizationChoice("members", "Members"),
  memberList,
  allMembers,
  openInvitations,
  memberPage,
  invite,
  revoke
)
