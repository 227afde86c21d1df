/** One step: what it does, whether that was as expected, and what it keeps. */
import { Clock, Effect, Fiber } from "effect"
import type { SecureRandom } from "effect/crypto"
import { now, toMilliseconds } from "../src/vocabulary/instant.ts"
import { refusals } from "../src/vocabulary/refusal-rules.ts"
import { act } from "./act.ts"
import { type Difference, differencesFrom } from "./compare.ts"
import { type Answer, type Doing, type Journey, StepEnded, unusable, usable } from "./journey.ts"
import { isObject, valueAt, type Json } from "./script/json.ts"
import { resolve } from "./script/references.ts"
import type { Step, Together } from "./script/scenario.ts"
import { send, sendRaw } from "./send.ts"

export const runStep = Effect.fnUntraced(function* (
  step: Step,
  journey: Journey
): Effect.fn.Return<void, StepEnded, SecureRandom.SecureRandom> {
  const { recorder, directory, choices } = journey
  for (const [name, value] of step.binds) directory.names.set(name, value)
  const repeated = step.kind === "retry" ? journey.sent.get(step.step) : undefined
  const actor = step.kind === "act" || step.kind === "send" ? step.as : repeated?.request.actor
  const operation = step.kind === "act" ? step.operation : (repeated?.operation ?? step.kind)
  const repeats = step.kind === "retry" ? step.step : undefined
  recorder.observe({ kind: "step", step: step.number, actor, operation, repeats })

  const tellsChoices = step.kind !== "explore" && (step.kind === "together" || step.choose !== undefined)
  if (tellsChoices) choices.begin(step.choose ?? [])
  journey.world.kernel.expectBy(latestOf(step, yield* Clock.currentTimeMillis))
  const doing = Effect.tap(answerTo(step, journey), journey.world.settled)
  const coming = step.outside.length === 0 ? undefined : new FromOutside(step.outside, journey)
  const answer = yield* coming === undefined ? doing : coming.beside(doing)
  const complaint = tellsChoices ? choices.end() : undefined
  if (complaint !== undefined) return yield* unusable(complaint)
  if (answer !== undefined) yield* conclude(step, answer, journey)
  // Whoever expects nothing may stay without an answer.
  else if (Object.keys(step.expect).length > 0 && !journey.concludes(step, undefined, [])) {
    return yield* new StepEnded({ verdict: "FAILED", reason: "no answer came" })
  }
  if (coming !== undefined) yield* coming.ended
})

/** A day is far more than anything but a wait that a step asks for can take. */
const latestOf = (step: Step, now: number): number => {
  if (step.kind === "advance") return now + step.milliseconds + day
  if (step.kind === "until") return toMilliseconds(step.moment) + day
  return now + (step.kind === "act" ? (step.within ?? 0) : 0) + day
}

const day = 86_400_000
const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** What comes from outside comes whenever the world can do nothing before a program outside has answered. */
class FromOutside {
  readonly #outside: Step["outside"]
  readonly #journey: Journey
  readonly #begun: Array<Fiber.Fiber<void, StepEnded>> = []
  #left: number

  constructor(outside: Step["outside"], journey: Journey) {
    this.#outside = outside
    this.#left = outside.length
    this.#journey = journey
  }

