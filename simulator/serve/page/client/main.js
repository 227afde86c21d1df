// @ts-check
/** Entry point: selects the world named in the URL and registers the event handlers. */
import { part } from "../../../reports/timeline/client/elements.js"
import {
  actNow,
  advance,
  changeWorlds,
  fork,
  holdOrRelease,
  injectNow,
  rewind,
  takeSnapshot,
  writeFault
} from "./commands.js"
import { fieldOf, offer } from "./view.js"
import { branching } from "./snapshots.js"
import { enter, look, lookAtWorlds } from "./world.js"

const lookEveryMs = 1000

const { operations, faults } = JSON.parse(part("catalogue").textContent ?? "")

/**
 * @param {string} id
 * @param {(pressed: string) => void} action
 */
const onSubmit = (id, action) =>
  part(id).addEventListener("submit", (event) => {
    event.preventDefault()
    const by = /** @type {SubmitEvent} */ (event).submitter
    action(by instanceof HTMLButtonElement ? by.value : "")
  })

onSubmit("world-form", changeWorlds)
onSubmit("until-form", () => advance({ until: fieldOf("until").value.trim() }))
onSubmit("act-form", actNow)
onSubmit("fault-form", injectNow)
onSubmit("hold-form", (pressed) => holdOrRelease(pressed === "release" ? "release" : "hold"))
onSubmit("snapshot-form", takeSnapshot)
part("world").addEventListener("change", () => enter(fieldOf("world").value))
part("spans").addEventListener("click", ({ target }) => {
  const by = target instanceof HTMLElement ? target.dataset["by"] : undefined
  if (by !== undefined) advance({ by })
})
part("fork").addEventListener("click", () => fork())
for (const id of ["fault", "strikes"]) part(id).addEventListener("input", () => writeFault(faults))
branching.rewind = rewind
branching.fork = fork

offer(
  "operations",
  operations.map((/** @type {{ name: string }} */ { name }) => name)
)
offer(
  "fault",
  faults.map((/** @type {{ name: string }} */ { name }) => name)
)
writeFault(faults)
lookAtWorlds(decodeURIComponent(location.hash.slice(1)))
setInterval(() => document.visibilityState === "visible" && look(), lookEveryMs)
