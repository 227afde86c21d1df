import { assert, describe, it } from "@effect/vitest"
import { prepareSearchRoot } from "../../../simulator/search/search-root.ts"
import { WorldFork, refusalOf } from "../../../simulator/search/world-fork.ts"
import { probes } from "../../../simulator/search/isolation/probes.ts"
import { stopControlsIn } from "../../../simulator/search/isolation/stop-controls.ts"
import { search } from "../../../simulator/search/search.ts"
import { DelayBoundedSearch } from "../../../simulator/search/strategies/delay-bounded.ts"
import { findScripts } from "../../../simulator/scenario/files.ts"

const root = (file: string) => {
  const found = findScripts([file])
  const scenario = found._tag === "Success" ? found.success[0]?.scenario : undefined
  if (scenario?._tag !== "Success") throw new Error(`${file} cannot be read`)
  return prepareSearchRoot(scenario.success)
}

const from = root(`${import.meta.dirname}/scripts/two-pauses.yaml`)

describe("world fork", () => {
  it("A fork continues without modifying its original world", () => {
    const { setup, context } = from.from
    const before = [
      setup.store?.hash(),
      setup.recorder.observations.length,
      context.world.scheduler.now,
      setup.scheduler.streams.drawn.size
    ]
    const fork = new WorldFork(from.scenario, from.from)
    const project = String(context.directory.names.get("project"))
    assert.isUndefined(refusalOf(fork.act("dana", "pauseProject", project, { reason: "Stop." })))
    assert.notStrictEqual(fork.setup.store?.hash(), before[0])
    const after = [
      setup.store?.hash(),
      setup.recorder.observations.length,
      context.world.scheduler.now,
      setup.scheduler.streams.drawn.size
    ]
    assert.deepStrictEqual(after, before)
  })

  it("A trial in a fork is rolled back", () => {
    const fork = new WorldFork(from.scenario, from.from)
    const project = String(from.from.context.directory.names.get("project"))
    const before = fork.setup.store?.hash()
    fork.withRollback(() => fork.act("dana", "pauseProject", project, { reason: "Stop." }))
    assert.strictEqual(fork.setup.store?.hash(), before)
  })

  it("The stop controls of a world are complete", () => {
    const ways = stopControlsIn(new WorldFork(from.scenario, from.from)).map(
      ({ actor, operation }) => `${actor} ${operation}`
    )
    assert.deepStrictEqual(ways, [
      "dana pauseProject",
      "dana reviseProject",
      "sam pauseProject",
      "scout handoff",
      "courier handoff",
      "dana revokeGrant",
      "sam revokeGrant"
    ])
  })
})

describe("probes", () => {
  it("Every probe holds in every final state of a short search", () => {
    const { found } = search(from, { properties: [], strategies: [[new DelayBoundedSearch(1), 6]], probes })
    assert.isUndefined(found)
  })
})
