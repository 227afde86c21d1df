/** The person's own membership in the organization of a page. */
import { Effect } from "effect"
import type { Authority } from "../../people/membership.ts"
import { readProfile } from "../../people/profile.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { pathId } from "../kit/url-parameters.ts"
import { untrusted } from "../kit/html.ts"
import { page, type Place } from "../kit/page.ts"
import { linkTo, list, paragraph } from "../kit/parts.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"

/** The person's membership in force in the organization named by the URL. */
export const readOwnMembership = Effect.fnUntraced(function* ({ person }: Visitor) {
  const organizationId = yield* pathId("organizationId", "organization")
  const { memberships } = yield* readProfile(person)
  const own = memberships.find((one) => one.organizationId === organizationId && one.isInForce)
  return own ?? (yield* refuse("FORBIDDEN", { detail: "You are not a member of this organization." }))
})

export type OwnMembership = Effect.Success<ReturnType<typeof readOwnMembership>>

export const hasAuthority = ({ authorities }: OwnMembership, ...anyOf: ReadonlyArray<Authority>): boolean =>
  anyOf.some((authority) => authorities.includes(authority))

export const organizationPath = (organizationId: string, place: "members" | "contacts"): `/workspace/${string}` =>
  `/workspace/organizations/${organizationId}/${place}`

/** The navigation entry: redirects to the only organization of a person, or lets the person choose one. */
export const organizationChoice = (place: "members" | "contacts", title: string) =>
  signedInPage(`/workspace/${place}`, ({ person, viewer }) =>
    Effect.map(readProfile(person), ({ memberships }) => {
      const [only, ...others] = memberships.filter(({ isInForce }) => isInForce)
      if (only !== undefined && others.length === 0) return seeOther(organizationPath(only.organizationId, place))
      return pageResponse(choicePage(title, viewer, place, only === undefined ? [] : [only, ...others]))
    })
  )

const choicePage = (
  title: string,
  viewer: Visitor["viewer"],
  place: Place & ("members" | "contacts"),
  memberships: ReadonlyArray<Pick<OwnMembership, "organizationId" | "organizationName">>
) =>
  page(
    { title, viewer, place },
    memberships.length === 0
      ? paragraph("You are a member of no organization.")
      : [
          paragraph("Of which organization?"),
          list(
            memberships.map(({ organizationId, organizationName }) =>
              linkTo(organizationPath(organizationId, place), untrusted(organizationName))
            )
          )
        ]
  )
