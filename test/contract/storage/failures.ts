/** Failures of the store: a transient one is retried with the same result, any other is reported without an effect. */
import { assert } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { StorageUnavailable } from "../../../src/ports/storage.ts"
import { Accounts, Facts } from "../tables.ts"
import { balanceOf, openAccounts, project, test, type EmptyStore, type Store } from "./processes.ts"
import { fact } from "./ranges.ts"

const command = (store: Store, counter: { times: number }) =>
  store.transaction({ locks: [project("a")] }, (transaction) =>
    Effect.gen(function* () {
      counter.times += 1
      const row = yield* transaction.get(Accounts, ["a"])
      yield* transaction.insert(Facts, fact("f"))
      yield* transaction.update(Accounts, ["a"], { balance: row!.balance + 1 })
      return "done"
    })
  )

export const failureContract = (fresh: EmptyStore): void => {
  for (const code of ["40001", "40P01"] as const) {
    test(fresh, `After ${code} the transaction is retried with the same result.`, ({ here, failOnce }) =>
      Effect.gen(function* () {
        yield* openAccounts(here, ["a"])
        yield* failOnce(code)
        const counter = { times: 0 }
        assert.strictEqual(yield* command(here, counter), "done")
        assert.strictEqual(counter.times, 2)
        assert.strictEqual(yield* balanceOf(here, "a"), 1)
      })
    )
  }

  for (const code of ["53200", "57014", "25006"] as const) {
    test(
      fresh,
      `After ${code} the store is unavailable, and the transaction has no effect.`,
      ({ here, there, failOnce }) =>
        Effect.gen(function* () {
          yield* openAccounts(here, ["a"])
          yield* failOnce(code)
          const counter = { times: 0 }
          const exit = yield* Effect.exit(command(here, counter))
          assert.instanceOf(Exit.isFailure(exit) && Cause.squash(exit.cause), StorageUnavailable)
          assert.strictEqual(counter.times, 1)
          assert.strictEqual(yield* balanceOf(there, "a"), 0)
          assert.strictEqual(yield* command(there, counter), "done")
        })
    )
  }

  test(fresh, "A store reports its health.", ({ here }) =>
    Effect.gen(function* () {
      const health = yield* here.health
      assert.isTrue(health.writable)
      assert.isBelow(Math.abs(health.clockOffset), 60_000)
    })
  )
}
