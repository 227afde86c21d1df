/** The explanation for people without an organization, shown instead of proposals. */
import { Effect } from "effect"
import { readProfile } from "../../people/profile.ts"
import { statusOf } from "../../vocabulary/refusals.ts"
import { page } from "../kit/page.ts"
import { linkTo, paragraph } from "../kit/parts.ts"
import type { PageHandler } from "../kit/page-route.ts"
import { pageResponse } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"

export const organizationNeededText = paragraph(
  "You are in no organization now. Reading and answering proposals requires one, also for proposals that were published to you. Join one, or create your own workspace, on the page of ",
  linkTo("/workspace/account", "your account"),
  "."
)

/** The refusal is the usual one; the cause is the person's own missing membership and may be shown to that person. */
export const explainMissingOrganization =
  ({ person, viewer }: Visitor) =>
  <R>(shown: PageHandler<R>) =>
    Effect.catchTag(shown, "Refusal", (refused) =>
      refused.code !== "FORBIDDEN"
        ? Effect.fail(refused)
        : Effect.flatMap(readProfile(person), ({ memberships }) =>
            memberships.some(({ isInForce }) => isInForce)
              ? Effect.fail(refused)
              : Effect.succeed(
                  pageResponse(
                    page({ title: "This is not allowed", viewer, place: "proposals" }, organizationNeededText),
                    statusOf(refused)
                  )
                )
          )
    )
