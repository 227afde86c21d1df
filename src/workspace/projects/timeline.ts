/** The history of a project on its pages: its events, and the pauses and resumes of agents between them. */
import type { ProjectEvent } from "../../projects/event.ts"
import type { Instant } from "../../vocabulary/instant.ts"
import { agentPath } from "../access/grant.ts"
import { pauserText } from "../commands/automation.ts"
import { actorText, historyList, type HistoryItem } from "../commands/event-list.ts"
import { untrustedLines, type Content, type Element } from "../kit/html.ts"
import { roleLabels } from "../kit/labels.ts"
import { linkTo, paragraph } from "../kit/parts.ts"
import { isEvent, type HistoryPage, type LoggedChange } from "./history-page.ts"
import { eventText } from "./labels.ts"
import { eventPath, historyPath } from "./path.ts"
import type { ProjectPageModel } from "./read-model.ts"

/** These events, oldest first as they are given, newest first as they are shown. */
export const timeline = (model: ProjectPageModel, events: ReadonlyArray<ProjectEvent>): Element =>
  historyList(events.toReversed().map((event) => eventItem(model, event)))

/** A page of the history with a link to the one before it. */
export const historyTimeline = (model: ProjectPageModel, { entries, older }: HistoryPage): Content => [
  historyList(entries.map((entry) => (isEvent(entry) ? eventItem(model, entry) : changeItem(model, entry)))),
  older === undefined
    ? null
    : paragraph(
        linkTo(historyPath(model.projectId, older), "Older history"),
        ` (${entries.length} entries are on this page)`
      )
]

const eventItem = (model: ProjectPageModel, event: ProjectEvent): HistoryItem => ({
  at: event.occurredAt,
  actor: [actorText(event, model.nameOf), forParty(event.actor.role)],
  text: eventText(event, model.nameOf),
  reason: reasonOf(event),
  links: [linkTo(eventPath(model.projectId, event.sequence), `Signed event ${event.sequence}`), ownGrant(model, event)]
})

/** The page of a grant opens only for the person who gave it. */
const ownGrant = ({ personId }: ProjectPageModel, { sequence, actor: { id, execution } }: ProjectEvent): Content =>
  execution === null || id !== personId
    ? null
    : [", ", linkTo(agentPath(execution.grantId), "the agent’s grant", `The grant of the agent of event ${sequence}`)]

const changeItem = (model: ProjectPageModel, { at, by, side, paused, reason }: LoggedChange): HistoryItem => ({
  at: at satisfies Instant,
  actor: [pauserText({ events: model.project.events, nameOf: model.nameOf }, by), forParty(side)],
  text: paused ? "paused the agents" : "resumed the agents",
  reason: untrustedLines(reason),
  isAutomation: true
})

const forParty = (role: keyof typeof roleLabels): string => ` for the ${roleLabels[role].toLowerCase()}`

const reasonOf = (event: ProjectEvent): Content => {
  if (event.kind === "SUBMIT") return untrustedLines(event.payload.summary)
  return "reason" in event.payload ? untrustedLines(event.payload.reason) : null
}
