import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ActorHistories } from "../../../simulator/search/state-hash.ts"
import { VirtualScheduler } from "../../../simulator/kernel/scheduler.ts"
import { CurrentHistory, FiberHistory } from "../../../simulator/kernel/fiber-history.ts"
import type { Observation, TimedObservation } from "../../../simulator/observation/observation.ts"
import type { Instant } from "../../../src/vocabulary/instant.ts"

/** The waiting fibers with a shared history after one of two was chosen. */
const afterChoosing = (
  first: number,
  wait: (scheduler: VirtualScheduler) => Effect.Effect<void>
): ReadonlyArray<string> => {
  const line = new FiberHistory("worker", 0)
  let seen: ReadonlyArray<string> = []
  let asked = 0
  const scheduler: VirtualScheduler = new VirtualScheduler({
    seed: 1,
    startsAt: 0,
    choose: () => {
      asked += 1
      if (asked === 2)
        seen = scheduler.waiting.map((one) => `${one.name} ${one.history?.name} ${one.wait} ${one.history?.history}`)
      return asked === 1 ? first : 0
    }
  })
  const fiber = Effect.andThen(wait(scheduler), scheduler.park("transaction"))
  scheduler.run(
    Effect.provideService(Effect.all([fiber, fiber], { concurrency: "unbounded", discard: true }), CurrentHistory, line)
  )
  return [...seen].sort()
}

describe("fibers with a shared history", () => {
  it("Fibers with a shared history are distinguished by the released one", () => {
    const park = (scheduler: VirtualScheduler) => scheduler.park("claim")
    assert.notDeepEqual(afterChoosing(0, park), afterChoosing(1, park))
    assert.deepStrictEqual(afterChoosing(1, park), afterChoosing(1, park))
  })

  it("Fibers with a shared history are distinguished by the order of timers due at one time", () => {
    const sleep = () => Effect.sleep(1000)
    assert.notDeepEqual(afterChoosing(0, sleep), afterChoosing(1, sleep))
  })
})

describe("observations in the state hash", () => {
  const at = (moment: string, observation: Observation): TimedObservation => ({ ...observation, at: moment as Instant })
  const digestsOf = (...all: ReadonlyArray<TimedObservation>) => {
    const histories = new ActorHistories()
    for (const observed of all) histories.observe(observed)
    return histories.digests
  }
  const step = { kind: "step", step: 1, actor: undefined, operation: "advance", repeats: undefined } as const

  it("The state hash includes the start time of a step", () => {
    assert.notDeepEqual(
      digestsOf(at("2026-11-02T09:00:00.000Z", step)),
      digestsOf(at("2026-11-02T09:00:01.000Z", step))
    )
  })

  it("The state hash includes the crash of a process", () => {
    const crashed = { kind: "process", process: "service", did: "CRASHED" } as const
    assert.notDeepEqual(digestsOf(at("2026-11-02T09:00:00.000Z", crashed)), digestsOf())
  })

  it("The state hash does not depend on the order of observations of different actors", () => {
    const request = (actor: string): TimedObservation =>
      at("2026-11-02T09:00:00.000Z", {
        kind: "request",
        actor,
        method: "GET",
        path: "/",
        with: undefined,
        body: undefined,
        lost: false
      })
    assert.deepStrictEqual(digestsOf(request("a"), request("b")), digestsOf(request("b"), request("a")))
  })
})
