// @ts-check
/** Keyboard commands. */
import { toneText } from "../../../view-model/tone-text.js"
import { part } from "./elements.js"
import { rowsInSight } from "./drawing.js"
import { nextRow } from "./rows.js"
import {
  closeDetails,
  eventAt,
  filter,
  filterBy,
  focusEvents,
  help,
  isOpen,
  openDetails,
  page,
  select,
  showRuns,
  showTable
} from "./navigation.js"

/** @param {KeyboardEvent} pressed */
export const onKey = (pressed) => {
  const target = /** @type {Element} */ (pressed.target)
  if (pressed.ctrlKey || pressed.altKey || pressed.metaKey || help.open || part("timeline").hidden) return
  if (target === filter) return whileFiltering(pressed)
  const act = Object.hasOwn(keys, pressed.key) ? keys[pressed.key] : undefined
  if (act === undefined || ownKeys(target).includes(pressed.key)) return
  pressed.preventDefault()
  act()
}

/** @type {{ readonly [key: string]: () => void }} */
const keys = {
  ArrowDown: () => select(nextRow(page.rows, page.selected, 1)),
  ArrowUp: () => select(nextRow(page.rows, page.selected, -1)),
  j: () => select(nextRow(page.rows, page.selected, 1)),
  k: () => select(nextRow(page.rows, page.selected, -1)),
  PageDown: () => moveBy(rowsInSight()),
  PageUp: () => moveBy(-rowsInSight()),
  Home: () => select(nextRow(page.rows, -1, 1)),
  End: () => select(nextRow(page.rows, page.rows.length, -1)),
  ArrowLeft: () => toLane(-1),
  ArrowRight: () => toLane(1),
  n: () => select(nextRow(page.rows, page.selected, 1, isMarked)),
  p: () => select(nextRow(page.rows, page.selected, -1, isMarked)),
  t: () => showTable(!page.isTable),
  "/": () => filter.focus(),
  "?": () => help.showModal(),
  Enter: openDetails,
  Escape: () => {
    if (isOpen()) closeDetails()
    else if (filter.value !== "") filterBy("")
    else showRuns()
  }
}

/** Keys that the focused element handles itself. */
const ownKeys = (/** @type {Element} */ target) => {
  if (target.closest("button, a, summary") !== null) return ["Enter", " "]
  if (target.closest("#details, #run-say, #step-say") !== null) return scrolling
  return []
}
const scrolling = ["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "PageDown", "PageUp", "Home", "End", "Enter"]

/** @param {KeyboardEvent} pressed */
const whileFiltering = (pressed) => {
  if (!["Escape", "Enter", "ArrowDown"].includes(pressed.key)) return
  pressed.preventDefault()
  if (pressed.key === "Escape") filterBy("")
  focusEvents()
}

/** @param {1 | -1} direction */
const toLane = (direction) => {
  const { events, lanes } = page.run.model
  const from = events[eventAt(page.selected)]?.lane ?? -1
  for (let lane = from + direction; lane >= 0 && lane < lanes.length; lane += direction) {
    const isInLane = (/** @type {number} */ event) => events[event]?.lane === lane
    const found = nextRow(page.rows, page.selected, 1, isInLane) ?? nextRow(page.rows, page.selected, -1, isInLane)
    if (found !== undefined) return select(found)
  }
}

const isMarked = (/** @type {number} */ event) => toneText(page.run.model.events[event]) !== ""

/** @param {number} rows */
const moveBy = (rows) => {
  const direction = rows > 0 ? 1 : -1
  const to = Math.min(page.rows.length - 1, Math.max(0, page.selected + rows))
  select(nextRow(page.rows, to - direction, direction) ?? nextRow(page.rows, to, direction === 1 ? -1 : 1))
}
