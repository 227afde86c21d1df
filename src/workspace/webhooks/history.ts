/** The delivery history: the outcome of each message, and the button that sends it again. */
import { h } from "preact"
import type { Effect } from "effect"
import { limits } from "../../vocabulary/limits.ts"
import type { Instant } from "../../vocabulary/instant.ts"
import type { readHistory } from "../../webhooks/history.ts"
import { hasEnded } from "../../webhooks/subscription.ts"
import { effectiveState, viewDelivery } from "../../webhooks/view.ts"
import { buttonForm } from "../kit/button-form.ts"
import type { Content, Element } from "../kit/html.ts"
import { linkTo, paragraph, section, table, time } from "../kit/parts.ts"
import { attemptText, deliveryBadge, occurredEventLabels } from "./labels.ts"
import { webhookPath } from "./read-model.ts"

export type History = Effect.Success<ReturnType<typeof readHistory>>

interface HistoryPart {
  readonly history: History
  /** The checkpoint after which this page begins; undefined at the beginning. */
  readonly after: string | undefined
  readonly formToken: string
  readonly titleOf: (projectId: string) => Content
}

export const historySection = (part: HistoryPart): Element => {
  const { history, after } = part
  const { subscription, deliveries, next } = history
  const path = webhookPath(subscription.subscriptionId)
  return section(
    "Delivery history",
    table({
      caption: "Messages in the order of their events",
      columns,
      rows: deliveries.map((one) => rowOf(one, part)),
      empty: after === undefined ? "No such event has occurred yet." : "There are no further messages."
    }),
    after === undefined ? null : paragraph(linkTo(path, "From the beginning")),
    next === null ? null : paragraph(linkTo(`${path}?after=${encodeURIComponent(next)}`, "Next messages"))
  )
}

/** Exhausted deliveries that are on another page of the history. */
export const exhaustedSection = (exhausted: History["deliveries"], part: HistoryPart): Element =>
  section(
    "Permanently failed messages",
    table({
      caption: "Messages that failed permanently, newest first",
      columns,
      rows: exhausted.map((one) => rowOf(one, part)),
      empty: "None."
    })
  )

const columns = ["What happened", "Project", "State", "Attempts", "Last attempt", "Next attempt", "Again"]

const rowOf = (model: History["deliveries"][number], part: HistoryPart): ReadonlyArray<Content> => {
  const { subscription, authorityState, now } = part.history
  const delivery = viewDelivery(model, { subscription, authorityState, now })
  const { eventType, event, state, totalAttempts, lastAttempt } = delivery
  const { isPaused } = subscription
  return [
    [occurredEventLabels[eventType], h("div", { class: "hint" }, time(event.occurredAt))],
    part.titleOf(event.projectId),
    deliveryBadge(state, { isPaused, isHeld: delivery.held === true }),
    [String(totalAttempts), state === "PENDING" ? `, ${attemptsLeft(delivery)} left` : null],
    attemptText(lastAttempt),
    nextAttempt(delivery, isPaused, now),
    redeliveryCell(delivery, part)
  ]
}

type DeliveryItem = ReturnType<typeof viewDelivery>

const attemptsLeft = ({ scheduledAttempts, totalAttempts }: DeliveryItem): number =>
  Math.min(limits.webhookAttempts - scheduledAttempts, limits.webhookAttemptsTotal - totalAttempts)

const nextAttempt = ({ state, held, nextAttemptAt }: DeliveryItem, isPaused: boolean, now: Instant): Content => {
  if (state === "PENDING" && held === true) return "once the agent’s grant is renewed"
  if (state === "PENDING" && isPaused) return "once resumed"
  if (nextAttemptAt === null) return "none"
  return nextAttemptAt <= now ? "now" : time(nextAttemptAt)
}

/** The same rule as the operation's. */
const redeliveryCell = (delivery: DeliveryItem, part: HistoryPart): Content => {
  const { subscription, authorityState, now } = part.history
  const { state, totalAttempts } = delivery
  if (state !== "EXHAUSTED" && state !== "DELIVERED") return null
  if (hasEnded(effectiveState(subscription, authorityState, now))) return null
  return totalAttempts < limits.webhookAttemptsTotal
    ? redeliveryButton(delivery, part)
    : `never: limit of ${limits.webhookAttemptsTotal} attempts reached`
}

const redeliveryButton = (
  { deliveryId, eventType, event }: DeliveryItem,
  { history, after, formToken }: HistoryPart
): Element =>
  buttonForm({
    action: `${webhookPath(history.subscription.subscriptionId)}/deliveries/${deliveryId}/redeliver`,
    formToken,
    label: "Send again",
    about: `Send again: ${occurredEventLabels[eventType]}, ${event.occurredAt}`,
    fields: after === undefined ? {} : { after }
  })
