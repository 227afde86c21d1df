/** The list of webhooks: a person's own, and those of their agents. */
import { Effect, Layer } from "effect"
import { h } from "preact"
import { listSubscriptionPage, type SubscriptionWithAuthority } from "../../webhooks/list.ts"
import { hasEnded } from "../../webhooks/subscription.ts"
import { effectiveState } from "../../webhooks/view.ts"
import type { Instant } from "../../vocabulary/instant.ts"
import { limits } from "../../vocabulary/limits.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { listPage, type List } from "../kit/list.ts"
import type { ListQuery } from "../kit/list-query.ts"
import { badge, linkTo, list, nextStep, paragraph, time } from "../kit/parts.ts"
import { signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { recentFailuresText, subscriptionBadge } from "./labels.ts"
import { webhookChanges } from "./change.ts"
import { webhookDetail } from "./detail.ts"
import { webhookCreation } from "./new.ts"
import { webhookPath, webhooksPath, hostOf, readTitles, ownerOf } from "./read-model.ts"

const showCallbacks = signedInPage(webhooksPath, (visitor) =>
  listPage({
    title: "My webhooks",
    viewer: visitor.viewer,
    place: "webhooks",
    list: webhookList,
    read: (query) => readListedWebhooks(visitor, query),
    before:
      "A webhook is a short message that this site sends to a program of yours on an event of a project: the project, the event type, and the party that acts next. It contains no text of the agreement.",
    after: nextStep(`${webhooksPath}/new`, "Create a webhook")
  })
)

/** The subscriptions of a page, with the titles of the projects that the list names. */
const readListedWebhooks = Effect.fnUntraced(function* (visitor: Visitor, { turn }: ListQuery) {
  const page = yield* listSubscriptionPage(visitor.person, { ...turn, limit: limits.itemsOnPage })
  const named = page.items.flatMap(({ row }) => row.projectIds.slice(0, limits.webhookProjectsListed))
  const titleOf = yield* readTitles(visitor, named)
  return { ...page, items: page.items.map((model) => ({ ...model, titleOf })) }
})

interface ListedWebhook extends SubscriptionWithAuthority {
  readonly now: Instant
  readonly titleOf: (projectId: string) => Content
}

const stateOf = ({ row, authorityState, now }: ListedWebhook) => effectiveState(row, authorityState, now)

const webhookList: List<ListedWebhook> = {
  name: "webhooks",
  path: webhooksPath,
  caption: "My webhooks and those of my agents, newest first",
  columns: [
    {
      heading: "Sent to, for which projects",
      cell: (model) => [
        // Several webhooks can have the same host.
        linkTo(
          webhookPath(model.row.subscriptionId),
          untrusted(hostOf(model)),
          `Webhook to ${hostOf(model)}, made ${model.row.createdAt}`
        ),
        h("div", { class: "hint" }, list(firstProjects(model.row.projectIds, model.titleOf)))
      ]
    },
    { heading: "Owner", cell: ownerOf },
    { heading: "State", cell: (model) => subscriptionBadge(stateOf(model), model.row.failures) },
    // Failures of an ended webhook need no correction.
    { heading: "Failures", cell: (model) => (hasEnded(stateOf(model)) ? null : failuresOf(model.row)) },
    { heading: "Ends", cell: ({ row }) => time(row.revokedAt ?? row.expiresAt) }
  ],
  empty: "There is no webhook yet."
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
