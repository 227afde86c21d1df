/** What people who are in no organization read in the place of proposals, whichever they ask for. */
import { Effect } from "effect"
import { readStanding } from "../people/standing.ts"
import { statusOf } from "../vocabulary/refusals.ts"
import { page } from "./page.ts"
import { linkTo, paragraph } from "./parts.ts"
import type { PageHandler } from "./page-route.ts"
import { pageResponse } from "./response.ts"
import type { Visitor } from "./visitor.ts"

export const needsOrganization = paragraph(
  "You are in no organization now, and it takes one to read and answer proposals: also those that were published to you. Join one, or make a workspace of your own, from the page of ",
  linkTo("/workspace/account", "your account"),
  "."
)

/** A proposal is refused to them as to anybody; why it is, is no secret to themselves. */
export const orNeedsOrganization =
  ({ person, viewer }: Visitor) =>
  <R>(shown: PageHandler<R>) =>
    Effect.catchTag(shown, "Refused", (refused) =>
      refused.code !== "FORBIDDEN"
        ? Effect.fail(refused)
        : Effect.flatMap(readStanding(person), ({ memberships }) =>
            memberships.some(({ isInForce }) => isInForce)
              ? Effect.fail(refused)
              : Effect.succeed(
                  pageResponse(
                    page({ title: "This is not allowed", viewer, place: "proposals" }, needsOrganization),
                    statusOf(refused)
                  )
                )
          )
    )
