import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Histories } from "../../../simulator/explore/world-hash.ts"
import { Kernel } from "../../../simulator/kernel/kernel.ts"
import { InLine, Line } from "../../../simulator/kernel/line.ts"
import type { Observation, Observed } from "../../../simulator/observation.ts"
import type { Instant } from "../../../src/vocabulary/instant.ts"

/** How two fibers that share a history stand once one of them went on, and what it had waited for. */
const afterChoosing = (first: number, wait: (kernel: Kernel) => Effect.Effect<void>): ReadonlyArray<string> => {
  const line = new Line("worker", 0)
  let seen: ReadonlyArray<string> = []
  let asked = 0
  const kernel: Kernel = new Kernel({
    seed: 1,
    startsAt: 0,
    choose: () => {
      asked += 1
      if (asked === 2)
        seen = kernel.waiting.map((one) => `${one.name} ${one.line?.name} ${one.wait} ${one.line?.history}`)
      return asked === 1 ? first : 0
    }
  })
  const fiber = Effect.andThen(wait(kernel), kernel.park("transaction"))
  kernel.run(
    Effect.provideService(Effect.all([fiber, fiber], { concurrency: "unbounded", discard: true }), InLine, line)
  )
  return [...seen].sort()
}

describe("fibers that share a history are told apart", () => {
  it("by which of them was let go", () => {
    const park = (kernel: Kernel) => kernel.park("claim")
    assert.notDeepEqual(afterChoosing(0, park), afterChoosing(1, park))
    assert.deepStrictEqual(afterChoosing(1, park), afterChoosing(1, park))
  })

  it("by whose timer was first of those at one moment", () => {
    const sleep = () => Effect.sleep(1000)
    assert.notDeepEqual(afterChoosing(0, sleep), afterChoosing(1, sleep))
  })
})

describe("what was observed", () => {
  const at = (moment: string, observation: Observation): Observed => ({ ...observation, at: moment as Instant })
  const digestsOf = (...all: ReadonlyArray<Observed>) => {
    const histories = new Histories()
    for (const observed of all) histories.observe(observed)
    return histories.digests
  }
  const step = { kind: "step", step: 1, actor: undefined, operation: "advance", repeats: undefined } as const

  it("keeps when a step began", () => {
    assert.notDeepEqual(
      digestsOf(at("2026-11-02T09:00:00.000Z", step)),
      digestsOf(at("2026-11-02T09:00:01.000Z", step))
    )
  })

  it("keeps that a process is gone, which nobody who asked it is told", () => {
    const crashed = { kind: "process", process: "service", did: "CRASHED" } as const
    assert.notDeepEqual(digestsOf(at("2026-11-02T09:00:00.000Z", crashed)), digestsOf())
  })

  it("is the same whatever other actors did before", () => {
    const request = (actor: string): Observed =>
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