  /** Does something while all of it comes. */
  readonly beside = <A>(doing: Effect.Effect<A, StepEnded, SecureRandom.SecureRandom>) =>
    Effect.gen({ self: this }, function* () {
      const coming = yield* Effect.forkDetach(this.#come())
      const done = yield* Effect.raceFirst(doing, Effect.andThen(Fiber.join(coming), Effect.never))
      if (this.#left > 0) return yield* unusable("the world waited for nobody outside, where somebody was to come")
      return done
    })

  /** Once every step that began has ended. */
  readonly ended: Effect.Effect<void, StepEnded> = Effect.suspend(() =>
    Effect.forEach(this.#begun, (fiber) => Fiber.join(fiber), { discard: true })
  )

  readonly #come = Effect.fnUntraced(function* (
    this: FromOutside
  ): Effect.fn.Return<void, StepEnded, SecureRandom.SecureRandom> {
    const { kernel, network } = this.#journey.world
    for (const came of this.#outside) {
      yield* kernel.idle
      this.#left -= 1
      if ("step" in came) this.#begun.push(yield* Effect.forkDetach(runStep(came.step, this.#journey)))
      else if (!network.answer(came.receiver, came.answers)) {
        return yield* unusable(`${came.receiver} was asked nothing`)
      }
    }
  })
}

const conclude = Effect.fnUntraced(function* (step: Step, answer: Answer, { recorder, directory, concludes }: Journey) {
  const differences = yield* differencesOf(answer, step.expect, directory.names)
  const goesOn = concludes(step, answer, differences)
  recorder.observe({ kind: "expectation", step: step.number, differences: goesOn ? [] : differences })
  if (!goesOn) return yield* new StepEnded({ verdict: "FAILED", reason: "the answer is another" })
  if (differences.length > 0) return
  for (const [name, path] of step.keep) {
    const kept = valueAt(answer.body ?? null, path)
    if (kept === undefined) return yield* unusable(`the answer has no ${path} to keep as ${name}`)
    directory.names.set(name, kept)
  }
})

/** Asks once; or, where it may take a while, again whenever something has happened. */
const answerTo = (step: Step, journey: Journey): Doing => {
  const within = step.kind === "act" ? step.within : undefined
  if (within === undefined) return doStep(step, journey)
  const { recorder, directory, world } = journey
  return Effect.gen(function* () {
    const deadline = (yield* Clock.currentTimeMillis) + within
    for (;;) {
      const answer = yield* doStep(step, journey)
      const left = deadline - (yield* Clock.currentTimeMillis)
      if (answer === undefined || left <= 0) return answer
      const differences = yield* differencesOf(answer, step.expect, directory.names)
      if (differences.length === 0) return answer
      yield* Effect.timeoutOption(recorder.next, left)
      yield* world.settled
    }
  })
}

const doStep = (step: Step, journey: Journey): Doing => {
  switch (step.kind) {
    case "say":
      return Effect.succeed(undefined)
    case "advance":
      return passTo(journey, (now) => now + step.milliseconds)
    case "until":
      return passTo(journey, () => toMilliseconds(step.moment))
    case "inject":
      return Effect.sync(() => void journey.world.faults.arm(step.injection))
    case "together":
      return together(step, journey)
    case "explore":
      return Effect.andThen(leave(step, journey), Effect.as(journey.world.startProcesses, undefined))
    case "send":
      return sendRaw(step, journey)
    case "retry": {
      const sent = journey.sent.get(step.step)
      if (sent === undefined) return unusable(`step ${step.step} sent nothing that could be sent again`)
      const called = { ...sent.called, id: step.id }
      return send({ ...sent, called, step: step.number, isBeside: step.isBeside }, step.inject, journey)
    }
    case "act":
      return act(step, journey, runStep)
  }
}

/** The first half of a step from which orders are searched: afterwards nothing is under way, and every process is gone. */
export const leave = (step: Step, { world, choices }: Journey): Effect.Effect<void> =>
  Effect.andThen(
    world.stopProcesses,
    Effect.sync(() => {
      if (step.choose === undefined) return
      choices.follow(step.choose)
      // Whoever names who goes first can name time itself.
      if (step.kind === "explore") world.kernel.slowness = step.search.slowness
    })
  )

/** The first that does not go as expected ends the scenario, once all have been answered. */
const together = ({ steps }: Together, journey: Journey): Doing =>
  Effect.gen(function* () {
    const ends = yield* Effect.forEach(steps, (step) => Effect.exit(runStep(step, journey)), {
      concurrency: "unbounded"
    })
    for (const ended of ends) yield* ended
    return undefined
  })

const passTo = (journey: Journey, moment: (now: number) => number): Doing =>
  Effect.gen(function* () {
    const current = yield* Clock.currentTimeMillis
    const target = moment(current)
    if (target < current) return yield* unusable("that moment has passed")
    if (target > lastMoment) return yield* unusable("no calendar here goes beyond the year 9999")
    yield* Effect.sleep(target - current)
    journey.recorder.observe({ kind: "time", to: yield* now })
    return undefined
  })

const differencesOf = (answer: Answer, expect: Step["expect"], names: ReadonlyMap<string, Json>) =>
  Effect.map(
    usable(() => resolve(expect.body ?? {}, names)),
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
