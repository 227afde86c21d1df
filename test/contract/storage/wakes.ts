/** What runs after a commit: once for what is durable, and never for what is not. */
import { assert } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { Accounts, Facts } from "../tables.ts"
import { balanceOf, openAccounts, project, test, type Fresh, type Store } from "./processes.ts"
import { fact } from "./ranges.ts"

/** Adds one to account a, and has the balance that another reader sees then noted down. */
const addOneNoting = <E = never>(
  store: Store,
  reader: Store,
  seen: Array<number | undefined>,
  then: Effect.Effect<void, E> = Effect.void
) =>
  store.transaction({ roots: [project("a")] }, (transaction) =>
    Effect.gen(function* () {
      const row = yield* transaction.get(Accounts, ["a"])
      yield* transaction.afterCommit(Effect.map(balanceOf(reader, "a"), (balance) => void seen.push(balance)))
      yield* transaction.insert(Facts, fact("f"))
      yield* transaction.update(Accounts, ["a"], { balance: row!.balance + 1 })
      yield* then
    })
  )

export const wakeContract = (fresh: Fresh): void => {
  test(fresh, "it runs once, when another reader sees what was written", ({ here, there }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const seen: Array<number | undefined> = []
      yield* addOneNoting(here, there, seen)
      assert.deepStrictEqual(seen, [1])
    })
  )

  test(fresh, "what was asked for first runs first", ({ here }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const ran: Array<string> = []
      yield* here.transaction({ roots: [project("a")] }, (transaction) =>
        Effect.gen(function* () {
          for (const name of ["first", "second"]) yield* transaction.afterCommit(Effect.sync(() => void ran.push(name)))
          yield* transaction.update(Accounts, ["a"], { balance: 1 })
        })
      )
      assert.deepStrictEqual(ran, ["first", "second"])
    })
  )

  for (const [name, then] of [
    ["a refusal", Effect.fail("refused" as const)],
    ["a defect", Effect.die(new Error("thrown"))],
    ["an interruption", Effect.interrupt]
  ] as const) {
    test(fresh, `after ${name} it does not run`, ({ here, there }) =>
      Effect.gen(function* () {
        yield* openAccounts(here, ["a"])
        const seen: Array<number | undefined> = []
        assert.isTrue(Exit.isFailure(yield* Effect.exit(addOneNoting(here, there, seen, then))))
        yield* addOneNoting(there, here, [])
        assert.deepStrictEqual(seen, [])
      })
    )
  }

  for (const code of ["40001", "40P01"] as const) {
    test(fresh, `after ${code} it runs for the attempt that was committed only`, ({ here, there, failOnce }) =>
      Effect.gen(function* () {
        yield* openAccounts(here, ["a"])
        yield* failOnce(code)
        const seen: Array<number | undefined> = []
        yield* addOneNoting(here, there, seen)
        assert.deepStrictEqual(seen, [1])
      })
    )
  }

  test(fresh, "it does not run where the store cannot serve", ({ here, there, failOnce }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      yield* failOnce("53200")
      const seen: Array<number | undefined> = []
      assert.isTrue(Exit.isFailure(yield* Effect.exit(addOneNoting(here, there, seen))))
      assert.deepStrictEqual(seen, [])
    })
  )

  test(fresh, "whoever asked may have gone while it was committed: it runs all the same", ({ here, there }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const seen: Array<number | undefined> = []
      // The body ends in this turn, and the answer to the commit comes in a later one.
      const leave = Effect.withFiber<void>((fiber) => Effect.sync(() => queueMicrotask(() => fiber.interruptUnsafe())))
      const fiber = yield* Effect.forkChild(addOneNoting(here, there, seen, leave))
      yield* Fiber.await(fiber)
      const committed = yield* balanceOf(there, "a")
      assert.deepStrictEqual(seen, committed === 1 ? [1] : [])
    })
  )
}
