/** The person's own membership in the organization of a page. */
import { Effect } from "effect"
import type { ActingPerson } from "../../people/acting-person.ts"
import { confers, type Authority } from "../../people/membership.ts"
import { type MembershipInForce, readMembershipsInForce } from "../../people/profile.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { pathId } from "../kit/url-parameters.ts"
import { untrusted, type Content } from "../kit/html.ts"
import type { Place } from "../kit/navigation.ts"
import { page } from "../kit/page.ts"
import { linkTo, list } from "../kit/parts.ts"
import { seeOther } from "../kit/response.ts"
import { signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"

/** The person's memberships in force; with this authority, where one is named. */
export const readMemberships = (person: ActingPerson, authority?: Authority) =>
  Effect.map(readMembershipsInForce(person), (memberships) =>
    memberships.filter(({ authorities }) => authority === undefined || confers(authorities, authority))
  )

export type Membership = MembershipInForce

/** The person's membership in force in the organization named by the URL. */
export const readOwnMembership = Effect.fnUntraced(function* ({ person }: Visitor) {
  const organizationId = yield* pathId("organizationId", "organization")
  const own = (yield* readMemberships(person)).find((one) => one.organizationId === organizationId)
  return own ?? (yield* refuse("FORBIDDEN", { detail: "You are not a member of this organization." }))
})

export const hasAuthority = ({ authorities }: Membership, ...anyOf: ReadonlyArray<Authority>): boolean =>
  anyOf.some((authority) => confers(authorities, authority))

export const organizationPath = (
  organizationId: string,
  place: "members" | "all-members" | "open-invitations" | "contacts"
): `/workspace/${string}` => `/workspace/organizations/${organizationId}/${place}`

/** The navigation entry: redirects to the only organization of a person, or lets the person choose one. */
export const organizationChoice = (place: "members" | "contacts", title: string) =>
  signedInPage(`/workspace/${place}`, ({ person, viewer }) =>
    Effect.map(readMemberships(person), (memberships) => {
      const [only, ...others] = memberships
      return only !== undefined && others.length === 0
        ? seeOther(organizationPath(only.organizationId, place))
        : choicePage(title, viewer, place, memberships)
    })
  )

const choicePage = (
  title: string,
  viewer: Visitor["viewer"],
  place: Place & ("members" | "contacts"),
  memberships: ReadonlyArray<Membership>
) =>
  page(
    { title, viewer, place },
    organizationLinks(memberships, {
      question: "Of which organization?",
      none: "You are a member of no organization.",
      pathOf: (organizationId) => organizationPath(organizationId, place)
    })
  )

interface OrganizationLinks {
  readonly question: string
  /** Shown where there is nothing to choose. */
  readonly none: string
  readonly pathOf: (organizationId: string) => `/workspace/${string}`
}

/** A choice of one of these organizations by a link. */
export const organizationLinks = (
  memberships: ReadonlyArray<Membership>,
  { question, none, pathOf }: OrganizationLinks
): Content =>
  memberships.length === 0
    ? none
    : [
        question,
        list(
          memberships.map(({ organizationId, organizationName }) =>
            linkTo(pathOf(organizationId), untrusted(organizationName))
          )
        )
      ]
