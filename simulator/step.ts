/** One step: what it does, whether that was as expected, and what it keeps. */
import { Clock, Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import { now, toMilliseconds } from "../src/vocabulary/instant.ts"
import { refusals } from "../src/vocabulary/refusal-rules.ts"
import { act } from "./act.ts"
import { type Difference, differencesFrom } from "./compare.ts"
import { type Answer, type Doing, type Journey, StepEnded, unusable, usable } from "./journey.ts"
import { isObject, valueAt, type Json } from "./script/json.ts"
import { resolve } from "./script/references.ts"
import type { Step } from "./script/scenario.ts"
import { send } from "./send.ts"

export const runStep = Effect.fnUntraced(function* (
  step: Step,
  journey: Journey
): Effect.fn.Return<void, StepEnded, SecureRandom.SecureRandom> {
  const { recorder, directory } = journey
  const repeated = step.kind === "retry" ? journey.sent.get(step.step) : undefined
  const actor = step.kind === "act" ? step.as : repeated?.request.actor
  const operation = step.kind === "act" ? step.operation : (repeated?.operation ?? step.kind)
  const repeats = step.kind === "retry" ? step.step : undefined
  recorder.observe({ kind: "step", step: step.number, actor, operation, repeats })

  const answer = yield* doStep(step, journey)
  yield* journey.world.settled
  if (answer === undefined) return
  const expected = yield* usable(() => resolve(step.expect.body ?? {}, directory.names))
  const differences = differencesOf(answer, step.expect, expected)
  recorder.observe({ kind: "expectation", step: step.number, differences })
  if (differences.length > 0) return yield* new StepEnded({ verdict: "FAILED", reason: "the answer is another" })
  for (const [name, path] of step.keep) {
    const kept = valueAt(answer.body ?? null, path)
    if (kept === undefined) {
      return yield* new StepEnded({ verdict: "UNUSABLE", reason: `the answer has no ${path} to keep as ${name}` })
    }
    directory.names.set(name, kept)
  }
})

const doStep = (step: Step, journey: Journey): Doing => {
  switch (step.kind) {
    case "say":
      return Effect.succeed(undefined)
    case "advance":
      return passTo(journey, (now) => now + step.milliseconds)
    case "until":
      return passTo(journey, () => toMilliseconds(step.moment))
    case "retry": {
      const sent = journey.sent.get(step.step)
      if (sent === undefined) return unusable(`step ${step.step} sent nothing that could be sent again`)
      return send(sent, step.inject, journey)
    }
    case "act":
      return act(step, journey, runStep)
  }
}

const passTo = (journey: Journey, moment: (now: number) => number): Doing =>
  Effect.gen(function* () {
    const current = yield* Clock.currentTimeMillis
    const target = moment(current)
    if (target < current) return yield* unusable("that moment has passed")
    yield* Effect.sleep(target - current)
    journey.recorder.observe({ kind: "time", to: yield* now })
    return undefined
  })

const differencesOf = (answer: Answer, expect: Step["expect"], body: Json): ReadonlyArray<Difference> => {
  const status = expect.status ?? statusOfRefusal(expect.error)
  const isExpected = status === undefined ? answer.status >= 200 && answer.status < 300 : answer.status === status
  const actual = answer.body ?? null
  return [
    ...(isExpected ? [] : [{ path: "status", expected: status ?? "2xx", actual: answer.status }]),
    ...(expect.error === undefined ? [] : differencesFrom({ error: expect.error }, actual)),
    ...differencesFrom(isObject(body) ? body : {}, actual)
  ]
}

const statusOfRefusal = (code: string | undefined): number | undefined =>
  Object.entries(refusals).find(([known]) => known === code)?.[1].status
