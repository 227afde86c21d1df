/** Background work during the steps of a scenario: quiescence and the scheduled mutex. */
import { Effect, Exit, Fiber, Queue } from "effect"
import { assert, describe, it } from "vitest"
import { Actor } from "../../../simulator/kernel/actor.ts"
import { VirtualScheduler } from "../../../simulator/kernel/scheduler.ts"
import { ScheduledMutex } from "../../../simulator/kernel/scheduled-mutex.ts"

const kernel = () => new VirtualScheduler({ seed: 1, startsAt: 0 })
const as = (name: string) => Effect.provideService(Actor, name)

const run = <A>(world: VirtualScheduler, effect: Effect.Effect<A>): A => valueOf(world.run(effect))

const valueOf = <A>(exit: Exit.Exit<A, unknown>): A => (Exit.isSuccess(exit) ? exit.value : assert.fail(String(exit)))

/** An external call in real time. */
const wait = (milliseconds: number) =>
  Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)))

const outside = (world: VirtualScheduler, milliseconds: number) => world.external("outside", () => wait(milliseconds))

describe("quiescence", () => {
  it("A wait for quiescence ends when no event is possible at the current virtual time, and no later", () => {
    const world = kernel()
    const seen: Array<string> = []
    const say = (what: string) => Effect.sync(() => void seen.push(`${what} ${world.now}`))
    const beside = say("parks").pipe(
      Effect.andThen(world.park("somewhere")),
      Effect.andThen(say("sleeps")),
      Effect.andThen(Effect.sleep(1000)),
      Effect.andThen(say("wakes"))
    )
    const steps = Effect.gen(function* () {
      yield* Effect.forkDetach(beside)
      yield* world.settled
      yield* say("first")
      yield* Effect.sleep(1000)
      yield* world.settled
      yield* say("second")
    })
    run(world, steps)
    assert.deepStrictEqual(seen, ["parks 0", "sleeps 0", "first 0", "wakes 1000", "second 1000"])
  })

  it("Waiters for quiescence resume in last-in, first-out order", () => {
    const world = kernel()
    const seen: Array<string> = []
    const waits = (name: string) =>
      Effect.andThen(
        world.settled,
        Effect.sync(() => void seen.push(name))
      )
    const inner = Effect.andThen(waits("inner"), waits("inner again"))
    run(world, Effect.andThen(Effect.forkDetach(Effect.andThen(Effect.yieldNow, inner)), waits("outer")))
    assert.deepStrictEqual(seen, ["inner", "inner again", "outer"])
  })
})

describe("scheduled mutex", () => {
  /** Two actors acquire the mutex twice each, with the critical sections `first` and `second`. */
  const crossing = (world: VirtualScheduler, first: Effect.Effect<void>, second: Effect.Effect<void>) =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const { withLock } = new ScheduledMutex(world)
      const twice = (name: string, inside: Effect.Effect<void>) =>
        Effect.forEach([1, 2], (time) =>
          withLock(
            "turn",
            Effect.sync(() => void seen.push(`${name}${time} in`)).pipe(
              Effect.andThen(inside),
              Effect.andThen(Effect.sync(() => void seen.push(`${name}${time} out`)))
            )
          )
        ).pipe(as(name))
      yield* Effect.all([twice("a", first), twice("b", second)], { concurrency: "unbounded" })
      return seen
    })

  const inTurn = ["a1 in", "a1 out", "b1 in", "b1 out", "a2 in", "a2 out", "b2 in", "b2 out"]

  it("A scheduled mutex admits one fiber at a time, in the order of arrival", () => {
    const world = kernel()
    assert.deepStrictEqual(run(world, crossing(world, Effect.void, Effect.void)), inTurn)
  })

  it("A scheduled mutex keeps its order with external calls in its critical sections", async () => {
    for (const [first, second] of [
      [5, 0],
      [0, 5],
      [5, 1]
    ] as const) {
      const world = kernel()
      const inside = (milliseconds: number) => (milliseconds === 0 ? Effect.void : outside(world, milliseconds))
      const seen = await world.runAsync(crossing(world, inside(first), inside(second)))
      assert.deepStrictEqual(valueOf(seen), inTurn)
    }
  })

  it("A scheduled mutex keeps its order if the holder wakes another fiber", async () => {
    for (const milliseconds of [0, 5]) {
      const world = kernel()
      const { withLock } = new ScheduledMutex(world)
      const seen: Array<string> = []
      const say = (what: string) => Effect.sync(() => void seen.push(what))
      const program = Effect.gen(function* () {
        const rings = yield* Queue.sliding<void>(1)
        const ring = Queue.offer(rings, undefined)
        yield* Effect.forkDetach(Effect.andThen(Queue.take(rings), withLock("turn", say("woken"))))
        yield* world.settled
        // As on a real store, the wake-up occurs before the call returns.
        yield* withLock(
          "turn",
          milliseconds === 0 ? ring : world.external("outside", () => Effect.andThen(wait(milliseconds), ring))
        )
        yield* withLock("turn", say("continues"))
      })
      valueOf(await world.runAsync(program))
      assert.deepStrictEqual(seen, ["woken", "continues"])
    }
  })

  it("A scheduled mutex is released after a failure and after an interruption of a holder or waiter", () => {
    const world = kernel()
    const { withLock } = new ScheduledMutex(world)
    const program = Effect.gen(function* () {
      yield* Effect.exit(withLock("turn", Effect.die("inside")))
      const inside = yield* Effect.forkDetach(withLock("turn", Effect.sleep(1000)))
      const inLine = yield* Effect.forkDetach(withLock("turn", Effect.die("never begun")))
      yield* world.settled
      yield* Effect.all([Fiber.interrupt(inside), Fiber.interrupt(inLine)], { concurrency: "unbounded" })
      return yield* withLock("turn", Effect.succeed("through"))
    })
    assert.strictEqual(run(world, program), "through")
  })
})
