/** One run on Postgres from the search root, in which each statement is released separately. */
import { Cause, Effect, Exit, Scope } from "effect"
import type { Storage } from "../../../src/ports/storage.ts"
import { CurrentStep } from "../../environment/faults/armed-faults.ts"
import { Actor } from "../../kernel/actor.ts"
import { hashOf } from "../../storage/memory-storage/content.ts"
import { type SimulationSetup, setupOn } from "../../scenario/simulation-setup.ts"
import { runStep } from "../../scenario/step.ts"
import { summarizeAnswer, type Outcome } from "../search-run.ts"
import type { Decider } from "../choice-point.ts"
import type { SearchRoot } from "../search-root.ts"
import type { SteppedDatabase } from "./stepped-database.ts"
import { type SteppingResult, StatementStepper } from "./statement-stepper.ts"

export interface PostgresRun extends SteppingResult {
  readonly outcome: Outcome
  /** The reason of an abnormal end. */
  readonly defect: string | undefined
}

/** Starts from the rows of the saved snapshot. */
export const executeRunOnPostgres = async (
  { gate, storages, lockWaiters: blocked, content, restoreSnapshot }: SteppedDatabase,
  root: SearchRoot,
  decide: Decider
): Promise<PostgresRun> => {
  await Effect.runPromise(restoreSnapshot)
  const clients = new Clients(storages)
  const answers: Array<readonly [number, string]> = []
  const stepper = new StatementStepper({
    gate,
    decide,
    lockWaiters: blocked,
    pendingEvents: (canContinue) => setup.scheduler.optionsDuringExternalCalls(canContinue),
    nameOf: (client) => clients.nameOf(client)
  })
  const setup: SimulationSetup = setupOn([clients.storage], root.scenario, {
    from: root.from,
    slowness: root.search.slowness,
    choose: stepper.choose,
    isConcurrent: true,
    onResponse: () => true,
    onResult: (step, answer) => void answers.push([step, summarizeAnswer(answer)])
  })
  const program = Effect.gen(function* () {
    const context = yield* Effect.orDie(setup.open)
    yield* context.world.startProcesses
    yield* context.world.settled
    // All actors are present and idle: from here on statements are held and scheduled.
    gate.hold()
    for (const step of root.rest) {
      context.world.nextProcess()
      // Under another schedule a step can lack an answer that it needs: it is skipped.
      yield* Effect.result(runStep(step, context))
    }
  })
  const scope = Effect.runSync(Scope.make())
  let isOver = false
  const running = setup.scheduler
    .runAsync(setup.logged(Effect.provideService(program, Scope.Scope, scope)))
    .finally(() => (isOver = true))
  const stepped = await stepper.run(() => isOver)
  const ended = await running
  gate.open()
  while (!gate.isIdle) await new Promise((resolve) => setImmediate(resolve))
  return {
    ...stepped,
    outcome: {
      answers: answers.toSorted(([one], [other]) => one - other),
      rows: hashOf(await Effect.runPromise(content))
    },
    defect: Exit.isFailure(ended) ? messageOf(ended.cause) : undefined
  }
}

const messageOf = (cause: Cause.Cause<unknown>): string =>
  Cause.prettyErrors(cause)
    .map(({ message }) => message)
    .join("; ")

/** Assigns a separate client to every request and every other actor. */
class Clients {
  readonly #storages: ReadonlyArray<Storage["Service"]>
  readonly #placeOf = new Map<string, number>()
  readonly #names: Array<string> = []

  constructor(storages: ReadonlyArray<Storage["Service"]>) {
    this.#storages = storages
  }

  nameOf(client: number): string {
    return this.#names[client] ?? `client ${client}`
  }

  readonly storage: Storage["Service"] = {
    transaction: (plan, body) => this.#for((storage) => storage.transaction(plan, body)),
    view: (body) => this.#for((storage) => storage.view(body)),
    claim: (table, claim) => this.#for((storage) => storage.claim(table, claim)),
    health: Effect.suspend(() => this.#for((storage) => storage.health))
  }

  #for<A, E, R>(ask: (storage: Storage["Service"]) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.flatMap(Effect.all([Effect.service(Actor), Effect.service(CurrentStep)]), ([actor, step]) => {
      const name = step === undefined ? actor : `${actor} in step ${step}`
      // With more actors than clients, the clients of earlier requests are idle by now.
      const place = this.#placeOf.get(name) ?? this.#placeOf.size % this.#storages.length
      this.#placeOf.set(name, place)
      this.#names[place] = name
      return ask(this.#storages[place]!)
    })
  }
}
