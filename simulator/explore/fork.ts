/**
 * A copy of a world that continues from the end of a run: its processes have crashed and new ones have started. The
 * original is not modified, and no faults are injected into the copy.
 */
import { Cause, Effect, Exit, Result, Scope } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { Storage } from "../../src/ports/storage.ts"
import { Rows } from "../invariants/invariant.ts"
import type { Answer, Journey } from "../journey.ts"
import { guardLeaks } from "../leaks/guard.ts"
import { emptyContent } from "../memory-storage/content.ts"
import { arrange } from "../people.ts"
import type { StepForm } from "../script/format.ts"
import type { Json, JsonObject } from "../script/json.ts"
import type { Opening, Step } from "../script/scenario.ts"
import { stepOf } from "../script/steps.ts"
import { type Come, type Stage, stageInMemory } from "../stage.ts"
import { runStep } from "../step.ts"
import type { Attempted } from "./attempt.ts"

/** The final state of a run, as the origin of a fork. */
export const endOf = (attempted: Attempted): Come | undefined =>
  attempted.journey === undefined ? undefined : { stage: attempted.stage, journey: attempted.journey }

/** An internal failure of a fork, which no party can cause. */
export class ForkFailed extends Error {
  override readonly name = "ForkFailed"
}

export class Fork {
  readonly stage: Stage
  readonly journey: Journey
  readonly #opening: Opening
  #steps = 0
  #answer: Answer | undefined

  /** No worker runs in it, so that every effect comes from a request. */
  constructor(opening: Opening, from: Come, around?: (storage: Storage["Service"]) => Storage["Service"]) {
    this.#opening = opening
    this.stage = stageInMemory(opening, {
      from,
      ...(around === undefined ? {} : { around }),
      concludes: (_, answer) => {
        this.#answer = answer
        return true
      }
    })
    const scope = Effect.runSync(Scope.make())
    this.journey = this.#run(Effect.provideService(this.stage.open, Scope.Scope, scope))
    const { world } = this.journey
    world.progress.worked = false
    world.faults.disarm()
    this.#run(world.startProcesses)
    this.#run(world.settled)
  }

  get rows(): Rows {
    return new Rows(this.stage.store?.content ?? emptyContent)
  }

  /** The answer to a party; undefined if no answer arrives or the request cannot be sent. */
  do(form: StepForm): Answer | undefined {
    this.#steps += 1
    return this.step(stepOf(form, firstForkStep + this.#steps))
  }

  /** The same for a step of a script. */
  step(step: Step): Answer | undefined {
    this.#answer = undefined
    this.journey.world.nextProcess()
    this.#run(Effect.result(runStep(step, this.journey)))
    return this.#answer
  }

  act(actor: string, operation: string, on?: string, input?: JsonObject): Answer | undefined {
    return this.do({
      as: actor,
      do: operation,
      ...(on === undefined ? {} : { on }),
      ...(input === undefined ? {} : { input })
    })
  }

  /** Adds organizations, people and agents to this world; false if it refuses them. */
  arrange(given: Opening["given"]): boolean {
    const { clocks = {} } = this.#opening.given
    const arranged = arrange({ ...this.#opening, given: { ...given, clocks } }, this.journey)
    return Result.isSuccess(this.#run(Effect.result(this.journey.world.act("operator", arranged))))
  }

  /** Runs a function and restores the rows afterwards. */
  trying<A>(run: () => A): A {
    const { store } = this.stage
    const before = store?.content
    const result = run()
    if (before !== undefined) store?.restore(before)
    return result
  }

  #run<A, E>(effect: Effect.Effect<A, E, SecureRandom.SecureRandom>): A {
    const { result } = guardLeaks(() => this.stage.kernel.run(this.stage.logged(effect)))
    if (Exit.isSuccess(result)) return result.value
    throw new ForkFailed(
      Cause.prettyErrors(result.cause)
        .map(({ message }) => message)
        .join("; ")
    )
  }
}

/** Above the step numbers of any script, so that no number is used twice. */
const firstForkStep = 1_000_000

/** The refusal code of an answer; undefined for a success. */
export const refusalOf = (answer: Answer | undefined): string | undefined => {
  if (answer === undefined) return "NO_ANSWER"
  return answer.status < 300 ? undefined : String(memberOf(answer.body, "error") ?? answer.status)
}

const memberOf = (body: Json | undefined, name: string): Json | undefined =>
  typeof body === "object" && body !== null && name in body ? (body as JsonObject)[name] : undefined
