import { assert, describe, it } from "@effect/vitest"
import { prepare } from "../../../simulator/explore/prepared.ts"
import { Fork, refusalOf } from "../../../simulator/explore/fork.ts"
import { probes } from "../../../simulator/explore/probes/every.ts"
import { brakesIn } from "../../../simulator/explore/probes/brakes.ts"
import { search } from "../../../simulator/explore/search.ts"
import { DelayBounded } from "../../../simulator/explore/strategies/delay-bounded.ts"
import { findScripts } from "../../../simulator/files.ts"

const prepared = (file: string) => {
  const found = findScripts([file])
  const scenario = found._tag === "Success" ? found.success[0]?.scenario : undefined
  if (scenario?._tag !== "Success") throw new Error(`${file} cannot be read`)
  return prepare(scenario.success)
}

const from = prepared(`${import.meta.dirname}/scripts/two-pauses.yaml`)

describe("world fork", () => {
  it("A fork continues without modifying its original world", () => {
    const { stage, journey } = from.from
    const before = [
      stage.store?.hash(),
      stage.recorder.observations.length,
      journey.world.kernel.now,
      stage.kernel.streams.drawn.size
    ]
    const fork = new Fork(from.scenario, from.from)
    const project = String(journey.directory.names.get("project"))
    assert.isUndefined(refusalOf(fork.act("dana", "pauseProject", project, { reason: "Stop." })))
    assert.notStrictEqual(fork.stage.store?.hash(), before[0])
    const after = [
      stage.store?.hash(),
      stage.recorder.observations.length,
      journey.world.kernel.now,
      stage.kernel.streams.drawn.size
    ]
    assert.deepStrictEqual(after, before)
  })

  it("A trial in a fork is rolled back", () => {
    const fork = new Fork(from.scenario, from.from)
    const project = String(from.from.journey.directory.names.get("project"))
    const before = fork.stage.store?.hash()
    fork.trying(() => fork.act("dana", "pauseProject", project, { reason: "Stop." }))
    assert.strictEqual(fork.stage.store?.hash(), before)
  })

  it("The stop controls of a world are complete", () => {
    const ways = brakesIn(new Fork(from.scenario, from.from)).map(({ actor, operation }) => `${actor} ${operation}`)
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
    const { found } = search(from, { invariants: [], strategies: [[new DelayBounded(1), 6]], probes })
    assert.isUndefined(found)
  })
})
