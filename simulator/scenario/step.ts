/** Runs one step, compares its result with the expectation, and keeps values. */
import { Clock, Effect, Fiber } from "effect"
import type { SecureRandom } from "effect/crypto"
import { now, toMilliseconds } from "../../src/vocabulary/instant.ts"
import { refusals } from "../../src/vocabulary/refusal-rules.ts"
import { act } from "./act.ts"
import { type Difference, differencesFrom } from "../observation/compare.ts"
import {
  type StepResponse,
  type StepEffect,
  type ScenarioContext,
  StepEnded,
  unusable,
  orUnusable
} from "./scenario-context.ts"
import { isObject, valueAt, type Json } from "../vocabulary/json.ts"
import { resolve } from "./format/references.ts"
import type { Step, TogetherAction } from "./format/scenario.ts"
import { send, sendRaw } from "./send.ts"

export const runStep = Effect.fnUntraced(function* (
  step: Step,
  context: ScenarioContext
): Effect.fn.Return<void, StepEnded, SecureRandom.SecureRandom> {
  const { recorder, directory, choices } = context
  for (const [name, value] of step.bindings) directory.names.set(name, value)
  const repeated = step.kind === "retry" ? context.sentRequests.get(step.step) : undefined
  const actor = step.kind === "act" || step.kind === "send" ? step.as : repeated?.request.actor
  const operation = step.kind === "act" ? step.operation : (repeated?.operation ?? step.kind)
  const repeats = step.kind === "retry" ? step.step : undefined
  recorder.observe({ kind: "step", step: step.number, actor, operation, repeats })

  const recordsChoices = step.kind !== "explore" && (step.kind === "together" || step.choose !== undefined)
  if (recordsChoices) choices.begin(step.choose ?? [])
  context.world.scheduler.setHorizon(horizonOf(step, yield* Clock.currentTimeMillis))
  const run = Effect.tap(answerTo(step, context), context.world.settled)
  const external = step.outside.length === 0 ? undefined : new ExternalSteps(step.outside, context)
  const answer = yield* external === undefined ? run : external.runConcurrently(run)
  const complaint = recordsChoices ? choices.end() : undefined
  if (complaint !== undefined) return yield* unusable(complaint)
  if (answer !== undefined) yield* conclude(step, answer, context)
  // A step without an expectation may have no response.
  else if (Object.keys(step.expect).length > 0 && !context.onResponse(step, undefined, [])) {
    return yield* new StepEnded({ verdict: "FAILED", reason: "no response" })
  }
  if (external !== undefined) yield* external.ended
})

/** The horizon is one day after the latest time that the step may reach. */
const horizonOf = (step: Step, now: number): number => {
  if (step.kind === "advance") return now + step.milliseconds + day
  if (step.kind === "until") return toMilliseconds(step.moment) + day
  return now + (step.kind === "act" ? (step.within ?? 0) : 0) + day
}

const day = 86_400_000
const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Steps under `outside`: each runs when the world can only wait for an external program. */
class ExternalSteps {
  readonly #outside: Step["outside"]
  readonly #context: ScenarioContext
  readonly #fibers: Array<Fiber.Fiber<void, StepEnded>> = []
  #left: number

  constructor(outside: Step["outside"], context: ScenarioContext) {
    this.#outside = outside
    this.#left = outside.length
    this.#context = context
  }

