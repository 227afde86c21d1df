/** The history of a subject, newest first, with actor, time and reason. */
import { h } from "preact"
import type { Instant } from "../../vocabulary/instant.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { paragraph, section, time } from "../kit/parts.ts"

interface Event {
  readonly hash: string
  readonly occurredAt: Instant
  readonly actor: { readonly id: string; readonly execution: object | null }
}

/** The texts of one event. */
export interface EventTexts {
  /** Its number in the list. */
  readonly number: number
  /** For whom its actor acted. */
  readonly party: string
  readonly text: Content
  readonly reason: Content
}

export const eventList = <E extends Event>(
  events: ReadonlyArray<E>,
  nameOf: (personId: string) => string,
  textsOf: (event: E) => EventTexts
): Element =>
  h(
    "ol",
    { reversed: true },
    events.toReversed().map((event) => {
      const { number, party, text, reason } = textsOf(event)
      const actor = [event.actor.execution === null ? null : "an agent of ", untrusted(nameOf(event.actor.id)), party]
      return h("li", { value: number }, paragraph(time(event.occurredAt), ": ", actor, " ", text, "."), reason)
    })
  )

/** The events after this head; none where the head is not among the events that the person may see. */
export const eventsAfter = <E extends Pick<Event, "hash">>(
  events: ReadonlyArray<E>,
  head: string
): ReadonlyArray<E> => {
  const shown = events.findIndex(({ hash }) => hash === head)
  return shown === -1 ? [] : events.slice(shown + 1)
}

/** The section of the events since a page was shown; null where there are none. */
export const sinceSection = <E>(events: ReadonlyArray<E>, show: (events: ReadonlyArray<E>) => Element): Content =>
  events.length === 0 ? null : section("What happened since", show(events))
