/** The events that the commits of a session appended to project histories, and the webhooks that were answered. */
import { SignedEvent } from "../../src/projects/event.ts"
import { storedProjectFrom } from "../../src/projects/history.ts"
import { ProjectEvents, Projects } from "../../src/projects/store.ts"
import { eventTypes } from "../../src/vocabulary/event-types.ts"
import { webhookPayloadOf } from "../../src/webhooks/event.ts"
import type { TimedObservation } from "../observation/observation.ts"
import { rowIn, Rows, rowsWithPrefix } from "../properties/property.ts"
import type { Content } from "../storage/memory-storage/content.ts"

export const eventKinds = SignedEvent.members.map(({ fields }) => fields.kind.literal)

/** What a client can wait for: an event by its kind in a history or its webhook type, or an answered webhook. */
export const awaitedEvents = [...eventTypes, ...eventKinds, "webhook"] as const
export type AwaitedEvent = (typeof awaitedEvents)[number]

/** The acts by which a visitor sends a request to a receiver. */
export const visitorDeliveries: ReadonlySet<string> = new Set(["forgeWebhook", "replayWebhook"])

/** True if the event is among these observations. */
export const hasOccurred = (
  event: AwaitedEvent,
  observations: ReadonlyArray<TimedObservation>,
  content: Content
): boolean => observations.some((observed) => namesOf(observed, content).includes(event))

const namesOf = (observed: TimedObservation, content: Content): ReadonlyArray<string> => {
  if (observed.kind === "reply") return ["webhook"]
  // A receiver cannot know yet that a visitor sent it.
  if (observed.kind === "act" && visitorDeliveries.has(observed.operation)) return ["webhook"]
  if (observed.kind !== "commit") return []
  return observed.writes
    .filter(({ table, change }) => table === ProjectEvents.name && change === "insert")
    .flatMap(({ key: [projectId, sequence] }) => eventNames(String(projectId), Number(sequence), content))
}

const eventNames = (projectId: string, sequence: number, content: Content): ReadonlyArray<string> => {
  const rows = new Rows(content)
  const row = rowIn(rows, Projects, [projectId])
  if (row === undefined) return []
  const { project } = storedProjectFrom(row, rowsWithPrefix(rows, ProjectEvents, [projectId]))
  const event = project.events.find((one) => one.sequence === sequence)
  return event === undefined ? [] : [event.kind, webhookPayloadOf(event, project).type]
}
