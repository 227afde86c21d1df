import { assert, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber } from "effect"
import { BoundedConcurrency } from "../../../src/ports/storage/bounded-concurrency.ts"

/** Holds the lock with `first`, queues the others in order, and returns the order in which they ran. */
const orderOf = (hold: (work: Effect.Effect<void>, isUrgent: boolean) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const ran: Array<string> = []
    const release = yield* Deferred.make<void>()
    const held = yield* Effect.forkChild(hold(Deferred.await(release), false), { startImmediately: true })
    const lineUp = (name: string) =>
      Effect.forkChild(
        hold(
          Effect.sync(() => void ran.push(name)),
          name.startsWith("urgent")
        ),
        { startImmediately: true }
      )
    const waiting = yield* Effect.forEach(["a", "b", "urgent 1", "c", "urgent 2"], lineUp)
    yield* Deferred.succeed(release, undefined)
    yield* Fiber.await(held)
    yield* Effect.forEach(waiting, Fiber.await)
    return ran
  })

const urgentFirst = ["urgent 1", "urgent 2", "a", "b", "c"]

it.effect("An urgent transaction is queued ahead of all others that wait for a connection, in its own order", () =>
  Effect.gen(function* () {
    const turns = new BoundedConcurrency(1, Duration.seconds(5))
    const take = (work: Effect.Effect<void>, isUrgent: boolean) => turns.run(work, undefined, isUrgent)
    assert.deepStrictEqual(yield* orderOf(take), urgentFirst)
  })
)
