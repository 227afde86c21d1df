/** The terms of an invitation, shown before it is accepted. */
import { Effect } from "effect"
import { h } from "preact"
import type { readInvitation } from "../../people/invitations.ts"
import { readInvitedAgreement } from "../../projects/invited-project.ts"
import { form, formTokenField, hidden, type FormState } from "../kit/fields.ts"
import { newRequestId, requestIdField } from "../kit/idempotent-form.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../kit/html.ts"
import { page, type Viewer } from "../kit/page.ts"
import { code, facts, list, notice, paragraph, section, time, type Fact } from "../kit/parts.ts"
import type { Visitor } from "../kit/visitor.ts"
import { authorityLabels } from "../kit/labels.ts"
import { organizationRadios } from "../organization/choices.ts"
import { readMemberships, type Membership } from "../organization/own-membership.ts"
import { termsFacts } from "../projects/terms.ts"

export const joinPath = "/workspace/join"

export type Invitation = Effect.Success<ReturnType<typeof readInvitation>>
type OfferedAgreement = Effect.Success<ReturnType<typeof readInvitedAgreement>>

/** What is shown with the invitation. */
export interface InvitationContext {
  /** The memberships in which the person may answer terms as supplier. */
  readonly memberships: ReadonlyArray<Membership>
  readonly offered: OfferedAgreement | undefined
}

export const readInvitationContext = Effect.fnUntraced(function* (
  { person }: Visitor,
  { kind }: Invitation,
  code: string
) {
  const memberships = yield* readMemberships(person, "TERMS_RESPOND")
  const offered = kind === "REPRESENTATIVE" ? yield* readInvitedAgreement(person, code) : undefined
  return { memberships, offered } satisfies InvitationContext
})

export const termsPage = Effect.fnUntraced(function* (
  { viewer }: Visitor,
  invitation: Invitation,
  { memberships, offered }: InvitationContext,
  state: FormState
) {
  const requestId = yield* newRequestId
  const cannotAccept = invitation.kind === "REPRESENTATIVE" && memberships.length === 0
  return page(
    { title: titles[invitation.kind], viewer, place: "join", problems: state.problems },
    invitation.state === "ACCEPTED" ? notice("done", "You have already accepted this invitation.") : null,
    section("The invitation", facts(factsOf(invitation)), ...more(invitation, offered)),
    cannotAccept
      ? withoutOrganization(viewer)
      : form(
          { action: `${joinPath}/accept`, formToken: viewer.formToken, submitLabel: submitLabels[invitation.kind] },
          hidden("invitationId", invitation.invitationId),
          requestIdField(requestId),
          invitation.kind === "REPRESENTATIVE"
            ? organizationRadios(state, { legend: "For which of your organizations?", memberships })
            : null
        ),
    leaveForm(viewer)
  )
})

const titles = {
  MEMBERSHIP: "An invitation to an organization",
  REPRESENTATIVE: "An invitation to supply",
  PARTICIPATION: "An invitation to a task"
} as const

const submitLabels = {
  MEMBERSHIP: "Join on these terms",
  REPRESENTATIVE: "Become the supplier’s representative",
  PARTICIPATION: "Accept the task"
} as const

const factsOf = ({ terms, organizationName, inviterName, expiresAt }: Invitation): ReadonlyArray<Fact> => [
  ["Organization", untrusted(organizationName)],
  ["Invited by", untrusted(inviterName)],
  ["Open until", time(expiresAt)],
  ...offerOf(terms)
]

const offerOf = (terms: Invitation["terms"]): ReadonlyArray<Fact> => {
  if (terms.kind === "MEMBERSHIP") {
    const authorities = terms.authorities.map((authority) => authorityLabels[authority])
    return [
      ["You may", authorities.length === 0 ? "nothing yet" : list(authorities)],
      ["Your membership ends", time(terms.validUntil)]
    ]
  }
  return terms.kind === "REPRESENTATIVE"
    ? [
        ["Agreement", untrusted(terms.title)],
        ["Digest of the agreement", code(terms.agreementDigest)]
      ]
    : [
        ["Task", untrusted(terms.title)],
        ["Due", terms.dueAt === null ? "no date" : time(terms.dueAt)]
      ]
}

const more = ({ terms }: Invitation, offered: OfferedAgreement | undefined): ReadonlyArray<Content> => {
  if (terms.kind === "MEMBERSHIP") return []
  if (terms.kind === "PARTICIPATION") {
    return [
      h("h3", null, "Instructions of the inviting party"),
      untrustedLines(terms.instructions),
      paragraph(
        "Accepting it makes you a member of no organization and shows you only the task, nothing else of the project."
      )
    ]
  }
  return [
    paragraph(
      "You become the person who answers and delivers for the supplier under the agreement with this digest. This does not accept its terms: they are answered next, on the page of the project or by an agent with that permission."
    ),
    offered === undefined ? null : agreementSection(offered)
  ]
}

/** The terms of an agreement for an invited supplier. Persons are shown by id only: a holder of the code may not learn their names. */
const agreementSection = ({ projectId, createdAt, agreement: { terms } }: OfferedAgreement): Element =>
  section(
    "The agreement",
    "This is the inviting party’s own text. It is not verified.",
    termsFacts(terms, (personId) => personId, [["Project", [h("code", null, projectId), ", made ", time(createdAt)]]])
  )

const withoutOrganization = (viewer: Viewer) =>
  section(
    "You need an organization first",
    "A supplier needs an organization in which it may answer terms, and you have none. Create your own workspace; you return to this page afterwards. The code is stored for ten minutes.",
    form({ action: "/workspace/account", formToken: viewer.formToken, submitLabel: "Create your own workspace" })
  )

const leaveForm = ({ formToken }: Viewer) =>
  h(
    "form",
    { method: "post", action: `${joinPath}/leave`, class: "fields" },
    formTokenField(formToken),
    h("p", null, "If you leave it, the invitation remains open for you until its date."),
    h("p", { class: "submit" }, h("button", { type: "submit", class: "quiet" }, "Leave it"))
  )
