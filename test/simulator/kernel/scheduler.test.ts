import { Clock, DateTime, Effect, Exit, Fiber, Random, Schedule } from "effect"
import { SecureRandom } from "effect/crypto"
import { assert, describe, it } from "vitest"
import { Actor } from "../../../simulator/kernel/actor.ts"
import { ScheduleReplay } from "../../../simulator/search/minimize/replay.ts"
import type { Choose } from "../../../simulator/kernel/choice.ts"
import { VirtualScheduler } from "../../../simulator/kernel/scheduler.ts"
import { RandomStream } from "../../../simulator/kernel/prng.ts"

const startsAt = Date.UTC(2026, 0, 5)
const kernel = (options: { seed?: number; choose?: Choose } = {}) =>
  new VirtualScheduler({ seed: 1, startsAt, ...options })

const as = (name: string) => Effect.provideService(Actor, name)

/** The lost update anomaly: two actors read a number and write its successor. */
const lostUpdate = (world: VirtualScheduler) =>
  Effect.gen(function* () {
    let stored = 0
    const increment = Effect.gen(function* () {
      yield* world.park("read")
      const seen = stored
      yield* world.park("write")
      stored = seen + 1
    })
    yield* Effect.all([increment.pipe(as("A")), increment.pipe(as("B"))], { concurrency: "unbounded" })
    return stored
  })

/** Runs a program under all its schedules. */
const exhaustively = <A>(program: (world: VirtualScheduler) => Effect.Effect<A>) => {
  const seen: Array<{ schedule: ReadonlyArray<string>; result: Exit.Exit<A, unknown> }> = []
  for (let prefix: Array<number> | undefined = []; prefix !== undefined;) {
    const taken: Array<{ index: number; width: number }> = []
    const start: ReadonlyArray<number> = prefix
    const schedule: Array<string> = []
    const world = kernel({
      choose: (options) => {
        const index = start[taken.length] ?? 0
        taken.push({ index, width: options.length })
        schedule.push(options[index] ?? "nothing")
        return index
      }
    })
    const result = world.run(program(world))
    seen.push({ schedule, result })
    const last = taken.findLastIndex(({ index, width }) => index + 1 < width)
    prefix = last < 0 ? undefined : [...taken.slice(0, last).map(({ index }) => index), (taken[last]?.index ?? 0) + 1]
  }
  return seen
}

const message = (exit: Exit.Exit<unknown, unknown>): string => {
  const failure = Exit.isFailure(exit) ? exit.cause.reasons[0] : undefined
  return failure?._tag === "Fail" && failure.error instanceof Error ? failure.error.message : String(exit)
}

/** An effect in real time. */
const after = (milliseconds: number) =>
  Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)))

/** Three events at the same virtual time. */
const race = (world: VirtualScheduler) =>
  Effect.gen(function* () {
    const order: Array<string> = []
    const party = (name: string) =>
      Effect.sleep("1 hour").pipe(Effect.andThen(Effect.sync(() => order.push(name))), as(name))
    const third = world
      .park("commit")
      .pipe(Effect.andThen(Effect.sync(() => order.push("call"))), Effect.delay("1 hour"), as("C"))
    yield* Effect.all([party("A"), party("B"), third], { concurrency: "unbounded" })
    return order.join("")
  })

const ids = (stream: string) =>
  Effect.gen(function* () {
    const random = yield* SecureRandom.SecureRandom
    return [yield* random.uuidV4(), yield* random.uuidV4()]
  }).pipe(Effect.provideService(RandomStream, stream))

/** The ids that two actors draw in one world. */
const draws = (seed: number, extra: boolean) => {
  const world = kernel({ seed })
  const program = Effect.gen(function* () {
    if (extra) yield* Effect.andThen(ids("intruder"), Random.next)
    return { scout: yield* ids("scout"), courier: yield* ids("courier") }
  })
  const exit = world.run(program)
  return Exit.isSuccess(exit) ? exit.value : assert.fail("the draws failed")
}

