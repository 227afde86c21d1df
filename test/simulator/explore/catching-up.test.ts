/** Liveness is judged after slow processes have caught up without further faults. */
import * as path from "node:path"
import { Result } from "effect"
import { assert, it } from "vitest"
import { attempt, watch } from "../../../simulator/explore/attempt.ts"
import type { Decide } from "../../../simulator/explore/point.ts"
import { prepare } from "../../../simulator/explore/prepared.ts"
import { readScript } from "../../../simulator/files.ts"
import { invariants } from "../../../simulator/invariants/every.ts"

const file = path.resolve(import.meta.dirname, "../../../scenarios/166-a-store-that-fails-a-worker.yaml")
const minutes = 60_000

/** The worker gets a serialization failure at each of its first two claims, then time advances as far as it may. */
const slowAfterTwo = (): Decide => {
  let faultCount = 0
  let orders = 0
  return ({ kind, options }) => {
    if (kind === "fault") return faultCount++ < 2 ? 1 : 0
    return orders++ === 0 ? 0 : Math.max(0, options.indexOf("world:time"))
  }
}

it("A worker that is slow until the end of a run completes its work before liveness is judged", () => {
  const prepared = prepare(Result.getOrThrow(readScript(file)))
  const faults = [{ of: "worker", at: "begin", fault: { database: "40001" } }] as const
  const slow = { ...prepared, search: { ...prepared.search, faults, most: 2, slowness: 5 * minutes } }
  const eventually = invariants.filter(({ kind }) => kind === "eventually")
  const { violation, schedule, stage } = attempt(slow, watch(slow, eventually), slowAfterTwo())
  assert.include(schedule.choices, "world:time")
  assert.isUndefined(violation)
  assert.isTrue(stage.recorder.observations.some(({ kind }) => kind === "received"))
})
