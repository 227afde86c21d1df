import { Effect, Exit, Fiber } from "effect"
import { assert, describe, it } from "vitest"
import { VirtualScheduler } from "../../../simulator/kernel/scheduler.ts"
import {
  withInterleavingHook,
  CurrentHook,
  InterleavingHook
} from "../../../simulator/environment/interleaving-hook.ts"
import { exclusive, type LockKey, shared, Storage, type Transaction } from "../../../src/ports/storage.ts"

const closed = new Proxy({} as Transaction, { get: () => Effect.die("no reads here") })

const world = () => {
  /** Transactions by the kinds of their locks, and the events between them, in order. */
  const seen: Array<string> = []
  const storage = withInterleavingHook(
    Storage.of({
      transaction: ({ locks }, body) =>
        Effect.suspend(() => {
          seen.push(locks.map(({ kind }) => kind).join(" "))
          return body(closed)
        }),
      view: () => Effect.die("no view"),
      claim: () => Effect.succeed([]),
      health: Effect.die("no health")
    })
  )
  const transact = (...locks: ReadonlyArray<LockKey>) => storage.transaction({ locks }, () => Effect.void)
  return { seen, transact }
}

const command = [shared("membership", "m"), shared("grant", "g"), exclusive("project", "p")]

describe("interleaving hook", () => {
  it("The interleaving hook runs once, before the first transaction that is not a last-used update", () => {
    const { seen, transact } = world()
    const meanwhile = new InterleavingHook()
    const request = Effect.all([
      transact(exclusive("credential", "c")),
      transact(exclusive("person", "d")),
      transact(...command),
      transact(...command)
    ])
    const program = Effect.gen(function* () {
      const asking = yield* Effect.forkDetach(Effect.provideService(request, CurrentHook, meanwhile))
      yield* meanwhile.reached
      yield* transact(shared("person", "d"), exclusive("grant", "g"))
      seen.push("ended")
      yield* meanwhile.resume
      yield* Fiber.join(asking)
    })
    const ended = new VirtualScheduler({ seed: 1, startsAt: 0 }).run(program)
    assert.isTrue(Exit.isSuccess(ended))
    const held = "membership grant project"
    assert.deepStrictEqual(seen, ["credential", "person", "person grant", "ended", held, held])
  })

  it("A transaction without an interleaving hook runs immediately", () => {
    const { seen, transact } = world()
    Effect.runSync(transact(...command))
    assert.strictEqual(seen.length, 1)
  })
})