const choosing =
  (following: ScheduleReplay): Choose =>
  (options) => {
    const since = { reads: new Set<string>(), writes: new Set<string>(), isVisible: true }
    const chosen = following.decide({ kind: "order", options, offers: [], footprint: since, stateHash: () => "" })
    return chosen === "CUT" ? assert.fail("the run ends here") : chosen
  }

describe("choice points", () => {
  it("The lost update of two actors has exactly six interleavings, and four of them lose an update", () => {
    const seen = exhaustively(lostUpdate)
    assert.strictEqual(seen.length, 6)
    assert.strictEqual(new Set(seen.map(({ schedule }) => schedule.join())).size, 6)
    assert.strictEqual(seen.filter(({ result }) => Exit.isSuccess(result) && result.value === 1).length, 4)
  })

  it("A saved schedule replays exactly, and an inapplicable one reports its divergence", () => {
    for (const { schedule, result } of exhaustively(lostUpdate)) {
      const world = kernel({ choose: choosing(new ScheduleReplay({ names: schedule, how: "STRICT" })) })
      assert.deepStrictEqual(world.run(lostUpdate(world)), result)
    }
    const parting = new ScheduleReplay({ names: ["A:read", "C:write"], how: "STRICT" })
    const world = kernel({ choose: choosing(parting) })
    assert.throws(() => world.run(lostUpdate(world)), "the run ends here")
    assert.deepStrictEqual(parting.divergence, { choice: 2, wanted: "C:write", offered: ["B:read", "A:write"] })
  })

  it("Timers with the same due time and a parked call are options of one choice", () => {
    const results = new Set(exhaustively(race).map(({ result }) => (Exit.isSuccess(result) ? result.value : "failed")))
    assert.deepStrictEqual(
      [...results].toSorted(),
      ["ABcall", "AcallB", "BAcall", "BcallA", "callAB", "callBA"].toSorted()
    )
  })

  it("Interrupted calls and timers are not options", () => {
    const world = kernel({ choose: () => assert.fail("there was nothing to choose between") })
    const program = Effect.gen(function* () {
      yield* Effect.race(world.park("one"), Effect.void)
      yield* Effect.timeoutOption(world.park("two"), "1 second")
      yield* Effect.sleep("1 second")
      return yield* Clock.currentTimeMillis
    })
    assert.deepStrictEqual(world.run(program), Exit.succeed(startsAt + 1000))
  })
})

describe("virtual time", () => {
  it("Virtual time advances directly to the next timer, and never while a fiber is ready", () => {
    const world = kernel()
    const seen: Array<string> = []
    const note = (what: string) =>
      Effect.map(DateTime.now, (now) => void seen.push(`${DateTime.formatIso(now)} ${what}`))
    const program = Effect.gen(function* () {
      const worker = yield* Effect.forkChild(
        note("tick").pipe(Effect.repeat(Schedule.spaced("20 minutes")), Effect.delay("15 minutes"))
      )
      yield* Effect.sleep("0.4 millis")
      yield* note("rounded up to a whole millisecond")
      yield* Effect.sleep("1 hour")
      yield* Fiber.interrupt(worker)
    })
    assert.deepStrictEqual(world.run(program), Exit.void)
    assert.deepStrictEqual(seen, [
      "2026-01-05T00:00:00.001Z rounded up to a whole millisecond",
      "2026-01-05T00:15:00.000Z tick",
      "2026-01-05T00:35:00.000Z tick",
      "2026-01-05T00:55:00.000Z tick"
    ])
    assert.strictEqual(world.now, startsAt + 3_600_001)
  })

  it("Timers every fifteen seconds for a year have no drift", () => {
    const world = kernel()
    let ticks = 0
    const program = Effect.gen(function* () {
      yield* Effect.forkChild(
        Effect.sync(() => ticks++).pipe(Effect.delay("15 seconds"), Effect.forever({ disableYield: true }))
      )
      yield* Effect.sleep("365 days")
    })
    assert.deepStrictEqual(world.run(program), Exit.void)
    assert.strictEqual(world.now, startsAt + 365 * 24 * 3_600_000)
    assert.isAtLeast(ticks, 365 * 24 * 240 - 1)
  })
})

