/** The answer that carries an invitation's code: to the form itself, never to an address, and kept nowhere. */
import { Effect } from "effect"
import { h } from "preact"
import { Installation } from "../ports/installation.ts"
import type { Instant } from "../vocabulary/instant.ts"
import { page, type Place } from "./page.ts"
import { code, facts, linkTo, notice, paragraph, time } from "./parts.ts"
import { pageResponse } from "./response.ts"
import type { Visitor } from "./visitor.ts"

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
          "This code is shown here and nowhere else. Send it to the one person it is for: whoever has it can use it, once."
        )
      ),
      facts([
        ["Code", code(invitation.code)],
        ["Usable until", time(invitation.expiresAt)]
      ]),
      paragraph(
        "The person enters it at ",
        h("code", null, `${siteUrl}/workspace/join`),
        ", and sees what it is for before they accept it."
      ),
      paragraph(
        "If this page was lost on its way, send the form once more within ten minutes: the same code is shown."
      ),
      paragraph(linkTo(path, label))
    )
  )
})
