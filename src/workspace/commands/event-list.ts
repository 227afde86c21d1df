/** The history of a subject, newest first: who did what, when, and why. */
import { h } from "preact"
import type { Instant } from "../../vocabulary/instant.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { paragraph, section, time } from "../kit/parts.ts"

interface Event {
  readonly hash: string
  readonly occurredAt: Instant
  readonly actor: { readonly id: string; readonly execution: object | null }
}

/** One entry of a history. */
export interface HistoryItem {
  readonly at: Instant
  /** Who acted, and for whom. */
  readonly actor: Content
  /** What was done, in the past tense. */
  readonly text: Content
  readonly reason: Content
  /** Links to what is behind the entry. */
  readonly links?: Content
  /** True for a pause or a resume: it is drawn differently and is no event of the chain. */
  readonly isAutomation?: boolean
}

/** The items in the given order, drawn along a line. */
export const historyList = (items: ReadonlyArray<HistoryItem>): Element =>
  h(
    "ol",
    { class: "timeline" },
    items.map(({ at, actor, text, reason, links, isAutomation = false }) =>
      h(
        "li",
        { class: isAutomation ? "automation" : undefined },
        paragraph(time(at), ": ", actor, " ", text, "."),
        reason,
        links === undefined || links === null ? null : h("p", { class: "links" }, links)
      )
    )
  )

/** A person, or the agent that acted for that person. */
export const actorText = ({ actor }: Pick<Event, "actor">, nameOf: (personId: string) => string): Content => [
  actor.execution === null ? null : "an agent of ",
  untrusted(nameOf(actor.id))
]

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
