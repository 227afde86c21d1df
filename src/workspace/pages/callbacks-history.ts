/** What was told, message by message: what became of each, and the button that sends it again. */
import { h } from "preact"
import { limits } from "../../vocabulary/limits.ts"
import type { Instant } from "../../vocabulary/instant.ts"
import type { readHistory } from "../../webhooks/history.ts"
import { hasEnded } from "../../webhooks/subscription.ts"
import { seenState, viewDelivery } from "../../webhooks/view.ts"
import type { Effect } from "effect"
import { buttonForm } from "../button-form.ts"
import { attemptWords, deliveryWords, happenedWords } from "../callback-words.ts"
import type { Content, Element } from "../html.ts"
import { linkTo, paragraph, section, table, time } from "../parts.ts"
import { callbackPath } from "./callbacks-seen.ts"

export type History = Effect.Success<ReturnType<typeof readHistory>>

interface HistoryPart {
  readonly history: History
  /** Behind which checkpoint it begins; undefined at the beginning. */
  readonly after: string | undefined
  readonly formToken: string
  readonly titleOf: (projectId: string) => Content
}

export const historySection = (part: HistoryPart): Element => {
  const { history, after } = part
  const { subscription, deliveries, next } = history
  const path = callbackPath(subscription.subscriptionId)
  return section(
    "What was told",
    table({
      caption: "Messages, in the order in which they arose",
      columns,
      rows: deliveries.map((one) => rowOf(one, part)),
      empty: after === undefined ? "Nothing has happened yet that it tells of." : "Nothing came after this."
    }),
    after === undefined ? null : paragraph(linkTo(path, "From the beginning")),
    next === null ? null : paragraph(linkTo(`${path}?after=${encodeURIComponent(next)}`, "The messages after these"))
  )
}

/** What failed for good and stands on another page of the history. */
export const exhaustedSection = (exhausted: History["deliveries"], part: HistoryPart): Element =>
  section(
    "What failed for good",
    table({
      caption: "Messages that failed for good, the newest first",
      columns,
      rows: exhausted.map((one) => rowOf(one, part)),
      empty: "None."
    })
  )

const columns = ["What happened", "Project", "State", "Attempts", "Last attempt", "Next attempt", "Again"]

const rowOf = (seen: History["deliveries"][number], part: HistoryPart): ReadonlyArray<Content> => {
  const { subscription, standing, now } = part.history
  const delivery = viewDelivery(seen, { subscription, standing, now })
  const { eventType, event, state, totalAttempts, lastAttempt } = delivery
  const { isPaused } = subscription
  return [
    [happenedWords[eventType], h("div", { class: "hint" }, time(event.occurredAt))],
    part.titleOf(event.projectId),
    deliveryWords(state, { isPaused, isHeld: delivery.held === true }),
    [String(totalAttempts), state === "PENDING" ? `, ${attemptsLeft(delivery)} left before it is given up` : null],
    attemptWords(lastAttempt),
    nextAttempt(delivery, isPaused, now),
    again(delivery, part)
  ]
}

type Shown = ReturnType<typeof viewDelivery>

const attemptsLeft = ({ scheduledAttempts, totalAttempts }: Shown): number =>
  Math.min(limits.callbackAttempts - scheduledAttempts, limits.callbackAttemptsTotal - totalAttempts)

const nextAttempt = ({ state, held, nextAttemptAt }: Shown, isPaused: boolean, now: Instant): Content => {
  if (state === "PENDING" && held === true) return "once the agent’s grant is renewed"
  if (state === "PENDING" && isPaused) return "once resumed"
  if (nextAttemptAt === null) return "none"
  return nextAttemptAt <= now ? "now" : time(nextAttemptAt)
}

/** As the operation decides it. */
const again = (delivery: Shown, part: HistoryPart): Content => {
  const { subscription, standing, now } = part.history
  const { state, totalAttempts } = delivery
  if (state !== "EXHAUSTED" && state !== "DELIVERED") return null
  if (hasEnded(seenState(subscription, standing, now))) return null
  return totalAttempts < limits.callbackAttemptsTotal
    ? againButton(delivery, part)
    : `never: ${limits.callbackAttemptsTotal} attempts are the most there can be`
}

const againButton = ({ deliveryId, eventType, event }: Shown, { history, after, formToken }: HistoryPart): Element =>
  buttonForm({
    action: `${callbackPath(history.subscription.subscriptionId)}/deliveries/${deliveryId}/redeliver`,
    formToken,
    label: "Send again",
    about: `Send again: ${happenedWords[eventType]}, ${event.occurredAt}`,
    fields: after === undefined ? {} : { after }
  })
