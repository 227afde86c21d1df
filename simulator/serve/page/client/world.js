// @ts-check
/** The selected world: polls its state and the events since the last poll. */
import { element, part } from "../../../reports/timeline/client/elements.js"
import { ask } from "./control-client.js"
import { addEvents, clearEvents, eventsMax, offer, say, sayRefusal, showWorld } from "./view.js"
import { showSnapshots } from "./snapshots.js"

/** `from` is the number of events that were already received. */
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
  clearEvents()
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
  const state = await ask("GET", here())
  if (id !== world.id || from !== world.from) return
  if (state.isRefused) return sayRefusal(state)
  // Another client can have rewound the world.
  const isRewound = state.value.events < from
  const first = Math.max(isRewound ? 0 : from, state.value.events - eventsMax)
  const added = await ask("GET", here(`/events?from=${first}`))
  if (id !== world.id || from !== world.from) return
  if (added.isRefused) return sayRefusal(added)
  showWorld(state.value)
  showSnapshots(state.value.snapshots)
  offer("actors", actorsOf(state.value))
  if (isRewound) clearEvents()
  world.from = first + added.value.events.length
  addEvents(added.value.events)
}

/**
 * All actors that a step can name.
 * @param {any} state
 * @returns {ReadonlyArray<string>}
 */
const actorsOf = ({ people, agents, visitors, receivers }) => [
  ...new Set([...[...people, ...agents, ...receivers].map(({ name }) => name), ...visitors, "operator"])
]
