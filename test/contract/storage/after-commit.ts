/** After-commit actions: they run once for a committed transaction, and never for another one. */
import { assert } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { Accounts, Facts } from "../tables.ts"
import { balanceOf, openAccounts, project, test, type EmptyStore, type Store } from "./processes.ts"
import { fact } from "./ranges.ts"

/** Adds one to account a, and records after the commit the balance that another reader sees. */
const addOneRecording = <E = never>(
  store: Store,
  reader: Store,
  balances: Array<number | undefined>,
  then: Effect.Effect<void, E> = Effect.void
) =>
  store.transaction({ locks: [project("a")] }, (transaction) =>
    Effect.gen(function* () {
      const row = yield* transaction.get(Accounts, ["a"])
      yield* transaction.afterCommit(Effect.map(balanceOf(reader, "a"), (balance) => void balances.push(balance)))
      yield* transaction.insert(Facts, fact("f"))
      yield* transaction.update(Accounts, ["a"], { balance: row!.balance + 1 })
      yield* then
    })
  )

export const afterCommitContract = (fresh: EmptyStore): void => {
  test(fresh, "An after-commit action runs once, when other readers see the writes.", ({ here, there }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const balances: Array<number | undefined> = []
      yield* addOneRecording(here, there, balances)
      assert.deepStrictEqual(balances, [1])
    })
  )

  test(fresh, "After-commit actions run in the order of their registration.", ({ here }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const order: Array<string> = []
      yield* here.transaction({ locks: [project("a")] }, (transaction) =>
        Effect.gen(function* () {
          for (const name of ["first", "second"])
            yield* transaction.afterCommit(Effect.sync(() => void order.push(name)))
          yield* transaction.update(Accounts, ["a"], { balance: 1 })
        })
      )
      assert.deepStrictEqual(order, ["first", "second"])
    })
  )

  for (const [name, then] of [
    ["a refusal", Effect.fail("refused" as const)],
    ["a defect", Effect.die(new Error("thrown"))],
    ["an interruption", Effect.interrupt]
  ] as const) {
    test(fresh, `An after-commit action does not run after ${name}.`, ({ here, there }) =>
      Effect.gen(function* () {
        yield* openAccounts(here, ["a"])
        const balances: Array<number | undefined> = []
        assert.isTrue(Exit.isFailure(yield* Effect.exit(addOneRecording(here, there, balances, then))))
        yield* addOneRecording(there, here, [])
        assert.deepStrictEqual(balances, [])
      })
    )
  }

  for (const code of ["40001", "40P01"] as const) {
    test(
      fresh,
      `After ${code} the after-commit action runs only for the committed attempt.`,
      ({ here, there, failOnce }) =>
        Effect.gen(function* () {
          yield* openAccounts(here, ["a"])
          yield* failOnce(code)
          const balances: Array<number | undefined> = []
          yield* addOneRecording(here, there, balances)
          assert.deepStrictEqual(balances, [1])
        })
    )
  }

  test(fresh, "An after-commit action does not run when the store is unavailable.", ({ here, there, failOnce }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      yield* failOnce("53200")
      const balances: Array<number | undefined> = []
      assert.isTrue(Exit.isFailure(yield* Effect.exit(addOneRecording(here, there, balances))))
      assert.deepStrictEqual(balances, [])
    })
  )

  test(fresh, "An after-commit action runs even if the caller was interrupted during the commit.", ({ here, there }) =>
    Effect.gen(function* () {
      yield* openAccounts(here, ["a"])
      const balances: Array<number | undefined> = []
      // The body ends in this turn, and the answer to the COMMIT arrives in a later one.
      const interruptSelf = Effect.withFiber<void>((fiber) =>
        Effect.sync(() => queueMicrotask(() => fiber.interruptUnsafe()))
      )
      const fiber = yield* Effect.forkChild(addOneRecording(here, there, balances, interruptSelf))
      yield* Fiber.await(fiber)
      const committed = yield* balanceOf(there, "a")
      assert.deepStrictEqual(balances, committed === 1 ? [1] : [])
    })
  )
}
