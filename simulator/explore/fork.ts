/**
 * A world of its own that goes on from where another was left: every process of the other one is gone, whatever it had
 * under way, and others have started. Nothing of the other world is touched. Nothing goes wrong in it any more.
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

/** Where a run came to, for whoever goes on from there. */
export const endOf = ({ stage, journey }: Attempted): Come | undefined =>
  journey === undefined ? undefined : { stage, journey }

/** What was to be done in a fork could not be: nothing that a party could meet. */
export class ForkFailed extends Error {
  override readonly name = "ForkFailed"
}

export class Fork {
  readonly stage: Stage
  readonly journey: Journey
  readonly #opening: Opening
  #steps = 0
  #answer: Answer | undefined

  /** Nobody works in it beside the requests, so that whatever happens is what a request did. */
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

  /** What a party is answered; undefined where no answer comes, or nothing can be sent. */
  do(form: StepForm): Answer | undefined {
    this.#steps += 1
    return this.step(stepOf(form, stepsOfOthers + this.#steps))
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

  /** Others come into this world; false where it refuses them. */
  arrange(given: Opening["given"]): boolean {
    const { journey } = this
    const { clocks = {} } = this.#opening.given
    const arranged = arrange({ ...this.#opening, given: { ...given, clocks } }, journey)
    return Result.isSuccess(this.#run(Effect.result(journey.world.act("operator", arranged))))
  }

  /** Does something, and has the rows afterwards as they were before. */
  trying<A>(doing: () => A): A {
    const { store } = this.stage
    const before = store?.content
    const tried = doing()
    if (before !== undefined) store?.restore(before)
    return tried
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

/** Far beyond the steps of any script, so that no number of these is one of theirs. */
const stepsOfOthers = 1_000_000

/** The code with which somebody was refused; undefined where they were not. */
export const refusalOf = (answer: Answer | undefined): string | undefined => {
  if (answer === undefined) return "NO_ANSWER"
  return answer.status < 300 ? undefined : String(memberOf(answer.body, "error") ?? answer.status)
}

const memberOf = (body: Json | undefined, name: string): Json | undefined =>
  typeof body === "object" && body !== null && name in body ? (body as JsonObject)[name] : undefined
