// @ts-check
/** Updates the page. */
import { element, inPieces, part } from "../../../reports/timeline/client/elements.js"
import { isRefusal, wordsOf } from "./line-summary.js"

const eventsMax = 300
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

/** @param {ReadonlyArray<any>} lines */
export const addEvents = (lines) => {
  const list = part("events")
  const wasAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40
  list.append(...lines.slice(-eventsMax).map(eventOf))
  while (list.childElementCount > eventsMax) list.firstElementChild?.remove()
  if (wasAtEnd) list.scrollTop = list.scrollHeight
}

/** @param {any} line */
const eventOf = (line) =>
  element(
    "li",
    { class: `of-${line.kind} ${isRefusal(line) ? "refused" : ""}` },
    element("time", {}, String(line.at).replace("T", " ").replace("Z", "")),
    ...(typeof line.actor === "string" ? [element("b", {}, line.actor)] : []),
    wordsOf(line)
  )

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
