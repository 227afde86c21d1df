/** The response that shows an invitation code: only to the form's submission, never in a URL, and never stored. */
import { Effect } from "effect"
import { h } from "preact"
import { Installation } from "../../ports/installation.ts"
import type { Instant } from "../../vocabulary/instant.ts"
import { page, type Place } from "../kit/page.ts"
import { code, facts, linkTo, notice, paragraph, time } from "../kit/parts.ts"
import { pageResponse } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"

export interface InvitationCodeOptions {
  readonly title: string
  readonly place: Place
  readonly back: readonly [path: `/workspace/${string}`, label: string]
}

export const showInvitationCode = Effect.fnUntraced(function* (
  { viewer }: Visitor,
  invitation: { readonly code: string; readonly expiresAt: Instant },
  { title, place, back: [path, label] }: InvitationCodeOptions
) {
  const { siteUrl } = yield* Installation
  return pageResponse(
    page(
      { title, viewer, place },
      notice(
        "warning",
        paragraph(
          "This code is shown only here. Send it only to the invited person: any person who has it can use it, once."
        )
      ),
      facts([
        ["Code", code(invitation.code)],
        ["Usable until", time(invitation.expiresAt)]
      ]),
      paragraph(
        "The person enters it at ",
        h("code", null, `${siteUrl}/workspace/join`),
        ", and reads what it is for before accepting it."
      ),
      paragraph("If this page did not arrive, send the form again within ten minutes: the same code is shown."),
      paragraph(linkTo(path, label))
    )
  )
})
