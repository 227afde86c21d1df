/** What the store reports: run again with the same result, or unavailable with nothing done. */
import { assert } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { StorageUnavailable } from "../../../src/ports/storage.ts"
import { Accounts, Facts } from "../tables.ts"
import { balanceOf, openAccounts, project, test, type Fresh, type Store } from "./processes.ts"
import { fact } from "./ranges.ts"

const command = (store: Store, ran: { times: number }) =>
  store.transaction({ roots: [project("a")] }, (transaction) =>
    Effect.gen(function* () {
      ran.times += 1
      const row = yield* transaction.get(Accounts, ["a"])
      yield* transaction.insert(Facts, fact("f"))
      yield* transaction.update(Accounts, ["a"], { balance: row!.balance + 1 })
      return "done"
    })
  )

export const failureContract = (fresh: Fresh): void => {
  for (const code of ["40001", "40P01"] as const) {
    test(fresh, `after ${code} the body runs again, to the same result`, ({ here, failOnce }) =>
      Effect.gen(function* () {
        yield* openAccounts(here, ["a"])
        yield* failOnce(code)
        const ran = { times: 0 }
        assert.strictEqual(yield* command(here, ran), "done")
        assert.strictEqual(ran.times, 2)
        assert.strictEqual(yield* balanceOf(here, "a"), 1)
      })
    )
  }

  for (const code of ["53200", "57014", "25006"] as const) {
    test(fresh, `after ${code} the store is unavailable and nothing was done`, ({ here, there, failOnce }) =>
      Effect.gen(function* () {
        yield* openAccounts(here, ["a"])
        yield* failOnce(code)
        const ran = { times: 0 }
        const exit = yield* Effect.exit(command(here, ran))
        assert.instanceOf(Exit.isFailure(exit) && Cause.squash(exit.cause), StorageUnavailable)
        assert.strictEqual(ran.times, 1)
        assert.strictEqual(yield* balanceOf(there, "a"), 0)
        assert.strictEqual(yield* command(there, ran), "done")
      })
    )
  }

  test(fresh, "tells its health", ({ here }) =>
    Effect.gen(function* () {
      const health = yield* here.health
      assert.isTrue(health.writable)
      assert.isBelow(Math.abs(health.clockOffset), 60_000)
    })
  )
}
