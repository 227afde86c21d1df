// @ts-check
/** The events as a paged table, an accessible alternative to lanes. */
import { instantText } from "../../../view-model/instant-text.js"
import { toneText } from "../../../view-model/tone-text.js"
import { button, element, part } from "./elements.js"

/** @typedef {import("./drawing.js").Scene} Scene */

const rowsPerPage = 60
const rowsPrintedMax = 2000

/**
 * @param {Scene} scene
 * @param {{ readonly select: (row: number) => void, readonly open: (row: number) => void }} act
 * @param {boolean} isPrinted
 */
export const drawTable = ({ model, rows, selected }, act, isPrinted = false) => {
  const perPage = isPrinted ? rowsPrintedMax : rowsPerPage
  const listed = rows.flatMap(({ event, gap }, row) => (gap === undefined ? [{ event, row }] : []))
  const at = Math.max(
    0,
    listed.findIndex(({ row }) => row === selected)
  )
  const page = Math.floor(at / perPage)
  const shown = listed.slice(page * perPage, (page + 1) * perPage)
  const turn = (/** @type {number} */ to) => act.select(listed[to * perPage]?.row ?? selected)
  const pages = Math.max(1, Math.ceil(listed.length / perPage))
  part("table-pages").replaceChildren(
    ...(page > 0 ? [button("Previous page", () => turn(page - 1))] : []),
    `page ${page + 1} of ${pages}`,
    ...(page + 1 < pages ? [button("Next page", () => turn(page + 1))] : [])
  )
  part("table-rows").replaceChildren(
    ...shown.map(({ event, row }) => {
      const { at, lane, to, step, text, say, pause, tone } = model.events[event] ?? { at: "", text: "" }
      const open = button(text, () => act.open(row))
      open.id = `cell-${row}`
      const who = [model.lanes[lane ?? -1]?.name, model.lanes[to ?? -1]?.name].filter(Boolean).join(" to ")
      return element(
        "tr",
        { class: tone ?? "", "aria-current": row === selected ? "true" : undefined, "aria-rowindex": event + 2 },
        element("td", {}, instantText(at)),
        element("td", {}, step === undefined ? "" : String(step)),
        element("td", {}, who),
        element(
          "th",
          { scope: "row" },
          open,
          ...[pause, say].filter((words) => words !== undefined).map((words) => element("p", {}, words))
        ),
        element("td", {}, toneText({ tone }))
      )
    })
  )
  part("table")
    .querySelector("table")
    ?.setAttribute("aria-rowcount", String(model.events.length + 1))
}

/** @param {number} row */
export const focusCell = (row) => document.getElementById(`cell-${row}`)?.focus()
