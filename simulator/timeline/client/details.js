// @ts-check
/** Everything about one event: what was asked and answered, what it changed in the store, and its line of the trace. */
import { changesSection, differencesSection } from "./changes.js"
import { button, element, inPieces, part } from "./elements.js"
import { visible } from "./marks.js"
import { momentWords } from "./rows.js"

/** @typedef {import("./data.js").Run} Run */
/** @typedef {import("./data.js").Line} Line */

/**
 * @param {Run} run
 * @param {number} event
 * @param {(event: number) => void} goTo
 */
export const drawDetails = (run, event, goTo) => {
  const told = run.model.events[event]
  if (told === undefined) return
  const together = run.together(event)
  const lines = together.map((index) => run.line(index))
  part("details-title").textContent = visible(told.text)
  part("details-body").replaceChildren(
    facts(run, event, goTo),
    ...lines.filter(({ kind }) => asking.has(kind)).map(askedSection),
    ...lines.filter(({ kind }) => answering.has(kind)).map(answeredSection),
    ...changesSection(lines.filter(({ kind }) => kind === "commit")),
    ...differencesSection(run.line(event)),
    wholeLine(run.line(event), together.length === 1 && told.kind !== "commit")
  )
  part("details").scrollTop = 0
}

const asking = new Set(["request", "act", "callback"])
const answering = new Set(["response", "answer", "reply", "received", "hangup"])
const charactersMax = 12_000

/**
 * @param {Run} run
 * @param {number} event
 * @param {(event: number) => void} goTo
 */
const facts = (run, event, goTo) => {
  const { events, lanes, pauses } = run.model
  const told = events[event]
  const list = element("dl", { class: "facts" })
  const fact = (/** @type {string} */ name, /** @type {ReadonlyArray<Node | string>} */ ...value) =>
    list.append(element("div", {}, element("dt", {}, name), element("dd", {}, ...value)))
  if (told === undefined) return list
  const { at, kind, lane, to, step, say, attempt, earlier } = told
  fact("When", momentWords(at))
  fact("What", `${kind}, event ${event + 1} of ${events.length}`)
  if (lane !== undefined) fact("Who", [lanes[lane]?.name, lanes[to ?? -1]?.name].filter(Boolean).join(" to "))
  if (step !== undefined) fact("Step", String(step))
  if (say !== undefined) fact("The script says", say)
  const others = [
    ...(earlier === undefined ? [] : [button("the attempt before", () => goTo(earlier))]),
    ...laterAttempt(run, event, goTo)
  ]
  if (attempt !== undefined) fact("Attempt", `${attempt} of this callback `, ...others)
  for (const { on, from, to, reason } of pauses) {
    if (from <= event && event < to) fact("Agents stand still", `${on}${reason === undefined ? "" : `: ${reason}`}`)
  }
  const together = run.together(event).filter((other) => other !== event)
  if (together.length > 0) {
    fact("With it", ...together.slice(0, 12).map((other) => button(events[other]?.text ?? "", () => goTo(other))))
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
  return later === undefined ? [] : [button("the next attempt", () => goTo(later))]
}

/** @param {Line} line */
const askedSection = ({ kind, method, path, with: shown, operation, on, body, input, headers, receiver, lost }) =>
  section(
    kind === "request" ? "Request" : kind === "act" ? "Done without a request" : "Callback",
    element("p", { class: "code" }, [method, path, operation, on, receiver].filter(Boolean).join(" ")),
    ...(shown === undefined ? [] : [element("p", {}, `with the token of ${shown}`)]),
    ...(lost === true ? [element("p", { class: "fault" }, "The request is lost on its way.")] : []),
    ...(headers === undefined ? [] : [json("headers", headers)]),
    json(kind === "act" ? "input" : "body", kind === "act" ? input : body)
  )

/** @param {Line} line */
const answeredSection = ({ kind, status, refused, answer, body, lost, made }) =>
  section(
    kind === "received" ? "Received" : "Response",
    element("p", { class: "code" }, String(status ?? refused ?? answer ?? made ?? kind)),
    ...(lost === true ? [element("p", { class: "fault" }, "The answer is lost on its way.")] : []),
    ...(kind === "response" || kind === "answer" ? [json("body", body)] : [])
  )

/**
 * @param {Line} line
 * @param {boolean} isOpen
 */
const wholeLine = (line, isOpen) => {
  const whole = element("details", { open: isOpen }, element("summary", {}, "The line of the trace"))
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
