/**
 * The isolation of histories: the script is played in two worlds that differ in the earlier transactions alone, on which
 * their buyers act once more before each step. The answers to all others stay the same, byte for byte: to the buyer of a next agreement, too.
 */
import { HistoryReferences } from "../../../src/closure/store.ts"
import { Publications } from "../../../src/publications/store.ts"
import { Rows } from "../../properties/property.ts"
import { emptyContent } from "../../storage/memory-storage/content.ts"
import type { SearchRoot } from "../search-root.ts"
import type { RunResult } from "../search-run.ts"
import { WorldFork } from "../world-fork.ts"
import { membersOfProject, projectsIn } from "./expected-authorization.ts"
import type { Probe } from "./probe.ts"
import { differenceOf, tracesIn } from "./traces-of-parties.ts"

export const historyIsolation: Probe = {
  name: "history isolation",
  says: "What the buyer of a published result does on its transaction changes no byte of the answers to anyone who is no party to it, such as the buyer of a next agreement that rests on the result.",
  findViolation: (root, result) => {
    // The result depends on the script alone, so it is checked once, and only where an agreement rests on a history.
    if (checked.has(root) || !hasReference(result)) return undefined
    checked.add(root)
    const parties = new Set<string>()
    const changed = playScript(root, (fork) => actOnPublished(fork, parties))
    return differenceOf(
      playScript(root, () => {}),
      changed,
      "an act on an earlier transaction",
      parties
    )
  }
}

const checked = new WeakSet<SearchRoot>()

const hasReference = ({ setup }: RunResult): boolean =>
  new Rows(setup.store?.content ?? emptyContent).of(HistoryReferences).length > 0

/** In both worlds each organization has one more member, who may pause agents; only in one of them that member acts. */
const playScript = ({ scenario, from, rest }: SearchRoot, act: (fork: WorldFork) => void) => {
  const fork = new WorldFork(scenario, from)
  for (const organization of fork.context.directory.organizations.keys()) {
    const name = `${addedMember}${organization}`
    fork.createGiven({ people: { [name]: { name: "Added", member: { [organization]: ["DELEGATE"] } } } })
    fork.act(name, "signIn")
  }
  const before = fork.context.recorder.observations.length
  for (const step of rest) {
    act(fork)
    fork.step(step)
  }
  return tracesIn(fork, before)
}

const addedMember = "addedMemberOf"

/** The added member of each buyer with a published result pauses and resumes the agents of its project. */
const actOnPublished = (fork: WorldFork, parties: Set<string>): void => {
  const published = new Set(fork.rows.of(Publications).map(({ projectId }) => projectId))
  for (const row of projectsIn(fork)) {
    if (!published.has(row.projectId)) continue
    const members = membersOfProject(fork, row)
    for (const { name } of members) parties.add(name)
    const buyer = members.find(({ name, side }) => side === "BUYER" && name.startsWith(addedMember))
    if (buyer === undefined) continue
    fork.act(buyer.name, "pauseProject", row.projectId, { reason: "Checked." })
    fork.act(buyer.name, "resumeProject", row.projectId, { reason: "Checked." })
  }
}
