/** The answer that carries the secret of a person's callbacks: to the form itself, never to an address, and kept nowhere. */
import { h } from "preact"
import type { SeenSubscription } from "../../webhooks/list.ts"
import { untrusted } from "../html.ts"
import { page } from "../page.ts"
import { code, facts, linkTo, list, notice, paragraph, section, time } from "../parts.ts"
import { pageResponse } from "../response.ts"
import type { Visitor } from "../visitor.ts"
import { callbackPath, callbacksPath } from "./callbacks-seen.ts"

export const showSecret = ({ viewer }: Visitor, row: SeenSubscription["row"], secret: string) =>
  pageResponse(
    page(
      { title: "The secret of your callbacks", viewer, place: "callbacks" },
      notice(
        "warning",
        paragraph(
          "This secret is shown here and nowhere else. Whoever has it can send your program messages that look as if they came from here: keep it as you keep a password."
        )
      ),
      facts([
        ["Sent to", h("code", null, untrusted(row.target))],
        ["Secret", code(secret)],
        ["Ends", time(row.expiresAt)]
      ]),
      section(
        "What to do with it",
        paragraph("Give it to whoever runs the program at that address, by a way that nobody else reads. The program"),
        list([
          [
            "puts the header ",
            h("code", null, "service-timestamp"),
            ", a dot and the message exactly as it came together, makes an HMAC-SHA256 of that with the secret, and compares it with what follows ",
            h("code", null, "v1="),
            " (in lower-case hexadecimal) in ",
            h("code", null, "service-signature")
          ],
          "throws away what does not compare, and what is older than five minutes",
          "answers with a status of 200 to 299 once it has kept the message; else this site tries again, up to eight times",
          "expects the same message more than once, and in any order"
        ])
      ),
      paragraph(
        "If this page was lost on its way, make another secret on the page of these callbacks: this one cannot be shown again."
      ),
      paragraph(linkTo(callbackPath(row.subscriptionId), "Go to these callbacks"))
    )
  )

/** Another secret was made after the form was shown: this one made nothing, and what the answer to that showed is in force. */
export const showChangedAlready = ({ viewer }: Visitor, { subscriptionId }: SeenSubscription["row"]) =>
  pageResponse(
    page(
      { title: "The secret is changed already", viewer, place: "callbacks" },
      paragraph(
        "The secret was changed after this form was shown, perhaps by the same form. The answer to that showed the secret that is in force now, and nothing was changed this time. If that answer was lost, make another secret on the page of these callbacks."
      ),
      paragraph(linkTo(callbackPath(subscriptionId), "Go to these callbacks")),
      paragraph(linkTo(callbacksPath, "All my callbacks"))
    ),
    409
  )

/** The form came once more: what it made is there, and its secret was in the first answer. */
export const showMadeAlready = ({ viewer }: Visitor, { subscriptionId }: SeenSubscription["row"]) =>
  pageResponse(
    page(
      { title: "These callbacks are set up already", viewer, place: "callbacks" },
      paragraph(
        "The form was sent before, and its first answer showed the secret. If that answer was lost, make another secret on the page of these callbacks."
      ),
      paragraph(linkTo(callbackPath(subscriptionId), "Go to these callbacks")),
      paragraph(linkTo(callbacksPath, "All my callbacks"))
    )
  )
