/**
 * The isolation of histories: the script is played in two worlds that differ in the earlier transactions alone, on which
 * their buyers act once more after each step. Nobody else gets another byte, such as the buyer of a next agreement.
 */
import type { SearchRoot } from "../search-root.ts"
import { Publications } from "../../../src/publications/store.ts"
import { WorldFork } from "../world-fork.ts"
import { membersOfProject, projectsIn } from "./expected-authorization.ts"
import type { Probe } from "./probe.ts"
import { differenceOf, tracesIn } from "./traces-of-parties.ts"

export const historyIsolation: Probe = {
  name: "history isolation",
  says: "What the buyer of a published result does on its transaction changes no byte of the answers to anyone who is no party to it, such as the buyer of a next agreement that rests on the result.",
  findViolation: (root) => {
    // The result depends on the script alone, so it is checked once.
    if (checked.has(root)) return undefined
    checked.add(root)
    const actors = new Set<string>()
    const changed = playScript(root, (fork) => actOnPublished(fork, actors))
    if (actors.size === 0) return undefined
    return differenceOf(
      playScript(root, () => {}),
      changed,
      "what others do on an earlier transaction",
      actors
    )
  }
}

const checked = new WeakSet<SearchRoot>()

const playScript = ({ scenario, from, rest }: SearchRoot, act: (fork: WorldFork) => void) => {
  const fork = new WorldFork(scenario, from)
  const before = fork.context.recorder.observations.length
  for (const step of rest) {
    act(fork)
    fork.step(step)
  }
  return tracesIn(fork, before)
}

/** The buyer of each published result pauses the agents of its project and lets them continue; `parties` collects the names of all who can see it. */
const actOnPublished = (fork: WorldFork, parties: Set<string>): void => {
  const published = new Set(fork.rows.of(Publications).map(({ projectId }) => projectId))
  for (const row of projectsIn(fork)) {
    if (!published.has(row.projectId)) continue
    const members = membersOfProject(fork, row)
    const buyer = members.find(({ side, may }) => side === "BUYER" && may("DELEGATE"))
    if (buyer === undefined) continue
    for (const { name } of members) parties.add(name)
    fork.act(buyer.name, "pauseProject", row.projectId, { reason: "Checked." })
    fork.act(buyer.name, "resumeProject", row.projectId, { reason: "Checked." })
  }
}
