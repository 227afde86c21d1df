/** The list of webhooks: a person's own, and those of their agents. */
import { Effect, Layer } from "effect"
import { h } from "preact"
import { listSubscriptionsOf, type SeenSubscription } from "../../webhooks/list.ts"
import { hasEnded } from "../../webhooks/subscription.ts"
import { seenState } from "../../webhooks/view.ts"
import type { Instant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { failuresInARow, subscriptionBadge } from "../callback-words.ts"
import { untrusted, type Content } from "../html.ts"
import { page } from "../page.ts"
import { badge, linkTo, list, nextStep, paragraph, table, time } from "../parts.ts"
import { pageResponse } from "../response.ts"
import { signedInPage } from "../signed-in.ts"
import { callbackChanges } from "./callbacks-change.ts"
import { callbackDetail } from "./callbacks-detail.ts"
import { callbackCreation } from "./callbacks-new.ts"
import { callbackRedelivery } from "./callbacks-redeliver.ts"
import { callbackPath, callbacksPath, hostOf, readTitles, whose } from "./callbacks-seen.ts"

const showCallbacks = signedInPage(callbacksPath, (visitor) =>
  Effect.gen(function* () {
    const { subscriptions, isCut, now } = yield* listSubscriptionsOf(visitor.person)
    const titleOf = yield* readTitles(visitor)
    const rows = subscriptions.map((model) => rowOf(model, titleOf, now))
    return pageResponse(
      page(
        { title: "My webhooks", viewer: visitor.viewer, place: "webhooks" },
        paragraph(
          "A webhook is a short message that this site sends to a program of yours on an event of a project: the project, the event type, and the party that acts next. It contains no text of the agreement."
        ),
        table({
          caption: "My webhooks and those of my agents",
          columns: ["Sent to, for which projects", "Owner", "State", "Failures", "Ends"],
          rows,
          empty: "There is no webhook yet."
        }),
        isCut ? paragraph(`Only the ${limits.subscriptionsShown} that end last are shown.`) : null,
        nextStep(`${callbacksPath}/new`, "Create a webhook")
      )
    )
  })
)

const rowOf = (
  model: SeenSubscription,
  titleOf: (projectId: string) => Content,
  now: Instant
): ReadonlyArray<Content> => {
  const { row, standing } = model
  const state = seenState(row, standing, now)
  // Several webhooks can have the same host.
  const about = `Webhook to ${hostOf(model)}, made ${row.createdAt}`
  return [
    [
      linkTo(callbackPath(row.subscriptionId), untrusted(hostOf(model)), about),
      h("div", { class: "hint" }, list(firstProjects(row.projectIds, titleOf)))
    ],
    whose(model),
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
  const more = projectIds.length - limits.callbackProjectsListed
  const first = projectIds.slice(0, limits.callbackProjectsListed).map(titleOf)
  return more > 0 ? [...first, `and ${more} more`] : first
}

const failuresOf = ({ failures, exhausted }: SeenSubscription["row"]): Content =>
  failures + exhausted === 0
    ? "none"
    : [
        exhausted === 0 ? null : paragraph(badge("waiting", `${exhausted} failed permanently`)),
        failures === 0 ? null : failuresInARow(failures)
      ]

export const callbackPages = Layer.mergeAll(
  showCallbacks,
  callbackCreation,
  callbackDetail,
  callbackChanges,
  callbackRedelivery
)
