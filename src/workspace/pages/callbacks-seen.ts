/** The parts of a webhook subscription that several pages show. */
import { Effect } from "effect"
import { h } from "preact"
import { nameParties } from "../../projects/named.ts"
import { listProjects } from "../../projects/sides.ts"
import type { LastAttempt } from "../../webhooks/delivery.ts"
import { hasEnded } from "../../webhooks/subscription.ts"
import { seenState } from "../../webhooks/view.ts"
import type { readSubscriptionOf, SeenSubscription } from "../../webhooks/list.ts"
import { attemptWords, eventWords, failuresInARow, subscriptionBadge } from "../callback-words.ts"
import { untrusted, type Content, type Element } from "../html.ts"
import { facts, linkTo, list, time } from "../parts.ts"
import type { Visitor } from "../visitor.ts"
import { agentPath } from "./agents-grant.ts"
import { projectPath } from "./projects-detail.ts"

export const callbacksPath = "/workspace/callbacks"

export const callbackPath = (subscriptionId: string): `/workspace/${string}` => `${callbacksPath}/${subscriptionId}`

export type Seen = Effect.Success<ReturnType<typeof readSubscriptionOf>>

/** Only the host: the rest of the URL can be long and is the owner's concern. */
export const hostOf = ({ row }: Pick<SeenSubscription, "row">): string => new URL(row.target).host

/** Titles of the person's projects; other projects are shown by id. */
export const readTitles = Effect.fnUntraced(function* ({ person }: Visitor) {
  const projects = yield* nameParties(yield* listProjects(person))
  const titles = new Map(projects.map(({ projectId, title }) => [projectId, title]))
  return (projectId: string): Content => {
    const title = titles.get(projectId)
    return title === undefined ? h("code", null, projectId) : linkTo(projectPath(projectId), untrusted(title))
  }
})

export const whose = ({ row, agentName }: Pick<SeenSubscription, "row" | "agentName">): Content =>
  row.grantId === null ? "mine" : ["agent ", linkTo(agentPath(row.grantId), untrusted(agentName ?? row.grantId))]

interface FactsPart {
  readonly model: Seen
  readonly titleOf: (projectId: string) => Content
  /** The last attempt that failed or was slow. */
  readonly lastTrouble: LastAttempt | null
}

export const callbackFacts = ({ model, titleOf, lastTrouble }: FactsPart): Element => {
  const { row, standing, now } = model
  const state = seenState(row, standing, now)
  return facts([
    ["State", subscriptionBadge(state, row.failures)],
    ["Sent to", h("code", null, untrusted(row.target))],
    ["Owner", whose(model)],
    ["Projects", list(row.projectIds.map(titleOf))],
    ["Events", list(row.eventTypes.map((type) => eventWords[type]))],
    ...(hasEnded(state) || row.failures === 0
      ? []
      : [["Failures", [failuresInARow(row.failures), lastTrouble && [" ", attemptWords(lastTrouble)]]] as const]),
    ["Failed permanently", row.exhausted === 0 ? "none" : String(row.exhausted)],
    ["Made", time(row.createdAt)],
    row.revokedAt === null ? ["Ends", time(row.expiresAt)] : ["Ended", time(row.revokedAt)]
  ])
}
