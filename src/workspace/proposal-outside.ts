/** The explanation for people without an organization, shown instead of proposals. */
import { Effect } from "effect"
import { readStanding } from "../people/standing.ts"
import { statusOf } from "../vocabulary/refusals.ts"
import { page } from "./page.ts"
import { linkTo, paragraph } from "./parts.ts"
import type { PageHandler } from "./page-route.ts"
import { pageResponse } from "./response.ts"
import type { Visitor } from "./visitor.ts"

export const needsOrganization = paragraph(
  "You are in no organization now. Reading and answering proposals requires one, also for proposals that were published to you. Join one, or create your own workspace, on the page of ",
  linkTo("/workspace/account", "your account"),
  "."
)

/** The refusal is the usual one; the cause is the person's own missing membership and may be shown to that person. */
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
