// @ts-check
/** Entry point: selects the run named in the URL and registers the event handlers. */
import { part } from "./elements.js"
import { onKey } from "./keys.js"
import {
  acts,
  closeDetails,
  draw,
  redraw,
  filter,
  filterBy,
  help,
  openRow,
  page,
  runs,
  hasFront,
  scene,
  showRun,
  showRuns,
  showTable
} from "./navigation.js"
import { drawTable } from "./table.js"

const followAddress = () => {
  const [, run, event] = /^#run-(\d+)(?:-event-(\d+))?$/.exec(location.hash) ?? []
  const number = Number(run ?? 1) - 1
  if (run === undefined && hasFront) showRuns()
  else if (number < runs) showRun(number, event === undefined ? undefined : Number(event) - 1)
}

document.addEventListener("keydown", onKey)
part("scroller").addEventListener("scroll", () => requestAnimationFrame(draw), { passive: true })
addEventListener("resize", redraw)
addEventListener("hashchange", followAddress)
addEventListener("beforeprint", () => {
  part("table").hidden = false
  drawTable(scene(), acts, true)
})
addEventListener("afterprint", () => {
  part("table").hidden = !page.isTable
  draw()
})
filter.addEventListener("input", () => filterBy(filter.value))
part("rows").addEventListener("click", ({ target }) => {
  const row = target instanceof Element ? target.closest(".event")?.getAttribute("data-row") : undefined
  if (typeof row === "string") openRow(Number(row))
})
part("as-table").addEventListener("click", () => showTable(!page.isTable))
part("show-help").addEventListener("click", () => help.showModal())
part("all-runs").addEventListener("click", showRuns)
part("close-details").addEventListener("click", closeDetails)
followAddress()
