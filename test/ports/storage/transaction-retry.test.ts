/** The classification of failed attempts: which are repeated, and how metrics name their causes. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { StorageUnavailable } from "../../../src/ports/storage.ts"
import { retryUntilSettled, type Attempt } from "../../../src/ports/storage/transaction-retry.ts"
import { valuesByLabels, withOwnMetrics } from "../../support/metrics.ts"

const ended: Attempt<string, never> = { _tag: "Ended", exit: Exit.succeed("done") }

const failed = (code: string, raced = false): Attempt<string, never> => ({
  _tag: "Failed",
  failure: { code, reason: "a statement", raced }
})

/** The exit of a transaction whose attempts end in turn as given, the last one repeatedly, and what was counted. */
const run = (...attempts: ReadonlyArray<Attempt<string, never>>) =>
  withOwnMetrics(
    Effect.gen(function* () {
      const left = [...attempts]
      const attempt = Effect.sync(() => (left.length > 1 ? left.shift()! : left[0]!))
      const running = yield* Effect.forkChild(Effect.exit(retryUntilSettled(attempt)))
      yield* TestClock.adjust("1 minute")
      return {
        exit: yield* Fiber.join(running),
        repeated: yield* valuesByLabels("countersign_transaction_retries_total"),
        givenUp: yield* valuesByLabels("countersign_transactions_failed_total")
      }
    })
  )

describe("failed attempts", () => {
  it.effect.each([
    ["40001", "SERIALIZATION", 10],
    ["40P01", "DEADLOCK", 10],
    ["commit-aborted", "COMMIT_ABORTED", 10],
    ["0A000", "STATEMENT_INVALIDATED", 10],
    ["26000", "STATEMENT_INVALIDATED", 10],
    ["connection-lost", "CONNECTION_LOST", 1]
  ] as const)("An attempt that failed with %s is repeated, and counted as %s.", ([code, cause, most]) =>
    Effect.gen(function* () {
      const once = yield* run(failed(code), ended)
      assert.deepStrictEqual([once.exit, once.repeated, once.givenUp], [Exit.succeed("done"), { [cause]: 1 }, {}])
      const always = yield* run(failed(code))
      assert.deepStrictEqual([always.repeated, always.givenUp], [{ [cause]: most }, { [cause]: 1 }])
    })
  )

  it.effect.each([
    ["outcome-unknown", "OUTCOME_UNKNOWN"],
    ["no-connection", "NO_CONNECTION"],
    ["53S01", "NO_STANDBY"],
    ["53300", "SERVER_UNAVAILABLE"],
    ["57P03", "SERVER_UNAVAILABLE"],
    ["08006", "SERVER_UNAVAILABLE"],
    ["55P03", "LOCK_TIMEOUT"],
    ["57014", "STATEMENT_TIMEOUT"],
    ["25P03", "TRANSACTION_TIMEOUT"],
    ["25P04", "TRANSACTION_TIMEOUT"],
    ["25006", "READ_ONLY"]
  ] as const)("A transaction that failed with %s is given up, and counted as %s.", ([code, cause]) =>
    Effect.gen(function* () {
      const { exit, repeated, givenUp } = yield* run(failed(code), ended)
      assert.instanceOf(Exit.isFailure(exit) && Cause.squash(exit.cause), StorageUnavailable)
      assert.deepStrictEqual([repeated, givenUp], [{}, { [cause]: 1 }])
    })
  )

  it.effect("A raced key is repeated once, and a duplicate that is not raced is a defect.", () =>
    Effect.gen(function* () {
      const raced = yield* run(failed("23505", true), ended)
      assert.deepStrictEqual([raced.exit, raced.repeated], [Exit.succeed("done"), { RACED_KEY: 1 }])
      for (const attempts of [[failed("23505", true)], [failed("23505")], [failed("42601")]]) {
        const { exit, givenUp } = yield* run(...attempts)
        assert.notInstanceOf(Exit.isFailure(exit) && Cause.squash(exit.cause), StorageUnavailable)
        assert.deepStrictEqual(givenUp, {})
      }
    })
  )
})
