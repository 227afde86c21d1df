// @ts-check
/** Updates the page. */
import { element, inPieces, part } from "../../../reports/timeline/client/elements.js"
import { instantText } from "../../../view-model/instant-text.js"
import { sessionText } from "../../../view-model/session-text.js"
import { toneText } from "../../../view-model/tone-text.js"

/** @typedef {import("../../../view-model/session-events.ts").SessionEvent} SessionEvent */

/** The number of events that the page shows: the last ones. */
export const eventsMax = 300
const answerCharactersMax = 20_000

/**
 * Shows a status message, which screen readers announce.
 * @param {string} text
 * @param {boolean} [isRefused]
 */
export const say = (text, isRefused = false) => {
  part("said").replaceChildren(...element("span", {}, text).childNodes)
  part("said").className = isRefused ? "refused" : ""
}

/** @param {import("./control-client.js").Answered} answered */
export const sayRefusal = ({ status, value }) =>
  say([status || "", value?.error ?? "", value?.detail ?? "", value?.nextAction ?? ""].join(" ").trim(), true)

/** @param {any} world */
export const showWorld = (world) => {
  const session = `${sessionText({ ...world, file: world.id })}, ${world.verdict}`
  part("session").replaceChildren(element("strong", {}, world.title), " ", element("span", {}, session))
  part("now").replaceChildren(world.now)
  part("now").setAttribute("datetime", world.now)
  part("next-timer").replaceChildren(world.nextTimer ?? "none")
  const holds = part("standing")
  holds.className = world.standing.length > 0 ? "waits" : ""
  holds.replaceChildren(
    world.standing.length === 0
      ? "nothing"
      : element("ul", {}, ...world.standing.map((/** @type {string} */ what) => element("li", {}, what)))
  )
}

/**
 * @param {string} title
 * @param {import("./control-client.js").Answered} answered
 */
export const showAnswer = (title, { isRefused, status, text, value }) => {
  const whole = value === null ? text : JSON.stringify(value, null, 2)
  part("answer").replaceChildren(
    element("p", { class: isRefused ? "refused" : "" }, `${title}: ${status}`),
    element("pre", { tabindex: 0, "aria-label": "The whole answer" }, inPieces(whole, answerCharactersMax))
  )
}

export const clearEvents = () => part("events").replaceChildren()

/** @param {ReadonlyArray<SessionEvent>} events */
export const addEvents = (events) => {
  const list = part("events")
  const wasAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40
  list.append(...events.slice(-eventsMax).map(eventElement))
  while (list.childElementCount > eventsMax) list.firstElementChild?.remove()
  if (wasAtEnd) list.scrollTop = list.scrollHeight
}

/** @param {SessionEvent} event */
const eventElement = (event) => {
  const { at, kind, actor, text, tone } = event
  return element(
    "li",
    { class: `of-${kind} ${tone ?? ""}` },
    element("time", { datetime: at }, instantText(at)),
    ...(actor === undefined ? [] : [element("b", {}, actor)]),
    text,
    ...(toneText(event) === "" ? [] : [" ", element("em", {}, toneText(event))])
  )
}

/**
 * Sets the options of a list and keeps the selection.
 * @param {string} id
 * @param {ReadonlyArray<string>} names
 */
export const offer = (id, names) => {
  const list = part(id)
  if (names.join("\n") === list.dataset["names"]) return
  list.dataset["names"] = names.join("\n")
  const chosen = /** @type {HTMLSelectElement} */ (list).value
  list.replaceChildren(...names.map((name) => element("option", { value: name }, name)))
  if (names.includes(chosen)) /** @type {HTMLSelectElement} */ (list).value = chosen
}

/** @param {string} id */
export const fieldOf = (id) => /** @type {HTMLInputElement} */ (part(id))
