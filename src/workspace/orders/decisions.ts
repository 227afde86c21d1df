/** What people decided on an order, and what the service concluded for it: its financial events. */
import type { FinancialEvent } from "../../commerce/financial-event.ts"
import { orderMoves } from "../../commerce/moves.ts"
import type { OrderForPage } from "../../commerce/page-reading.ts"
import { untrusted, untrustedLines, type Content, type Element } from "../kit/html.ts"
import { roleLabels } from "../kit/labels.ts"
import { paragraph, section, table, time } from "../kit/parts.ts"
import { eventsAfter, sinceSection } from "../commands/event-list.ts"
import { releaseTexts } from "./labels.ts"

export const decisionsSection = (order: OrderForPage): Element =>
  section(
    "What was decided",
    eventTable(
      order,
      order.stored.order.events,
      "Decisions of people, and what the service concluded, the newest first"
    )
  )

/** The events since a page with this head was shown; null where there are none. */
export const decisionsSince = (order: OrderForPage, shownHead: string): Content =>
  sinceSection(eventsAfter(order.stored.order.events, shownHead), (since) =>
    eventTable(order, since, "The newest first")
  )

const eventTable = (order: OrderForPage, events: ReadonlyArray<FinancialEvent>, caption: string): Element =>
  table({
    caption,
    columns: ["When", "Who", "What"],
    rows: events
      .toReversed()
      .map((event) => [time(event.occurredAt), actorText(order, event), eventText(order, event)]),
    empty: ""
  })

const actorText = ({ nameOf }: OrderForPage, { kind, actor }: FinancialEvent): Content => {
  const { by } = orderMoves[kind]
  return actor === null || by === "SERVICE"
    ? "This service, from what the provider said"
    : [untrusted(nameOf(actor.personId)), ` for the ${roleLabels[by].toLowerCase()}`]
}

const eventText = ({ attempts }: OrderForPage, event: FinancialEvent): Content => {
  const numberOf = (commerceOrderId: string) =>
    attempts.find((one) => one.commerceOrderId === commerceOrderId)?.number ?? commerceOrderId
  switch (event.kind) {
    case "OFFERED":
      return "Offered these terms."
    case "APPROVED":
      return "Approved exactly these terms."
    case "DECLINED":
      return [paragraph("Declined these terms:"), untrustedLines(event.payload.reason)]
    case "WITHDRAWN":
      return [paragraph("Withdrew these terms:"), untrustedLines(event.payload.reason)]
    case "ATTEMPT_OPENED":
      return `Opened payment attempt ${event.payload.number}.`
    case "ATTEMPT_RELEASED":
      return `Payment attempt ${numberOf(event.payload.commerceOrderId)} ended: ${releaseTexts[event.payload.reason]}.`
    case "ATTEMPT_PAID":
      return `Payment attempt ${numberOf(event.payload.commerceOrderId)} is paid.`
  }
}
