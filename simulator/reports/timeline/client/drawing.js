// @ts-check
/** Draws only the visible rows, so that the cost does not depend on the number of events. */
import { instantText, timeOfDayText } from "../../../view-model/instant-text.js"
import { element, part } from "./elements.js"
import { firstRowFrom, spanWords } from "./rows.js"

/** @typedef {import("../../../view-model/timeline-model.ts").TimelineModel} TimelineModel */
/** @typedef {import("../../../view-model/timeline-model.ts").TimelineEvent} TimelineEvent */
/** @typedef {import("./rows.js").Row} Row */

/**
 * @typedef {object} Scene
 * @property {TimelineModel} model
 * @property {ReadonlyArray<Row>} rows
 * @property {number} selected The selected row.
 * @property {ReadonlySet<number>} together The events related to the selected one.
 */

const rowHeight = 28
const rowsBeyond = 10

/** @param {Scene} scene */
export const drawRows = (scene) => {
  const { rows, selected } = scene
  const list = part("rows")
  const scroller = part("scroller")
  const first = Math.max(0, Math.floor(scroller.scrollTop / rowHeight) - rowsBeyond)
  const last = Math.min(rows.length, Math.ceil((scroller.scrollTop + scroller.clientHeight) / rowHeight) + rowsBeyond)
  const shown = [...Array(Math.max(0, last - first)).keys()].map((index) => first + index)
  // Screen readers need the selected event in the list, wherever it is scrolled to.
  const drawn = selected >= 0 && selected < rows.length && !shown.includes(selected) ? [selected, ...shown] : shown
  list.style.height = `${rows.length * rowHeight}px`
  list.replaceChildren(...pausesIn(scene, first, last), ...drawn.map((index) => rowElement(scene, index)))
  if (selected >= 0 && selected < rows.length) list.setAttribute("aria-activedescendant", `row-${selected}`)
  else list.removeAttribute("aria-activedescendant")
}

/** @param {number} row */
export const scrollTo = (row) => {
  const scroller = part("scroller")
  const top = row * rowHeight
  const height = scroller.clientHeight - part("lanes").offsetHeight
  if (top < scroller.scrollTop + rowHeight) scroller.scrollTop = Math.max(0, top - 2 * rowHeight)
  else if (top + 2 * rowHeight > scroller.scrollTop + height) scroller.scrollTop = top + 3 * rowHeight - height
}

/** The number of rows that fit. */
export const rowsInSight = () => Math.max(1, Math.floor(part("scroller").clientHeight / rowHeight) - 2)

/** @param {TimelineModel} model */
export const drawLanes = ({ lanes }) => {
  const width = laneWidth(lanes.length)
  const names = lanes.map(({ name, is }, lane) => {
    const head = element("span", { class: `lane ${is}`, title: `${name} (${is})` }, name)
    head.style.left = `${lane * width}px`
    head.style.width = `${width}px`
    return head
  })
  part("lane-names").replaceChildren(...names)
  part("timeline").style.setProperty("--lanes", `${lanes.length * width}px`)
  part("timeline").style.setProperty("--lane", `${width}px`)
  part("timeline").classList.toggle("narrow-lanes", width < 64)
}

/** @param {number} lanes */
const laneWidth = (lanes) =>
  Math.max(28, Math.min(92, Math.floor((part("scroller").clientWidth * 0.45) / Math.max(1, lanes))))

/**
 * @param {Scene} scene
 * @param {number} index
 */
const rowElement = ({ model, rows, selected, together }, index) => {
  const { event, gap, place } = rows[index] ?? { event: 0 }
  const shown = model.events[event]
  const row =
    shown === undefined
      ? element("div")
      : gap === undefined
        ? eventElement(model, shown, {
            index,
            place,
            of: rows.at(-1)?.place,
            isSelected: index === selected,
            isTogether: together.has(event)
          })
        : element("div", { class: "row gap", "aria-hidden": "true" }, element("span", {}, gapWords(shown, gap)))
  row.style.transform = `translateY(${index * rowHeight}px)`
  row.dataset["row"] = String(index)
  return row
}

/**
 * @param {TimelineEvent} event
 * @param {number} gap
 */
const gapWords = ({ at }, gap) => (Number.isNaN(gap) ? instantText(at) : `${spanWords(gap)} later: ${instantText(at)}`)

/**
 * @param {TimelineModel} model
 * @param {TimelineEvent} event
 * @param {{ index: number, place: number | undefined, of: number | undefined, isSelected: boolean, isTogether: boolean }} state
 */
const eventElement = (model, event, { index, place, of, isSelected, isTogether }) => {
  const { at, kind, text, step, say, pause, tone, lane } = event
  const classes = ["row", "event", `of-${kind.replaceAll(/[^a-z]/g, "")}`, tone ?? "", isTogether ? "together" : ""]
  const words = element(
    "span",
    { class: "words" },
    ...(pause === undefined ? [] : [element("b", { title: pause }, pause), " "]),
    text,
    ...(say === undefined ? [] : [element("em", { title: say }, say)])
  )
  return element(
    "div",
    {
      class: classes.join(" "),
      id: `row-${index}`,
      role: "option",
      "aria-selected": isSelected ? "true" : "false",
      "aria-posinset": place,
      "aria-setsize": of
    },
    element("span", { class: "time" }, timeOfDayText(at)),
    element("span", { class: "step" }, step === undefined ? "" : String(step)),
    element("span", { class: `graph ${model.lanes[lane ?? -1]?.is ?? ""}` }, ...markOf(event)),
    words
  )
}

/** @param {TimelineEvent} event */
const markOf = ({ lane, to }) => {
  if (lane === undefined) return []
  const dot = element("i", { class: "dot" })
  dot.style.left = `calc(var(--lane) * ${lane + 0.5})`
  if (to === undefined || to === lane) return [dot]
  const arrow = element("i", { class: to > lane ? "arrow right" : "arrow left" })
  arrow.style.left = `calc(var(--lane) * ${Math.min(lane, to) + 0.5})`
  arrow.style.width = `calc(var(--lane) * ${Math.abs(to - lane)})`
  return [arrow, dot]
}

/**
 * @param {Scene} scene
 * @param {number} first
 * @param {number} last
 */
const pausesIn = ({ model, rows }, first, last) => {
  const agents = model.lanes.flatMap(({ is }, lane) => (is === "agent" ? [lane] : []))
  const [left, right] = agents.length === 0 ? [0, model.lanes.length - 1] : [agents[0] ?? 0, agents.at(-1) ?? 0]
  return model.pauses.flatMap(({ on, from, to }) => {
    const top = Math.max(first, firstRowFrom(rows, from))
    const bottom = Math.min(last, firstRowFrom(rows, to))
    if (top >= bottom) return []
    const band = element("div", { class: "pause", "aria-hidden": "true", title: `Agents paused on ${on}` })
    band.style.top = `${top * rowHeight}px`
    band.style.height = `${(bottom - top) * rowHeight}px`
    band.style.setProperty("--from", String(left))
    band.style.setProperty("--across", String(right - left + 1))
    return [band]
  })
}
