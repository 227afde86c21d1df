// @ts-check
/** The details of one event: request, response, row changes, and trace line. */
import { instantText } from "../../../view-model/instant-text.js"
import { requestParts, responseParts } from "../../../view-model/message-parts.js"
import { changesSection, differencesSection } from "./changes.js"
import { button, element, inPieces, part } from "./elements.js"
import { visible } from "./visible-characters.js"

/** @typedef {import("./data.js").Run} Run */
/** @typedef {import("./data.js").Line} Line */

/**
 * @param {Run} run
 * @param {number} event
 * @param {(event: number) => void} goTo
 */
export const drawDetails = (run, event, goTo) => {
  const selected = run.model.events[event]
  if (selected === undefined) return
  const together = run.together(event)
  const lines = together.map((index) => run.line(index))
  part("details-title").textContent = visible(selected.text)
  part("details-body").replaceChildren(
    facts(run, event, goTo),
    ...lines.flatMap((line) => requestParts(line) ?? []).map(messageSection),
    ...lines.flatMap((line) => responseParts(line) ?? []).map(messageSection),
    ...changesSection(lines.filter(({ kind }) => kind === "commit")),
    ...differencesSection(run.line(event)),
    wholeLine(run.line(event), together.length === 1 && selected.kind !== "commit")
  )
  part("details").scrollTop = 0
}

const charactersMax = 12_000

/**
 * @param {Run} run
 * @param {number} event
 * @param {(event: number) => void} goTo
 */
const facts = (run, event, goTo) => {
  const { events, lanes, pauses } = run.model
  const selected = events[event]
  const list = element("dl", { class: "facts" })
  const fact = (/** @type {string} */ name, /** @type {ReadonlyArray<Node | string>} */ ...value) =>
    list.append(element("div", {}, element("dt", {}, name), element("dd", {}, ...value)))
  if (selected === undefined) return list
  const { at, kind, lane, to, step, say, attempt, earlier } = selected
  fact("When", instantText(at))
  fact("What", `${kind}, event ${event + 1} of ${events.length}`)
  if (lane !== undefined) fact("Who", [lanes[lane]?.name, lanes[to ?? -1]?.name].filter(Boolean).join(" to "))
  if (step !== undefined) fact("Step", String(step))
  if (say !== undefined) fact("Narration", say)
  const others = [
    ...(earlier === undefined ? [] : [button("previous attempt", () => goTo(earlier))]),
    ...laterAttempt(run, event, goTo)
  ]
  if (attempt !== undefined) fact("Attempt", `${attempt} of this webhook `, ...others)
  for (const { on, from, to, reason } of pauses) {
    if (from <= event && event < to) fact("Agents paused", `${on}${reason === undefined ? "" : `: ${reason}`}`)
  }
  const together = run.together(event).filter((other) => other !== event)
  if (together.length > 0) {
    fact(
      "Related events",
      ...together.slice(0, 12).map((other) => button(events[other]?.text ?? "", () => goTo(other)))
    )
  }
  return list
}

/**
 * @param {Run} run
 * @param {number} event
 * @param {(event: number) => void} goTo
 */
const laterAttempt = (run, event, goTo) => {
  const later = run.later(event)
  return later === undefined ? [] : [button("next attempt", () => goTo(later))]
}

/** @param {import("../../../view-model/message-parts.js").MessageParts} parts */
const messageSection = ({ title, heading, note, loss, contents }) =>
  section(
    title,
    element("p", { class: "code" }, heading),
    ...(note === undefined ? [] : [element("p", {}, note)]),
    ...(loss === undefined ? [] : [element("p", { class: "fault" }, loss)]),
    ...contents.map(({ name, value }) => json(name, value))
  )

/**
 * @param {Line} line
 * @param {boolean} isOpen
 */
const wholeLine = (line, isOpen) => {
  const whole = element("details", { open: isOpen }, element("summary", {}, "Trace line"))
  const fill = () => void (whole.childElementCount === 1 && whole.append(json("line", line)))
  if (isOpen) fill()
  whole.addEventListener("toggle", fill)
  return whole
}

/**
 * @param {string} title
 * @param {ReadonlyArray<Node>} children
 */
const section = (title, ...children) => element("section", {}, element("h3", {}, title), ...children)

/**
 * @param {string} name
 * @param {any} value
 */
const json = (name, value) =>
  value === undefined
    ? element("p", { class: "none" }, `no ${name}`)
    : element("pre", { "aria-label": name }, inPieces(JSON.stringify(value, undefined, 2), charactersMax))
