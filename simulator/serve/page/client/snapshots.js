// @ts-check
/** The list of snapshots, each with rewind and fork. */
import { button, element, part } from "../../../reports/timeline/client/elements.js"
import { instantText } from "../../../view-model/instant-text.js"

/** @type {{ rewind: (name: string) => void, fork: (name: string) => void }} */
export const branching = { rewind: () => {}, fork: () => {} }

/** @param {ReadonlyArray<{ readonly name: string, readonly at: string }>} snapshots */
export const showSnapshots = (snapshots) => {
  const list = part("snapshots")
  const shown = JSON.stringify(snapshots)
  if (list.dataset["shown"] === shown) return
  list.dataset["shown"] = shown
  list.replaceChildren(
    ...snapshots.map(({ name, at }) =>
      element(
        "li",
        {},
        element("span", {}, `${name}, ${instantText(at)}`),
        button(`Rewind to ${name}`, () => branching.rewind(name)),
        button(`Fork from ${name}`, () => branching.fork(name))
      )
    )
  )
}
