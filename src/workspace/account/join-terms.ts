/** The terms of an invitation, shown before it is accepted. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { h } from "preact"
import type { readInvitation } from "../../people/invitations.ts"
import { readProfile } from "../../people/profile.ts"
import { readInvitedAgreement } from "../../projects/invited-project.ts"
import { radioGroup } from "../kit/choices.ts"
import { form, formTokenField, hidden, type FormState } from "../kit/fields.ts"
import { untrusted, untrustedLines, type Content } from "../kit/html.ts"
import { page, type Viewer } from "../kit/page.ts"
import { code, facts, list, notice, paragraph, section, time } from "../kit/parts.ts"
import type { Visitor } from "../kit/visitor.ts"
import { authorityLabels } from "../kit/labels.ts"
import { agreementSection, type OfferedAgreement } from "./join-agreement.ts"

export const joinPath = "/workspace/join"

export type Invitation = Effect.Success<ReturnType<typeof readInvitation>>
type Memberships = Effect.Success<ReturnType<typeof readProfile>>["memberships"]

/** The person's memberships and the offered agreement, shown with the invitation. */
export interface InvitationContext {
  readonly memberships: Memberships
  readonly offered: OfferedAgreement | undefined
}

export const readInvitationContext = Effect.fnUntraced(function* (
  { person }: Visitor,
  { kind }: Invitation,
  code: string
) {
  const { memberships } = yield* readProfile(person)
  const offered = kind === "REPRESENTATIVE" ? yield* readInvitedAgreement(person, code) : undefined
  return { memberships, offered } satisfies InvitationContext
})

/** The organizations for which a person may answer terms as supplier. */
export const membershipsToRepresent = (memberships: Memberships) =>
  memberships.filter(({ isInForce, authorities }) => isInForce && authorities.includes("TERMS_RESPOND"))

export const termsPage = Effect.fnUntraced(function* (
  { viewer }: Visitor,
  invitation: Invitation,
  { memberships, offered }: InvitationContext,
  state: FormState
) {
  // One request id for each rendering: submitting the form twice has one effect.
  const requestId = yield* Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV4())
  const own = membershipsToRepresent(memberships)
  const cannotAccept = invitation.kind === "REPRESENTATIVE" && own.length === 0
  return page(
    { title: titles[invitation.kind], viewer, place: "join", problems: state.problems },
    invitation.state === "ACCEPTED" ? notice("done", paragraph("You have already accepted this invitation.")) : null,
    section("The invitation", facts(factsOf(invitation)), ...more(invitation, offered)),
    cannotAccept
      ? withoutOrganization(viewer)
      : form(
          { action: `${joinPath}/accept`, formToken: viewer.formToken, submitLabel: submitLabels[invitation.kind] },
          hidden("invitationId", invitation.invitationId),
          hidden("requestId", requestId),
          invitation.kind === "REPRESENTATIVE" ? chooseOrganization(own, state) : null
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

const factsOf = ({ terms, organizationName, inviterName, expiresAt }: Invitation) => {
  const from: ReadonlyArray<readonly [string, Content]> = [
    ["Organization", untrusted(organizationName)],
    ["Invited by", untrusted(inviterName)],
    ["Open until", time(expiresAt)]
  ]
  if (terms.kind === "MEMBERSHIP") {
    const authorities = terms.authorities.map((authority) => authorityLabels[authority])
    return [
      ...from,
      ["You may", authorities.length === 0 ? "nothing yet" : list(authorities)] as const,
      ["Your membership ends", time(terms.validUntil)] as const
    ]
  }
  if (terms.kind === "REPRESENTATIVE") {
    return [
      ...from,
      ["Agreement", untrusted(terms.title)] as const,
      ["Digest of the agreement", code(terms.agreementDigest)] as const
    ]
  }
  return [
    ...from,
    ["Task", untrusted(terms.title)] as const,
    ["Due", terms.dueAt === null ? "no date" : time(terms.dueAt)] as const
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

const chooseOrganization = (own: Memberships, state: FormState) =>
  radioGroup(state, {
    name: "organizationId",
    legend: "For which of your organizations?",
    choices: own.map(({ organizationId, organizationName }) => ({
      value: organizationId,
      label: untrusted(organizationName)
    }))
  })

const withoutOrganization = (viewer: Viewer) =>
  section(
    "You need an organization first",
    paragraph(
      "A supplier needs an organization in which it may answer terms, and you have none. Create your own workspace; you return to this page afterwards. The code is stored for ten minutes."
    ),
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
