/** The response that shows the secret of a person's webhook, and those of forms that were sent before. */
import { h } from "preact"
import type { SubscriptionWithAuthority } from "../../webhooks/list.ts"
import { untrusted } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { code, linkTo, list, paragraph, section, time } from "../kit/parts.ts"
import { pageResponse } from "../kit/response.ts"
import type { Visitor } from "../kit/visitor.ts"
import { secretPage } from "../kit/secret-page.ts"
import { webhookPath, webhooksPath } from "./read-model.ts"

export const showSecret = (visitor: Visitor, row: SubscriptionWithAuthority["row"], secret: string): string =>
  secretPage(visitor, {
    title: "The secret of your webhook",
    place: "webhooks",
    warning:
      "This secret is shown only here. It permits sending your program messages that appear to come from this site: keep it as secret as a password.",
    facts: [
      ["Sent to", h("code", null, untrusted(row.target))],
      ["Secret", code(secret)],
      ["Ends", time(row.expiresAt)]
    ],
    usage: section(
      "How to use it",
      "Give it to the operator of the receiving program over a confidential channel. The program",
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
    ifLost:
      "If this page did not arrive, create a new secret on the page of this webhook: this one cannot be shown again.",
    back: [webhookPath(row.subscriptionId), "Go to this webhook"]
  })

/** The secret was changed after the form was shown: this submission changed nothing. */
export const showAlreadyRotated = (visitor: Visitor, row: SubscriptionWithAuthority["row"]) =>
  pageResponse(
    withoutSecret(visitor, row, {
      title: "The secret was already changed",
      reason:
        "The secret was changed after this form was shown, possibly by the same form. The response to that change showed the current secret, and nothing was changed now. If that response was lost, create a new secret on the page of this webhook."
    }),
    409
  )

/** A replay of the form: the webhook exists, and only the first response showed its secret. */
export const showAlreadyCreated = (visitor: Visitor, row: SubscriptionWithAuthority["row"]): string =>
  withoutSecret(visitor, row, {
    title: "This webhook was already created",
    reason:
      "The form was sent before, and its first response showed the secret. If that response was lost, create a new secret on the page of this webhook."
  })

const withoutSecret = (
  { viewer }: Visitor,
  { subscriptionId }: SubscriptionWithAuthority["row"],
  { title, reason }: { readonly title: string; readonly reason: string }
): string =>
  page(
    { title, viewer, place: "webhooks" },
    paragraph(reason),
    paragraph(linkTo(webhookPath(subscriptionId), "Go to this webhook")),
    paragraph(linkTo(webhooksPath, "All my webhooks"))
  )
