// @ts-check
/** The state of the page: the current run, the selected event, and navigation. */
import { instantText } from "../../../view-model/instant-text.js"
import { sessionText } from "../../../view-model/session-text.js"
import { toneText } from "../../../view-model/tone-text.js"
import { readRun } from "./data.js"
import { drawDetails } from "./details.js"
import { drawLanes, drawRows, scrollTo } from "./drawing.js"
import { part } from "./elements.js"
import { visible } from "./visible-characters.js"
import { firstRowFrom, nextRow, rowsOf } from "./rows.js"
import { drawTable, focusCell } from "./table.js"

export const runs = document.querySelectorAll('script[id^="model-"]').length
/** True if there is a page before the runs. */
export const hasFront = runs !== 1 || part("runs").dataset["front"] !== undefined
export const filter = /** @type {HTMLInputElement} */ (part("filter"))
export const help = /** @type {HTMLDialogElement} */ (part("help"))
export const page = { run: readRun(0), number: 0, rows: rowsOf([], () => true), selected: 0, isTable: false }

export const eventAt = (/** @type {number} */ row) => page.rows[row]?.event ?? 0
export const scene = () => ({
  model: page.run.model,
  rows: page.rows,
  selected: page.selected,
  together: new Set(page.run.together(eventAt(page.selected)))
})
export const isOpen = () => !part("details").hidden

export const acts = {
  select: (/** @type {number} */ row) => select(row),
  open: (/** @type {number} */ row) => openRow(row)
}

/** Draws the events again; a focused cell of the table keeps the focus. */
export const draw = () => {
  if (!page.isTable) return drawRows(scene())
  const focused = document.activeElement?.id ?? ""
  drawTable(scene(), acts)
  if (focused.startsWith("cell-")) document.getElementById(focused)?.focus()
}

export const redraw = () => {
  drawLanes(page.run.model)
  draw()
}

/** @param {number | undefined} row */
export const select = (row) => {
  if (row === undefined) return
  const hadCell = document.activeElement?.id.startsWith("cell-") ?? false
  page.selected = row
  if (!page.isTable) scrollTo(row)
  draw()
  if (page.isTable && (hadCell || document.activeElement === document.body)) focusCell(row)
  announce()
  part("step-say").textContent = visible(page.run.saidBy(eventAt(row)))
  if (isOpen()) drawDetails(page.run, eventAt(row), goTo)
  noteAddress(row)
}

/**
 * Debounced, since browsers limit the rate of history changes.
 * @param {number} row
 */
const noteAddress = async (row) => {
  await new Promise((resolve) => setTimeout(resolve, 300))
  if (row !== page.selected || part("timeline").hidden) return
  history.replaceState(null, "", `#run-${page.number + 1}-event-${eventAt(page.selected) + 1}`)
}

const announce = () => {
  const { events, lanes } = page.run.model
  const event = eventAt(page.selected)
  const selected = events[event]
  const isListed = page.rows.length > 0
  const who = [lanes[selected?.lane ?? -1]?.name, lanes[selected?.to ?? -1]?.name].filter(Boolean).join(" to ")
  const words = [
    `${page.rows[page.selected]?.place} of ${page.rows.at(-1)?.place}`,
    who,
    instantText(selected?.at ?? ""),
    selected?.text,
    toneText(selected),
    selected?.pause
  ]
  part("said").textContent = isListed ? visible(words.filter(Boolean).join(", ")) : "No event contains this text"
}

/** @param {number} row */
export const openRow = (row) => {
  select(row)
  openDetails()
}

export const openDetails = () => {
  if (page.rows.length === 0) return
  part("details").hidden = false
  drawDetails(page.run, eventAt(page.selected), goTo)
  part("details-title").focus()
  redraw()
}

export const closeDetails = () => {
  part("details").hidden = true
  redraw()
  focusEvents()
}

export const focusEvents = () => (page.isTable ? focusCell(page.selected) : part("rows").focus({ preventScroll: true }))

/** @param {number} event */
const goTo = (event) => {
  if (page.rows[firstRowFrom(page.rows, event)]?.event !== event) {
    filter.value = ""
    listRows()
  }
  const wasInDetails = part("details").contains(document.activeElement)
  select(nextRow(page.rows, firstRowFrom(page.rows, event) - 1, 1))
  if (wasInDetails) part("details-title").focus()
}

const listRows = () => {
  const event = eventAt(page.selected)
  const text = filter.value.trim()
  page.rows = rowsOf(page.run.model.events, text === "" ? () => true : page.run.search(text))
  const from = firstRowFrom(page.rows, event)
  page.selected = nextRow(page.rows, from - 1, 1) ?? nextRow(page.rows, page.rows.length, -1) ?? 0
  part("found").textContent =
    text === "" ? "" : `${page.rows.at(-1)?.place ?? 0} of ${page.run.model.events.length} events`
  draw()
}

export const filterBy = (/** @type {string} */ text) => {
  filter.value = text
  listRows()
  scrollTo(page.selected)
  draw()
  announce()
}

export const showTable = (/** @type {boolean} */ isTable) => {
  page.isTable = isTable
  part("table").hidden = !isTable
  part("scroller").hidden = isTable
  part("as-table").setAttribute("aria-pressed", String(isTable))
  if (!isTable) scrollTo(page.selected)
  draw()
  focusEvents()
}

export const showRuns = () => {
  if (!hasFront) return
  const isLeft = !part("timeline").hidden
  part("timeline").hidden = true
  part("runs").hidden = false
  if (!isLeft) return
  history.replaceState(null, "", location.pathname)
  const link = document.querySelector(`#runs a[href="#run-${page.number + 1}"]`)
  if (link instanceof HTMLElement) link.focus()
}

/**
 * Opens a run at an event; without one, a run that failed at its first failure, with the details, any other at its start.
 * @param {number} number
 * @param {number} [event]
 */
export const showRun = (number, event) => {
  page.run = readRun(number)
  page.number = number
  filter.value = ""
  part("runs").hidden = true
  part("timeline").hidden = false
  part("all-runs").hidden = !hasFront
  part("details").hidden = true
  const { title, verdict, say, events } = page.run.model
  part("run-title").textContent = visible(title)
  part("run-verdict").textContent = visible(verdict)
  part("run-verdict").className = /^PASS(ED)?$/.test(verdict) ? "verdict passed" : "verdict failed"
  part("run-facts").textContent = visible(`${sessionText(page.run.model)}, ${events.length} events`)
  part("run-say").textContent = visible(say ?? "")
  part("run-say").hidden = say === undefined
  part("step-say").hidden = !page.run.isTold
  drawLanes(page.run.model)
  page.selected = 0
  listRows()
  const failure = event === undefined ? events.findIndex(({ tone }) => tone === "failed") : -1
  goTo(failure < 0 ? (event ?? -1) : failure)
  if (failure < 0) focusEvents()
  else openDetails()
}
