/** Resolution of a COMMIT whose answer was lost. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { commitAborted, outcomeUnknown } from "../../../src/ports/storage/transaction-retry.ts"
import {
  attemptFor,
  resolveCommitOutcome,
  type CommitEvidence
} from "../../../src/ports/storage/indeterminate-commit.ts"

const done: CommitEvidence = { isProven: true, isRunning: false }
const gone: CommitEvidence = { isProven: false, isRunning: false }
const running: CommitEvidence = { isProven: false, isRunning: true }

const outcomeFor = (...said: ReadonlyArray<CommitEvidence | undefined>) =>
  Effect.gen(function* () {
    const left = [...said]
    const asking = yield* Effect.forkChild(resolveCommitOutcome(Effect.sync(() => left.shift())))
    yield* TestClock.adjust("1 minute")
    return yield* Fiber.join(asking)
  })

describe("lost COMMIT responses", () => {
  it.effect.each([
    ["committed", [done]],
    ["committed", [running, done]],
    ["committed", [undefined, running, done]],
    ["aborted", [gone]],
    ["aborted", [running, gone]],
    ["unknown", []]
  ] as const)("A lost COMMIT is resolved as %s by the evidence, %#", ([outcome, said]) =>
    Effect.map(outcomeFor(...said), (found) => assert.strictEqual(found, outcome))
  )

  it("A lost COMMIT maps committed, aborted and unknown to success, retry and OUTCOME_UNKNOWN", () => {
    const exit = Exit.succeed(1)
    assert.deepStrictEqual(attemptFor("committed", exit), { _tag: "Ended", exit })
    const codeOf = (outcome: "aborted" | "unknown") => {
      const attempt = attemptFor(outcome, exit)
      return attempt._tag === "Failed" ? attempt.failure.code : undefined
    }
    assert.strictEqual(codeOf("aborted"), commitAborted)
    assert.strictEqual(codeOf("unknown"), outcomeUnknown)
  })
})
