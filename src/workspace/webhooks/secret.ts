/**
 * The response that shows the secret of a person's webhook: only to the form's submission, never in a URL, and never
 * stored.
 */
import { h } from "preact"
import type { SubscriptionWithAuthority } from "../../webhooks/list.ts"
import { untrusted } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { code, facts, linkTo, list, notice, paragraph, section, time } from "../kit/parts.ts"
import { pageResponse } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"
import { webhookPath, webhooksPath } from "./read-model.ts"

export const showSecret = ({ viewer }: Visitor, row: SubscriptionWithAuthority["row"], secret: string) =>
  pageResponse(
    page(
      { title: "The secret of your webhook", viewer, place: "webhooks" },
      notice(
        "warning",
        paragraph(
          "This secret is shown only here. It permits sending your program messages that appear to come from this site: keep it as secret as a password."
        )
      ),
      facts([
        ["Sent to", h("code", null, untrusted(row.target))],
        ["Secret", code(secret)],
        ["Ends", time(row.expiresAt)]
      ]),
      section(
        "How to use it",
        paragraph("Give it to the operator of the receiving program over a confidential channel. The program"),
        list([
          [
            "concatenates the header ",
            h("code", null, "service-timestamp"),
            ", a dot and the unmodified body, computes their HMAC-SHA256 with the secret, and compares it with the value after ",
            h("code", null, "v1="),
            " (in lower-case hexadecimal) in ",
            h("code", null, "service-signature")
          ],
          "rejects messages with another value, and messages older than five minutes",
          "responds with a status of 200 to 299 once it has stored the message; otherwise this site retries, up to eight attempts",
          "expects duplicate and reordered messages"
        ])
      ),
      paragraph(
        "If this page did not arrive, create a new secret on the page of this webhook: this one cannot be shown again."
      ),
      paragraph(linkTo(webhookPath(row.subscriptionId), "Go to this webhook"))
    )
  )

/** The secret was changed after the form was shown: this submission changed nothing. */
export const showAlreadyRotated = ({ viewer }: Visitor, { subscriptionId }: SubscriptionWithAuthority["row"]) =>
  pageResponse(
    page(
      { title: "The secret was already changed", viewer, place: "webhooks" },
      paragraph(
        "The secret was changed after this form was shown, possibly by the same form. The response to that change showed the current secret, and nothing was changed now. If that response was lost, create a new secret on the page of this webhook."
      ),
      paragraph(linkTo(webhookPath(subscriptionId), "Go to this webhook")),
      paragraph(linkTo(webhooksPath, "All my webhooks"))
    ),
    409
  )

/** A replay of the form: the webhook exists, and only the first response showed its secret. */
export const showAlreadyCreated = ({ viewer }: Visitor, { subscriptionId }: SubscriptionWithAuthority["row"]) =>
  pageResponse(
    page(
      { title: "This webhook was already created", viewer, place: "webhooks" },
      paragraph(
        "The form was sent before, and its first response showed the secret. If that response was lost, create a new secret on the page of this webhook."
      ),
      paragraph(linkTo(webhookPath(subscriptionId), "Go to this webhook")),
      paragraph(linkTo(webhooksPath, "All my webhooks"))
    )
  )
