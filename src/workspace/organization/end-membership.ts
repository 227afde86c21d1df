/** The page of one member, with the form that ends the membership. */
import { Effect, Layer, Result, Schema } from "effect"
import { endMembership, listMembers } from "../../people/memberships.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { pathId } from "../kit/url-parameters.ts"
import { checkbox } from "../kit/choices.ts"
import { emptyForm, form, type FormState } from "../kit/fields.ts"
import { decodeForm } from "../kit/form.ts"
import { requiredCheckbox } from "../kit/form-values.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { home } from "../kit/local-path.ts"
import { hasAuthority, organizationPath, readOwnMembership, type OwnMembership } from "./own-membership.ts"
import { page } from "../kit/page.ts"
import { facts, linkTo, notice, paragraph, section, time } from "../kit/parts.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { authorityList, memberPath, membershipBadge } from "./member-list.ts"

const address = "/workspace/organizations/:organizationId/members/:membershipId"

const readMember = Effect.fnUntraced(function* (visitor: Visitor) {
  const own = yield* readOwnMembership(visitor)
  const membershipId = yield* pathId("membershipId", "membership")
  const members = yield* listMembers(visitor.person, own.organizationId)
  const member = members.find((one) => one.membershipId === membershipId)
  // The other members who can invite members after this one has ended.
  const isManaged = members.some(
    (one) => one.isInForce && one.membershipId !== membershipId && one.authorities.includes("MEMBERS_MANAGE")
  )
  return { own, member: member ?? (yield* refuse("NOT_FOUND")), isManaged }
})

type MemberModel = Effect.Success<ReturnType<typeof readMember>>

const showMember = signedInPage(address, (visitor) =>
  Effect.map(readMember(visitor), (read) => pageResponse(memberPage(visitor, read, emptyForm)))
)

const memberPage = ({ viewer }: Visitor, read: MemberModel, state: FormState): string => {
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

/** Members with the authority to manage members, and each person for their own membership. */
const mayEnd = (own: OwnMembership, { membershipId }: MemberModel["member"]): boolean =>
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
    form(
      {
        action: `${memberPath(own.organizationId, member.membershipId)}/end`,
        formToken,
        submitLabel: "End the membership",
        isDangerous: true
      },
      checkbox(state, {
        name: "confirmed",
        label: [
          "I end the membership of ",
          untrusted(member.name),
          ", and stop all agents under it",
          isManaged ? "." : "; no member remains who can invite members."
        ]
      })
    )
  )

const Ending = Schema.Struct({ confirmed: requiredCheckbox("Tick the box to end the membership.") })

const end = signedInForm({ path: `${address}/end`, shownAt: address }, (visitor, sent) =>
  Effect.gen(function* () {
    const read = yield* readMember(visitor)
    const decoded = yield* decodeForm(Ending, sent)
    if (Result.isFailure(decoded)) return pageResponse(memberPage(visitor, read, decoded.failure), 400)
    const { own, member } = read
    yield* endMembership(visitor.person, { membershipId: member.membershipId })
    // After leaving, the person can no longer read the organization.
    return seeOther(own.membershipId === member.membershipId ? home : organizationPath(own.organizationId, "members"))
  })
)

export const memberEnding = Layer.mergeAll(showMember, end)
