/** The response that shows an invitation code. */
import { Effect } from "effect"
import { h } from "preact"
import { Installation } from "../../ports/installation.ts"
import type { Instant } from "../../vocabulary/instant.ts"
import { code, paragraph, time } from "../kit/parts.ts"
import { secretPage, type SecretPageOptions } from "../kit/secret-page.ts"
import type { Visitor } from "../kit/visitor.ts"

export const showInvitationCode = Effect.fnUntraced(function* (
  visitor: Visitor,
  invitation: { readonly code: string; readonly expiresAt: Instant },
  options: Pick<SecretPageOptions, "title" | "place" | "back">
) {
  const { siteUrl } = yield* Installation
  return secretPage(visitor, {
    ...options,
    warning:
      "This code is shown only here. Send it only to the invited person: any person who has it can use it, once.",
    facts: [
      ["Code", code(invitation.code)],
      ["Usable until", time(invitation.expiresAt)]
    ],
    usage: paragraph(
      "The person enters it at ",
      h("code", null, `${siteUrl}/workspace/join`),
      ", and reads what it is for before accepting it."
    ),
    ifLost: "If this page did not arrive, send the form again within ten minutes: the same code is shown."
  })
})
