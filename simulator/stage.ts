/** Creates the initial world of a scenario on either store, ready for steps. */
import { Context, Data, Effect, Layer, Logger, References, Scope } from "effect"
import type { SecureRandom } from "effect/crypto"
import { Storage } from "../src/ports/storage.ts"
import { rootTables } from "../src/tables.ts"
import { fromMilliseconds, toMilliseconds } from "../src/vocabulary/instant.ts"
import { Network } from "./callbacks/network.ts"
import { Choices } from "./choices.ts"
import { Directory } from "./directory.ts"
import { announceCalls } from "./external-storage.ts"
import type { Journey } from "./journey.ts"
import { type Choose, inOrder } from "./kernel/choice.ts"
import { Kernel } from "./kernel/kernel.ts"
import { layer as memoryLayer } from "./memory-storage/layer.ts"
import { type Content, emptyContent } from "./memory-storage/content.ts"
import { MemoryStore } from "./memory-storage/store.ts"
import type { Observed, Write } from "./observation.ts"
import { arrange } from "./people.ts"
import { leastLogged, Recorder } from "./recorder.ts"
import type { States } from "./row-changes.ts"
import type { Opening } from "./script/scenario.ts"
import { Surroundings } from "./surroundings.ts"
import { watchCommits } from "./watched-storage.ts"
import { makeWorld } from "./world.ts"

export interface StageOptions {
  /** Decides the scheduling choices that a step leaves open; first in, first out if absent. */
  readonly choose?: Choose
  /** The number of service instances that answer in turn, in memory; one if absent. */
  readonly instances?: number
  /** Called when an external event schedules work. */
  readonly awake?: () => void
  /** Called with the result of each request. */
  readonly answered?: Journey["answered"]
  readonly concludes?: Journey["concludes"]
  /** Called with each observation and the rows after it, if these are in memory. */
  readonly observes?: (observed: Observed, content: Content | undefined) => void
  /** Wraps the store in memory. */
  readonly around?: (storage: Storage["Service"]) => Storage["Service"]
  /** The total delay of runnable actors that the scheduler may choose, in milliseconds. */
  readonly slowness?: number
  /** True if calls to a real store run concurrently in an externally controlled order. */
  readonly isConcurrent?: boolean
  /** Continues from the state of another world whose processes have ended. */
  readonly from?: Come | undefined
  readonly heldBack?: Journey["heldBack"]
}

/** A quiescent world in memory, used as the root of a search. */
export interface Come {
  readonly stage: Stage
  readonly journey: Journey
}

export interface Stage {
  readonly kernel: Kernel
  readonly recorder: Recorder
  /** The rows, if they are in memory. */
  readonly store: MemoryStore | undefined
  /** The rows before and after each commit, if they are in memory. */
  readonly states: ReadonlyMap<Observed, States>
  /** Records the log of the service for the story. */
  readonly logged: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Creates the initial world, for the lifetime of the scope. */
  readonly open: Effect.Effect<Journey, WorldUnusable, SecureRandom.SecureRandom | Scope.Scope>
}

/** The initial world of a scenario cannot be created. */
export class WorldUnusable extends Data.TaggedError("WorldUnusable")<{ readonly reason: string }> {}

export const stageInMemory = (opening: Opening, options: StageOptions = {}): Stage => {
  const store = new MemoryStore(rootTables, options.from?.stage.store?.content)
  const { around = (storage) => storage } = options
  const one = Effect.map(Layer.build(memoryLayer(store)), (context) => around(Context.get(context, Storage)))
  return prepare(opening, options, store, () => Effect.all(Array.from({ length: options.instances ?? 1 }, () => one)))
}

/** On exclusive stores: one for each instance of the service, all on one database. */
export const stageOn = (
  storages: ReadonlyArray<Storage["Service"]>,
  opening: Opening,
  options: StageOptions = {}
): Stage =>
  prepare(opening, options, undefined, (kernel) =>
    Effect.succeed(storages.map((storage) => announceCalls(kernel, storage)))
  )

const prepare = (
  opening: Opening,
  { choose = inOrder, awake = () => {}, answered = () => {}, ...others }: StageOptions,
  store: MemoryStore | undefined,
  storagesFor: (kernel: Kernel) => Effect.Effect<ReadonlyArray<Storage["Service"]>, never, Scope.Scope>
): Stage => {
  const { given } = opening
  const { from, slowness = 0, observes } = others
  const recorder: Recorder = new Recorder(
    () => fromMilliseconds(kernel.now),
    (observed) => observes?.(observed, store?.content)
  )
  const choices = new Choices(recorder, choose, from !== undefined)
  const kernel = new Kernel({
    seed: opening.seed,
    startsAt: from?.stage.kernel.now ?? toMilliseconds(opening.start),
    choose: choices.choose,
    awake,
    slowness,
    isConcurrent: others.isConcurrent ?? false,
    keepsHistories: from !== undefined
  })
  const states = new Map<Observed, States>()
  const commit = (actor: string, step: number | undefined, writes: ReadonlyArray<Write>) => {
    const observed = recorder.observe({ kind: "commit", actor, writes }, step === undefined ? {} : { ofStep: step })
    if (store === undefined) return
    states.set(observed, { before, after: store.content })
    before = store.content
  }
  let before = store?.content ?? emptyContent
  const open = Effect.gen(function* () {
    if (from === undefined) recorder.observe({ kind: "scenario", title: opening.title, seed: opening.seed })
    else recorder.takeOver(from.journey.recorder)
    const receivers = given.receivers ?? {}
    const world = yield* makeWorld(kernel, recorder, {
      surroundings: new Surroundings(recorder, given.mail),
      network: new Network(recorder, kernel, receivers, given.zones ?? {}),
      tasks: given.worker ?? (Object.keys(receivers).length > 0 ? ["CALLBACKS"] : []),
      storages: (yield* storagesFor(kernel)).map((storage) => watchCommits(storage, commit)),
      from: from?.journey.world
    })
    const journey: Journey = {
      world,
      recorder,
      choices,
      directory: new Directory(kernel),
      sent: new Map(from?.journey.sent),
      answered,
      concludes: others.concludes ?? ((_step, answer, differences) => answer !== undefined && differences.length === 0),
      heldBack: others.heldBack ?? (() => undefined)
    }
    kernel.expectBy(kernel.now + day)
    if (from !== undefined) {
      journey.directory.takeOver(from.journey.directory)
      return journey
    }
    yield* world
      .act("operator", arrange(opening, journey))
      .pipe(
        Effect.mapError(({ code }) => new WorldUnusable({ reason: `the initial world cannot be created: ${code}` }))
      )
    if (world.workers.areGiven) yield* world.startWorker
    yield* world.settled
    return journey
  })
  return { kernel, recorder, store, states, logged: loggedTo(recorder), open }
}

const loggedTo = ({ logger }: Recorder): Stage["logged"] => {
  const context = Context.make(Logger.CurrentLoggers, new Set([logger])).pipe(
    Context.add(References.MinimumLogLevel, leastLogged)
  )
  return (effect) => Effect.provideContext(effect, context)
}

const day = 86_400_000
