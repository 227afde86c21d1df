/**
 * A copy of a world that continues from the end of a run: its processes have crashed and new ones have started. The
 * original is not modified, and no faults are injected into the copy.
 */
import { Cause, Effect, Exit, Result, Scope } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { Storage } from "../../src/ports/storage.ts"
import { Rows } from "../properties/property.ts"
import type { StepResponse, ScenarioContext } from "../scenario/scenario-context.ts"
import { emptyContent } from "../storage/memory-storage/content.ts"
import { createInitialWorld } from "../scenario/people.ts"
import type { StepForm } from "../scenario/format/scenario-form.ts"
import type { Json, JsonObject } from "../vocabulary/json.ts"
import type { WorldDefinition, Step } from "../scenario/format/scenario.ts"
import { stepOf } from "../scenario/format/build-steps.ts"
import { type SearchOrigin, type SimulationSetup, setupInMemory } from "../scenario/simulation-setup.ts"
import { runStep } from "../scenario/step.ts"
import type { RunResult } from "./search-run.ts"
import { withoutStacks } from "./without-stacks.ts"

/** The final state of a run, as the origin of a fork. */
export const finalStateOf = (result: RunResult): SearchOrigin | undefined =>
  result.context === undefined ? undefined : { setup: result.setup, context: result.context }

/** An internal failure of a fork, which no party can cause. */
export class WorldForkError extends Error {
  override readonly name = "WorldForkError"
}

export class WorldFork {
  readonly setup: SimulationSetup
  readonly context: ScenarioContext
  readonly #opening: WorldDefinition
  #steps = 0
  #answer: StepResponse | undefined

  /** No worker runs in it, so that every effect comes from a request. */
  constructor(
    opening: WorldDefinition,
    from: SearchOrigin,
    around?: (storage: Storage["Service"]) => Storage["Service"]
  ) {
    this.#opening = opening
    this.setup = setupInMemory(opening, {
      from,
      ...(around === undefined ? {} : { wrapStorage: around }),
      onResponse: (_, answer) => {
        this.#answer = answer
        return true
      }
    })
    const scope = Effect.runSync(Scope.make())
    this.context = this.#run(Effect.provideService(this.setup.open, Scope.Scope, scope))
    const { world } = this.context
    world.progress.hadWorker = false
    world.faults.disarm()
    this.#run(world.startProcesses)
    this.#run(world.settled)
  }

  get rows(): Rows {
    return new Rows(this.setup.store?.content ?? emptyContent)
  }

  /** The answer to a party; undefined if no answer arrives or the request cannot be sent. */
  perform(form: StepForm): StepResponse | undefined {
    this.#steps += 1
    return this.step(stepOf(form, firstForkStep + this.#steps))
  }

  /** The same for a step of a script. */
  step(step: Step): StepResponse | undefined {
    this.#answer = undefined
    this.context.world.nextProcess()
    this.#run(Effect.result(runStep(step, this.context)))
    return this.#answer
  }

  act(actor: string, operation: string, on?: string, input?: JsonObject): StepResponse | undefined {
    return this.perform({
      as: actor,
      do: operation,
      ...(on === undefined ? {} : { on }),
      ...(input === undefined ? {} : { input })
    })
  }

  /** Adds organizations, people and agents to this world; false if it refuses them. */
  createGiven(given: WorldDefinition["given"]): boolean {
    const { clocks = {} } = this.#opening.given
    const initialWorld = createInitialWorld({ ...this.#opening, given: { ...given, clocks } }, this.context)
    return Result.isSuccess(this.#run(Effect.result(this.context.world.act("operator", initialWorld))))
  }

  /** Runs a function and restores the rows afterwards. */
  withRollback<A>(run: () => A): A {
    const { store } = this.setup
    const before = store?.content
    const result = run()
    if (before !== undefined) store?.restore(before)
    this.context.world.caches.empty()
    return result
  }

  #run<A, E>(effect: Effect.Effect<A, E, SecureRandom.SecureRandom>): A {
    // Without a leak guard, as in searched runs: installing one costs more than the request.
    const result = withoutStacks(() => this.setup.scheduler.run(this.setup.logged(effect)))
    if (Exit.isSuccess(result)) return result.value
    throw new WorldForkError(
      Cause.prettyErrors(result.cause)
        .map(({ message }) => message)
        .join("; ")
    )
  }
}

/** Above the step numbers of any script, so that no number is used twice. */
const firstForkStep = 1_000_000

/** The refusal code of an answer; undefined for a success. */
export const refusalOf = (answer: StepResponse | undefined): string | undefined => {
  if (answer === undefined) return "NO_ANSWER"
  return answer.status < 300 ? undefined : String(memberOf(answer.body, "error") ?? answer.status)
}

const memberOf = (body: Json | undefined, name: string): Json | undefined =>
  typeof body === "object" && body !== null && name in body ? (body as JsonObject)[name] : undefined
