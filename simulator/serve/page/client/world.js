// @ts-check
/** The selected world: polls its state and the trace lines since the last poll. */
import { element, part } from "../../../reports/timeline/client/elements.js"
import { ask } from "./control-client.js"
import { addEvents, offer, say, sayRefusal, showWorld } from "./view.js"
import { showSnapshots } from "./snapshots.js"

const world = { id: "", from: 0 }

/** @param {string} [rest] */
export const here = (rest = "") => `/sim/worlds/${encodeURIComponent(world.id)}${rest}`

/** @param {string} [preferred] */
export const lookAtWorlds = async (preferred) => {
  const answered = await ask("GET", "/sim/worlds")
  if (answered.isRefused) return sayRefusal(answered)
  const ids = answered.value.worlds.map((/** @type {{ id: string }} */ { id }) => id)
  offer("world", ids)
  const wanted = preferred ?? world.id
  const id = ids.includes(wanted) ? wanted : (ids[0] ?? "")
  if (id !== "" && id !== world.id) await enter(id)
}

/** @param {string} id */
export const enter = async (id) => {
  world.id = id
  const select = /** @type {HTMLSelectElement} */ (part("world"))
  select.value = id
  history.replaceState(null, "", `#${encodeURIComponent(id)}`)
  part("links").replaceChildren(
    ...[
      ["timeline", "Timeline"],
      ["trace", "Trace"],
      ["story", "Story"],
      ["scenario", "Scenario"]
    ].map(([path, label]) => element("a", { href: here(`/${path}`) }, label ?? ""))
  )
  await begin()
}

/** Reloads all events: after a change of the world, or a rewind. */
export const begin = () => {
  world.from = 0
  part("events").replaceChildren()
  return look()
}

/** Polls run one after the other, so that no event is shown twice. */
export const look = () => (looking = looking.then(lookOnce).catch(sayFailure))

let looking = Promise.resolve()

/** @param {unknown} error */
const sayFailure = (error) => say(`The simulator's answer cannot be shown: ${String(error)}`, true)

const lookOnce = async () => {
  const { id, from } = world
  if (id === "") return
  const [state, trace] = [await ask("GET", here()), await ask("GET", here(`/trace?from=${from}`))]
  if (id !== world.id || from !== world.from) return
  if (state.isRefused || trace.isRefused) return sayRefusal(state.isRefused ? state : trace)
  showWorld(state.value)
  showSnapshots(state.value.snapshots)
  const lines = trace.text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
  world.from += lines.length
  offer("actors", actorsOf(state.value))
  addEvents(lines)
}

/**
 * All actors that a step can name.
 * @param {any} state
 * @returns {ReadonlyArray<string>}
 */
const actorsOf = ({ people, agents, visitors, receivers }) => [
  ...new Set([...[...people, ...agents, ...receivers].map(({ name }) => name), ...visitors, "operator"])
]