describe("randomness", () => {
  it("Randomness is a function of the seed", () => {
    assert.deepStrictEqual(draws(1, false), draws(1, false))
    assert.notDeepEqual(draws(1, false), draws(2, false))
  })

  it("An additional consumer does not change the draws of other streams", () => {
    assert.deepStrictEqual(draws(1, true), draws(1, false))
  })

  it("A random stream returns the same bytes for any partition, and no block twice", () => {
    const whole = kernel().streams.bytes("s", 100)
    const { streams } = kernel()
    const pieces = [7, 0, 32, 1, 60].flatMap((size) => [...streams.bytes("s", size)])
    assert.deepStrictEqual(pieces, [...whole])
    assert.notDeepEqual([...whole.subarray(0, 32)], [...whole.subarray(32, 64)])
  })
})

describe("deadlocks", () => {
  it("A fiber that waits forever is a deadlock", () => {
    assert.include(message(kernel().run(Effect.never)), "waits for an event that cannot occur")
  })

  it("A Promise in a synchronous run is a deadlock that names its source location", () => {
    const leak = Effect.promise(async () => 1)
    assert.match(message(kernel().run(leak)), /a real Promise at .*test\/simulator\/[\w/-]+\.test\.ts:\d+:\d+/)
  })

  it("An external call in a synchronous run is a deadlock that names the call", () => {
    const world = kernel()
    const call = world.external("postgres.begin", () => Effect.promise(() => Promise.resolve(1)))
    assert.include(message(world.run(call)), "waits for the external call postgres.begin")
  })
})

describe("external calls", () => {
  it("Virtual time is frozen during external calls and advances without them", async () => {
    const world = kernel()
    const program = Effect.gen(function* () {
      const worker = yield* Effect.forkChild(Effect.sleep("1 second"))
      yield* world.external("read", () => after(20))
      const during = yield* Clock.currentTimeMillis
      yield* Fiber.join(worker)
      return [during, yield* Clock.currentTimeMillis]
    })
    assert.deepStrictEqual(await world.runAsync(program), Exit.succeed([startsAt, startsAt + 1000]))
  })

  it("External calls resume in the order of their start, independent of their duration", async () => {
    const world = kernel()
    const order: Array<string> = []
    const call = (name: string, milliseconds: number) =>
      world.external(name, () => after(milliseconds)).pipe(Effect.andThen(Effect.sync(() => order.push(name))))
    await world.runAsync(
      Effect.all([call("slow", 30), call("fast", 1), call("middle", 10)], { concurrency: "unbounded" })
    )
    assert.deepStrictEqual(order, ["slow", "fast", "middle"])
  })

  it("The body of an external transaction runs in the simulator and may park and sleep", async () => {
    const world = kernel()
    const transaction = world.external("transaction", (inside) =>
      Effect.gen(function* () {
        yield* after(1)
        const body = yield* inside(world.park("statement").pipe(Effect.andThen(Effect.sleep("1 minute")), Effect.as(7)))
        yield* after(1)
        return body
      })
    )
    assert.deepStrictEqual(await world.runAsync(transaction), Exit.succeed(7))
    assert.strictEqual(world.now, startsAt + 60_000)
  })

  it("An interrupted external call does not freeze virtual time", async () => {
    const world = kernel()
    const program = Effect.gen(function* () {
      const call = yield* Effect.forkChild(world.external("read", () => after(60_000)))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(call)
      yield* Effect.sleep("1 day")
    })
    assert.deepStrictEqual(await world.runAsync(program), Exit.void)
  })

  it("An unregistered Promise is a deadlock in an asynchronous run", async () => {
    assert.include(message(await kernel().runAsync(after(5))), "deadlock")
  })
})
