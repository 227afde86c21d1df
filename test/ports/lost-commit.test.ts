/** What an attempt comes to whose COMMIT had no answer, by what another connection says. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { commitAborted, outcomeUnknown } from "../../src/ports/attempts.ts"
import { attemptAfter, outcomeBy, type Testimony } from "../../src/ports/lost-commit.ts"

const done: Testimony = { isProven: true, isRunning: false }
const gone: Testimony = { isProven: false, isRunning: false }
const running: Testimony = { isProven: false, isRunning: true }

const told = (...said: ReadonlyArray<Testimony | undefined>) =>
  Effect.gen(function* () {
    const left = [...said]
    const asking = yield* Effect.forkChild(outcomeBy(Effect.sync(() => left.shift())))
    yield* TestClock.adjust("1 minute")
    return yield* Fiber.join(asking)
  })

describe("a COMMIT whose answer was lost", () => {
  it.effect.each([
    ["committed", [done]],
    ["committed", [running, done]],
    ["committed", [undefined, running, done]],
    ["aborted", [gone]],
    ["aborted", [running, gone]],
    ["unknown", []]
  ] as const)("is %s by what is said of it, %#", ([outcome, said]) =>
    Effect.map(told(...said), (found) => assert.strictEqual(found, outcome))
  )

  it("stands, is made again, or is told as unknown", () => {
    const exit = Exit.succeed(1)
    assert.deepStrictEqual(attemptAfter("committed", exit), { _tag: "Ended", exit })
    const codeOf = (outcome: "aborted" | "unknown") => {
      const attempt = attemptAfter(outcome, exit)
      return attempt._tag === "Failed" ? attempt.failure.code : undefined
    }
    assert.strictEqual(codeOf("aborted"), commitAborted)
    assert.strictEqual(codeOf("unknown"), outcomeUnknown)
  })
})
