/** The parts of a webhook subscription that several pages show. */
import { Effect } from "effect"
import { h } from "preact"
import { readPartyProjects } from "../../projects/party-projects.ts"
import type { LastAttempt } from "../../webhooks/delivery.ts"
import { hasEnded } from "../../webhooks/subscription.ts"
import { effectiveState } from "../../webhooks/view.ts"
import type { readSubscriptionForPerson, SubscriptionWithAuthority } from "../../webhooks/list.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { facts, linkTo, list, time } from "../kit/parts.ts"
import type { Visitor } from "../kit/visitor.ts"
import { agentPath } from "../access/grant.ts"
import { projectPath } from "../projects/path.ts"
import { attemptText, eventLabels, recentFailuresText, subscriptionBadge } from "./labels.ts"

export const webhooksPath = "/workspace/callbacks"

export const webhookPath = (subscriptionId: string): `/workspace/${string}` => `${webhooksPath}/${subscriptionId}`

export type WebhookPageModel = Effect.Success<ReturnType<typeof readSubscriptionForPerson>>

/** Only the host: the rest of the URL can be long and is the owner's concern. */
export const hostOf = ({ row }: Pick<SubscriptionWithAuthority, "row">): string => new URL(row.target).host

/** Titles of these projects as far as they are the person's; other projects are shown by id. */
export const readTitles = Effect.fnUntraced(function* ({ person }: Visitor, projectIds: ReadonlyArray<string>) {
  const projects = yield* readPartyProjects(person, [...new Set(projectIds)])
  const titles = new Map(projects.map(({ projectId, title }) => [projectId, title]))
  return (projectId: string): Content => {
    const title = titles.get(projectId)
    return title === undefined ? h("code", null, projectId) : linkTo(projectPath(projectId), untrusted(title))
  }
})

export const ownerOf = ({ row, agentName }: Pick<SubscriptionWithAuthority, "row" | "agentName">): Content =>
  row.grantId === null ? "mine" : ["agent ", linkTo(agentPath(row.grantId), untrusted(agentName ?? row.grantId))]

interface FactsPart {
  readonly model: WebhookPageModel
  readonly titleOf: (projectId: string) => Content
  /** The last attempt that failed or was slow. */
  readonly lastTrouble: LastAttempt | null
}

export const webhookFacts = ({ model, titleOf, lastTrouble }: FactsPart): Element => {
  const { row, authorityState, now } = model
  const state = effectiveState(row, authorityState, now)
  return facts([
    ["State", subscriptionBadge(state, row.failures)],
    ["Sent to", h("code", null, untrusted(row.target))],
    ["Owner", ownerOf(model)],
    ["Projects", list(row.projectIds.map(titleOf))],
    ["Events", list(row.eventTypes.map((type) => eventLabels[type]))],
    ...(hasEnded(state) || row.failures === 0
      ? []
      : [["Failures", [recentFailuresText(row.failures), lastTrouble && [" ", attemptText(lastTrouble)]]] as const]),
    ["Failed permanently", row.exhausted === 0 ? "none" : String(row.exhausted)],
    ["Made", time(row.createdAt)],
    row.revokedAt === null ? ["Ends", time(row.expiresAt)] : ["Ended", time(row.revokedAt)]
  ])
}
