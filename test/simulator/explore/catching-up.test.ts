/** What holds eventually is judged once whoever was slow has caught up, and nothing goes wrong any more. */
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

/** A worker begins, meets a conflict at each of its first two claims, and does nothing while time may pass instead. */
const slowAfterTwo = (): Decide => {
  let mishaps = 0
  let orders = 0
  return ({ kind, options }) => {
    if (kind === "mishap") return mishaps++ < 2 ? 1 : 0
    return orders++ === 0 ? 0 : Math.max(0, options.indexOf("world:time"))
  }
}

it("a worker that was slow to the end has done by then what was to be done", () => {
  const prepared = prepare(Result.getOrThrow(readScript(file)))
  const faults = [{ of: "worker", at: "begin", fault: { database: "40001" } }] as const
  const slow = { ...prepared, search: { ...prepared.search, faults, most: 2, slowness: 5 * minutes } }
  const eventually = invariants.filter(({ kind }) => kind === "eventually")
  const { violation, schedule, stage } = attempt(slow, watch(slow, eventually), slowAfterTwo())
  assert.include(schedule.choices, "world:time")
  assert.isUndefined(violation)
  assert.isTrue(stage.recorder.observations.some(({ kind }) => kind === "received"))
})
