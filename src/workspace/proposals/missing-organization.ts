/** The explanation for people without an organization, shown instead of proposals. */
import { Effect } from "effect"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { page } from "../kit/page.ts"
import { linkTo, paragraph } from "../kit/parts.ts"
import { refusedResponse } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"
import { readMemberships } from "../organization/own-membership.ts"

export const organizationNeededText = paragraph(
  "You are in no organization now. Reading and answering proposals requires one, also for proposals that were published to you. Join one, or create your own workspace, on the page of ",
  linkTo("/workspace/account", "your account"),
  "."
)

/** The refusal is the usual one; the cause is the person's own missing membership and may be shown to that person. */
export const explainMissingOrganization = Effect.fnUntraced(function* ({ person, viewer }: Visitor, refused: Refusal) {
  if (refused.code !== "FORBIDDEN" || (yield* readMemberships(person)).length > 0) return yield* Effect.fail(refused)
  return refusedResponse(
    page({ title: "This is not allowed", viewer, place: "proposals" }, organizationNeededText),
    refused
  )
})
