/** Liveness is judged after slow processes have caught up without further faults. */
import * as path from "node:path"
import { Result } from "effect"
import { assert, it } from "vitest"
import { executeRun, createMonitors } from "../../../simulator/search/search-run.ts"
import type { Decider } from "../../../simulator/search/choice-point.ts"
import { prepareSearchRoot } from "../../../simulator/search/search-root.ts"
import { readScript } from "../../../simulator/scenario/files.ts"
import { properties } from "../../../simulator/properties/all-properties.ts"

const file = path.resolve(import.meta.dirname, "../../../scenarios/races/store-failures-of-a-worker/scenario.yaml")
const minutes = 60_000

/** The worker gets a serialization failure at each of its first two claims, then time advances as far as it may. */
const slowAfterTwo = (): Decider => {
  let faultCount = 0
  let orders = 0
  return ({ kind, options }) => {
    if (kind === "fault") return faultCount++ < 2 ? 1 : 0
    return orders++ === 0 ? 0 : Math.max(0, options.indexOf("world:time"))
  }
}

it("A worker that is slow until the end of a run completes its work before liveness is judged", () => {
  const root = prepareSearchRoot(Result.getOrThrow(readScript(file)))
  const faults = [{ of: "worker", at: "begin", fault: { database: "40001" } }] as const
  const slow = { ...root, search: { ...root.search, faults, most: 2, slowness: 5 * minutes } }
  const eventually = properties.filter(({ kind }) => kind === "eventually")
  const { violation, schedule, setup } = executeRun(slow, createMonitors(slow, eventually), slowAfterTwo())
  assert.include(schedule.choices, "world:time")
  assert.isUndefined(violation)
  assert.isTrue(setup.recorder.observations.some(({ kind }) => kind === "received"))
})
