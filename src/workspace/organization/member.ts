/** The page of one member, and the form that ends the membership. */
import { Effect, Layer } from "effect"
import { endMembership, listMembersInForce, readMember } from "../../people/memberships.ts"
import { pathId } from "../kit/url-parameters.ts"
import { emptyForm, type FormState } from "../kit/fields.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { home } from "../kit/local-path.ts"
import { page } from "../kit/page.ts"
import { facts, linkTo, notice, paragraph, section, time, badge, list } from "../kit/parts.ts"
import { signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { confirmationForm, decodeConfirmation } from "../kit/confirmation.ts"
import { formPage } from "../kit/form-page.ts"
import { authorityLabels } from "../kit/labels.ts"
import { acknowledge } from "../kit/acknowledgement.ts"
import { hasAuthority, organizationPath, readOwnMembership, type Membership } from "./own-membership.ts"

const address = "/workspace/organizations/:organizationId/members/:membershipId"

export const memberPath = (organizationId: string, membershipId: string): `/workspace/${string}` =>
  `${organizationPath(organizationId, "members")}/${membershipId}`

const readMemberModel = Effect.fnUntraced(function* (visitor: Visitor) {
  const own = yield* readOwnMembership(visitor)
  const membershipId = yield* pathId("membershipId", "membership")
  const member = yield* readMember(visitor.person, own.organizationId, membershipId)
  const members = yield* listMembersInForce(visitor.person, own.organizationId)
  // The other members who can invite members after this one has ended.
  const isManaged = members.some(
    (one) => one.membershipId !== membershipId && one.authorities.includes("MEMBERS_MANAGE")
  )
  return { own, member, isManaged }
})

type MemberModel = Effect.Success<ReturnType<typeof readMemberModel>>

const detail = signedInPage(address, (visitor) =>
  Effect.map(readMemberModel(visitor), (read) => showMember(visitor, read, emptyForm))
)

const showMember = ({ viewer }: Visitor, read: MemberModel, state: FormState): string => {
  const { own, member } = read
  return page(
    { title: member.name, viewer, place: "members", problems: state.problems },
    facts([
      ["State", membershipBadge(member)],
      ["Organization", untrusted(own.organizationName)],
      ["Person", member.personId],
      ["May", authorityList(member.authorities)],
      ["Member from", time(member.validFrom)],
      member.endedAt === null ? ["Member until", time(member.validUntil)] : ["Ended", time(member.endedAt)]
    ]),
    member.endedAt === null && mayEnd(own, member) ? endForm(viewer.formToken, read, state) : null,
    paragraph(linkTo(organizationPath(own.organizationId, "members"), "All members"))
  )
}

export const membershipBadge = ({ isInForce, endedAt }: MemberModel["member"]): Element =>
  isInForce ? badge("good", "member") : badge("ended", endedAt === null ? "expired" : "ended")

export const authorityList = (held: MemberModel["member"]["authorities"]): Content =>
  held.length === 0 ? "Read only" : list(held.map((authority) => authorityLabels[authority]))

/** Members with the authority to manage members, and each person for their own membership. */
const mayEnd = (own: Membership, { membershipId }: MemberModel["member"]): boolean =>
  own.membershipId === membershipId || hasAuthority(own, "MEMBERS_MANAGE")

const endForm = (formToken: string, { own, member, isManaged }: MemberModel, state: FormState): Content =>
  section(
    "End the membership",
    notice(
      "warning",
      paragraph(
        "All agents that act under this membership stop at once and permanently. ",
        isManaged
          ? "It cannot be taken back; the person can be invited again."
          : "It cannot be taken back. No member remains who can invite members to this organization or end a membership."
      )
    ),
    confirmationForm(state, {
      action: `${memberPath(own.organizationId, member.membershipId)}/end`,
      formToken,
      submitLabel: "End the membership",
      isDangerous: true,
      statement: [
        "I end the membership of ",
        untrusted(member.name),
        ", and stop all agents under it",
        isManaged ? "." : "; no member remains who can invite members."
      ]
    })
  )

const end = formPage(
  { path: `${address}/end`, shownAt: address },
  {
    read: readMemberModel,
    decode: decodeConfirmation("Tick the box to end the membership."),
    show: (visitor, read, { state }) => Effect.succeed(showMember(visitor, read, state)),
    run: ({ visitor, subject: { own, member } }) =>
      Effect.andThen(
        endMembership(visitor.person, { membershipId: member.membershipId }),
        // After leaving, the person can no longer read the organization.
        acknowledge(
          visitor,
          own.membershipId === member.membershipId ? home : organizationPath(own.organizationId, "members"),
          { did: "You ended the membership.", next: "All agents under it have stopped." }
        )
      )
  }
)

export const memberPage = Layer.mergeAll(detail, end)
