/** The history of a project on its page. */
import type { ProjectEvent } from "../../projects/event.ts"
import { eventList } from "../commands/event-list.ts"
import { untrustedLines, type Content, type Element } from "../kit/html.ts"
import type { ProjectPageModel } from "./read-model.ts"
import { eventText } from "./labels.ts"
import { roleLabels } from "../kit/labels.ts"

/** Renders these events; the list numbers are their sequence numbers. */
export const timeline = (model: ProjectPageModel, events: ReadonlyArray<ProjectEvent>): Element =>
  eventList(events, model.nameOf, (event) => ({
    number: event.sequence,
    party: ` for the ${roleLabels[event.actor.role].toLowerCase()}`,
    text: eventText(event, model.nameOf),
    reason: reasonOf(event)
  }))

const reasonOf = (event: ProjectEvent): Content => {
  if (event.kind === "SUBMIT") return untrustedLines(event.payload.summary)
  return "reason" in event.payload ? untrustedLines(event.payload.reason) : null
}