  /** Runs an effect concurrently with all of them. */
  readonly runConcurrently = <A>(run: Effect.Effect<A, StepEnded, SecureRandom.SecureRandom>) =>
    Effect.gen({ self: this }, function* () {
      const external = yield* Effect.forkDetach(this.#run())
      const done = yield* Effect.raceFirst(run, Effect.andThen(Fiber.join(external), Effect.never))
      if (this.#left > 0)
        return yield* unusable(
          "the step ended without waiting for an external program, so its outside steps cannot run"
        )
      return done
    })

  /** Completes after all started steps. */
  readonly ended: Effect.Effect<void, StepEnded> = Effect.suspend(() =>
    Effect.forEach(this.#fibers, (fiber) => Fiber.join(fiber), { discard: true })
  )

  readonly #run = Effect.fnUntraced(function* (
    this: ExternalSteps
  ): Effect.fn.Return<void, StepEnded, SecureRandom.SecureRandom> {
    const { scheduler, network } = this.#context.world
    for (const entry of this.#outside) {
      yield* scheduler.idle
      this.#left -= 1
      if ("step" in entry) this.#fibers.push(yield* Effect.forkDetach(runStep(entry.step, this.#context)))
      else if (!network.answer(entry.receiver, entry.answers)) {
        return yield* unusable(`${entry.receiver} has no pending request`)
      }
    }
  })
}

const conclude = Effect.fnUntraced(function* (
  step: Step,
  answer: StepResponse,
  { recorder, directory, onResponse }: ScenarioContext
) {
  const differences = yield* differencesOf(answer, step.expect, directory.names)
  const continues = onResponse(step, answer, differences)
  recorder.observe({ kind: "expectation", step: step.number, differences: continues ? [] : differences })
  if (!continues) return yield* new StepEnded({ verdict: "FAILED", reason: "unexpected response" })
  if (differences.length > 0) return
  for (const [name, path] of step.keep) {
    const value = valueAt(answer.body ?? null, path)
    if (value === undefined) return yield* unusable(`the response has no ${path} to keep as ${name}`)
    directory.names.set(name, value)
  }
})

/** Runs the step once or, with `within`, again after each further event until the expected response. */
const answerTo = (step: Step, context: ScenarioContext): StepEffect => {
  const within = step.kind === "act" ? step.within : undefined
  if (within === undefined) return doStep(step, context)
  const { recorder, directory, world } = context
  return Effect.gen(function* () {
    const deadline = (yield* Clock.currentTimeMillis) + within
    for (;;) {
      const answer = yield* doStep(step, context)
      const left = deadline - (yield* Clock.currentTimeMillis)
      if (answer === undefined || left <= 0) return answer
      const differences = yield* differencesOf(answer, step.expect, directory.names)
      if (differences.length === 0) return answer
      yield* Effect.timeoutOption(recorder.nextEvent, left)
      yield* world.settled
    }
  })
}

const doStep = (step: Step, context: ScenarioContext): StepEffect => {
  switch (step.kind) {
    case "say":
      return Effect.succeed(undefined)
    case "advance":
      return advanceTo(context, (now) => now + step.milliseconds)
    case "until":
      return advanceTo(context, () => toMilliseconds(step.moment))
    case "inject":
      return Effect.sync(() => void context.world.faults.arm(step.injection))
    case "together":
      return together(step, context)
    case "explore":
      return Effect.andThen(
        stopProcessesBeforeSearch(step, context),
        Effect.as(context.world.startProcesses, undefined)
      )
    case "send":
      return sendRaw(step, context)
    case "retry": {
      const sent = context.sentRequests.get(step.step)
      if (sent === undefined) return unusable(`step ${step.step} sent no request that could be retried`)
      const called = { ...sent.inScenario, id: step.id }
      return send(
        { ...sent, inScenario: called, step: step.number, isConcurrent: step.isConcurrent },
        step.inject,
        context
      )
    }
    case "act":
      return act(step, context, runStep)
  }
}

/** Prepares a search root: all processes end, and no request is in progress. */
export const stopProcessesBeforeSearch = (step: Step, { world, choices }: ScenarioContext): Effect.Effect<void> =>
  Effect.andThen(
    world.stopProcesses,
    Effect.sync(() => {
      if (step.choose === undefined) return
      choices.follow(step.choose)
      // Named choices may include the passage of time.
      if (step.kind === "explore") world.scheduler.slowness = step.search.slowness
    })
  )

/** Runs steps concurrently; after all responses, the first unexpected one ends the scenario. */
const together = ({ steps }: TogetherAction, context: ScenarioContext): StepEffect =>
  Effect.gen(function* () {
    const ends = yield* Effect.forEach(steps, (step) => Effect.exit(runStep(step, context)), {
      concurrency: "unbounded"
    })
    for (const ended of ends) yield* ended
    return undefined
  })

const advanceTo = (context: ScenarioContext, moment: (now: number) => number): StepEffect =>
  Effect.gen(function* () {
    const current = yield* Clock.currentTimeMillis
    const target = moment(current)
    if (target < current) return yield* unusable("that time is in the past")
    if (target > lastMoment) return yield* unusable("that time is after the year 9999")
    yield* Effect.sleep(target - current)
    context.recorder.observe({ kind: "time", to: yield* now })
    return undefined
  })

const differencesOf = (answer: StepResponse, expect: Step["expect"], names: ReadonlyMap<string, Json>) =>
  Effect.map(
    orUnusable(() => resolve(expect.body ?? {}, names)),
    (body): ReadonlyArray<Difference> => {
      const status = expect.status ?? statusOfRefusal(expect.error)
      const isExpected = status === undefined ? answer.status >= 200 && answer.status < 300 : answer.status === status
      const actual = answer.body ?? null
      return [
        ...(isExpected ? [] : [{ path: "status", expected: status ?? "2xx", actual: answer.status }]),
        ...(expect.error === undefined ? [] : differencesFrom({ error: expect.error }, actual)),
        ...differencesFrom(isObject(body) ? body : {}, actual)
      ]
    }
  )

const statusOfRefusal = (code: string | undefined): number | undefined =>
  Object.entries(refusals).find(([known]) => known === code)?.[1].status
