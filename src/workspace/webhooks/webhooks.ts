/** The list of webhooks: a person's own, and those of their agents. */
import { Effect, Layer } from "effect"
import { h } from "preact"
import { listSubscriptionsForPerson, type SubscriptionWithAuthority } from "../../webhooks/list.ts"
import { hasEnded } from "../../webhooks/subscription.ts"
import { effectiveState } from "../../webhooks/view.ts"
import type { Instant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { recentFailuresText, subscriptionBadge } from "./labels.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { badge, linkTo, list, nextStep, paragraph, table, time } from "../kit/parts.ts"
import { signedInPage } from "../kit/signed-in.ts"
import { webhookChanges } from "./change.ts"
import { webhookDetail } from "./detail.ts"
import { webhookCreation } from "./new.ts"
import { webhookPath, webhooksPath, hostOf, readTitles, ownerOf } from "./read-model.ts"

const showCallbacks = signedInPage(webhooksPath, (visitor) =>
  Effect.gen(function* () {
    const { subscriptions, isCut, now } = yield* listSubscriptionsForPerson(visitor.person)
    const titleOf = yield* readTitles(visitor)
    const rows = subscriptions.map((model) => rowOf(model, titleOf, now))
    return page(
      { title: "My webhooks", viewer: visitor.viewer, place: "webhooks" },
      "A webhook is a short message that this site sends to a program of yours on an event of a project: the project, the event type, and the party that acts next. It contains no text of the agreement.",
      table({
        caption: "My webhooks and those of my agents",
        columns: ["Sent to, for which projects", "Owner", "State", "Failures", "Ends"],
        rows,
        empty: "There is no webhook yet."
      }),
      isCut ? `Only the ${limits.subscriptionsShown} that end last are shown.` : null,
      nextStep(`${webhooksPath}/new`, "Create a webhook")
    )
  })
)

const rowOf = (
  model: SubscriptionWithAuthority,
  titleOf: (projectId: string) => Content,
  now: Instant
): ReadonlyArray<Content> => {
  const { row, authorityState } = model
  const state = effectiveState(row, authorityState, now)
  // Several webhooks can have the same host.
  const about = `Webhook to ${hostOf(model)}, made ${row.createdAt}`
  return [
    [
      linkTo(webhookPath(row.subscriptionId), untrusted(hostOf(model)), about),
      h("div", { class: "hint" }, list(firstProjects(row.projectIds, titleOf)))
    ],
    ownerOf(model),
    subscriptionBadge(state, row.failures),
    // Failures of an ended webhook need no correction.
    hasEnded(state) ? null : failuresOf(row),
    time(row.revokedAt ?? row.expiresAt)
  ]
}

const firstProjects = (
  projectIds: ReadonlyArray<string>,
  titleOf: (projectId: string) => Content
): ReadonlyArray<Content> => {
  const more = projectIds.length - limits.webhookProjectsListed
  const first = projectIds.slice(0, limits.webhookProjectsListed).map(titleOf)
  return more > 0 ? [...first, `and ${more} more`] : first
}

const failuresOf = ({ failures, exhausted }: SubscriptionWithAuthority["row"]): Content =>
  failures + exhausted === 0
    ? "none"
    : [
        exhausted === 0 ? null : paragraph(badge("waiting", `${exhausted} failed permanently`)),
        failures === 0 ? null : recentFailuresText(failures)
      ]

export const webhookPages = Layer.mergeAll(showCallbacks, webhookCreation, webhookDetail, webhookChanges)
