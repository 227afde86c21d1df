/** Creates the initial world of a scenario on either store, ready for steps. */
import { Context, Data, Effect, Layer, Logger, References, Scope } from "effect"
import type { SecureRandom } from "effect/crypto"
import { Storage } from "../../src/ports/storage.ts"
import { lockTables } from "../../src/tables.ts"
import { fromMilliseconds, toMilliseconds } from "../../src/vocabulary/instant.ts"
import { WorldPayments } from "../environment/payments.ts"
import { Network } from "../environment/webhook-receivers/network.ts"
import { Choices } from "./choices.ts"
import { NameRegistry } from "../clients/name-registry.ts"
import { withExternalCalls } from "../storage/external-storage.ts"
import type { ScenarioContext } from "./scenario-context.ts"
import { type Choose, firstInFirstOut } from "../kernel/choice.ts"
import { VirtualScheduler } from "../kernel/scheduler.ts"
import { layer as memoryLayer } from "../storage/memory-storage/layer.ts"
import { type Content, emptyContent } from "../storage/memory-storage/content.ts"
import { MemoryStore } from "../storage/memory-storage/store.ts"
import type { TimedObservation, Write } from "../observation/observation.ts"
import { createInitialWorld } from "./people.ts"
import { importedKeys } from "./world-keys.ts"
import { insertImportedRows } from "./imported-project.ts"
import { leastLogged, Recorder } from "../observation/recorder.ts"
import type { CommitStates } from "../storage/row-changes.ts"
import type { WorldDefinition } from "./format/scenario.ts"
import { Environment } from "../environment/environment.ts"
import { watchCommits } from "../storage/watched-storage.ts"
import { RequestLedger } from "./request-ledger.ts"
import { WorkerReads } from "../storage/worker-reads.ts"
import { type DueMoment, dueMoments, idleWorkerProbe } from "./idle-worker.ts"
import { makeWorld, type WorldConfiguration } from "./world.ts"

export interface SimulationSetupOptions {
  /** Decides the scheduling choices that a step leaves open; first in, first out if absent. */
  readonly choose?: Choose
  /** The number of service instances that answer in turn, in memory; one if absent. */
  readonly instances?: number
  /** Called when an external event schedules work. */
  readonly onExternalWork?: () => void
  /** Called with the result of each request. */
  readonly onResult?: ScenarioContext["onResult"]
  readonly onResponse?: ScenarioContext["onResponse"]
  /** Called with each observation and the rows after it, if these are in memory. */
  readonly onObservation?: (observed: TimedObservation, content: Content | undefined) => void
  /** Wraps the store in memory. */
  readonly wrapStorage?: (storage: Storage["Service"]) => Storage["Service"]
  /** The total delay of runnable actors that the scheduler may choose, in milliseconds. */
  readonly slowness?: number
  /** True if calls to a real store run concurrently in an externally controlled order. */
  readonly isConcurrent?: boolean
  /** Continues from the state of another world whose processes have ended. */
  readonly from?: SearchOrigin | undefined
  readonly holdRequest?: ScenarioContext["holdRequest"]
  /** False to run also the passes of the worker that find nothing. */
  readonly skipsIdlePasses?: boolean
}

/** A quiescent world in memory, used as the root of a search. */
export interface SearchOrigin {
  readonly setup: SimulationSetup
  readonly context: ScenarioContext
}

export interface SimulationSetup {
  readonly scheduler: VirtualScheduler
  readonly recorder: Recorder
  /** The rows, if they are in memory. */
  readonly store: MemoryStore | undefined
  /** The rows before and after each commit, if they are in memory. */
  readonly states: ReadonlyMap<TimedObservation, CommitStates>
  /** Records the log of the service for the story. */
  readonly logged: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** What happens by itself as virtual time advances, the first first; of the rows only those in memory. */
  readonly due: (context: ScenarioContext) => ReadonlyArray<DueMoment>
  /** Creates the initial world, for the lifetime of the scope. */
  readonly open: Effect.Effect<ScenarioContext, WorldUnusable, SecureRandom.SecureRandom | Scope.Scope>
}

/** The initial world of a scenario cannot be created. */
export class WorldUnusable extends Data.TaggedError("WorldUnusable")<{ readonly reason: string }> {}

export const setupInMemory = (opening: WorldDefinition, options: SimulationSetupOptions = {}): SimulationSetup => {
  const store = new MemoryStore(lockTables, options.from?.setup.store?.content)
  const { wrapStorage = (storage) => storage } = options
  const one = Effect.map(Layer.build(memoryLayer(store)), (context) => wrapStorage(Context.get(context, Storage)))
  return prepare(opening, options, store, () => Effect.all(Array.from({ length: options.instances ?? 1 }, () => one)))
}

/** On exclusive stores: one for each instance of the service, all on one database. */
export const setupOn = (
  storages: ReadonlyArray<Storage["Service"]>,
  opening: WorldDefinition,
  options: SimulationSetupOptions = {}
): SimulationSetup =>
  prepare(opening, options, undefined, (scheduler) =>
    Effect.succeed(storages.map((storage) => withExternalCalls(scheduler, storage)))
  )

const prepare = (
  opening: WorldDefinition,
  { choose = firstInFirstOut, onExternalWork = () => {}, onResult = () => {}, ...others }: SimulationSetupOptions,
  store: MemoryStore | undefined,
  storagesFor: (scheduler: VirtualScheduler) => Effect.Effect<ReadonlyArray<Storage["Service"]>, never, Scope.Scope>
): SimulationSetup => {
  const { from, slowness = 0, onObservation } = others
  const recorder: Recorder = new Recorder(
    () => fromMilliseconds(scheduler.now),
    (observed) => onObservation?.(observed, store?.content)
  )
  const choices = new Choices(recorder, choose, from !== undefined)
  const scheduler = new VirtualScheduler({
    seed: opening.seed,
    startsAt: from?.setup.scheduler.now ?? toMilliseconds(opening.start),
    choose: choices.choose,
    onExternalWork,
    slowness,
    isConcurrent: others.isConcurrent ?? false,
    recordsHistories: from !== undefined
  })
  const workerReads = new WorkerReads()
  // A search compares and names every event, so there no pass may be skipped.
  const skipsIdlePasses = others.skipsIdlePasses !== false && from === undefined && choose === firstInFirstOut
  const states = new Map<TimedObservation, CommitStates>()
  const open = Effect.gen(function* () {
    if (from === undefined) recorder.observe({ kind: "scenario", title: opening.title, seed: opening.seed })
    else recorder.copyStateFrom(from.context.recorder)
    const storages = yield* storagesFor(scheduler)
    if (from === undefined) yield* insertImportedRows(storages[0]!, opening.given.imported)
    const commit = commitObserver(recorder, store, states)
    const world = yield* makeWorld(scheduler, recorder, {
      ...environmentOf(opening, scheduler, recorder, from),
      storages: storages.map((storage) => watchCommits(storage, commit)),
      workerReads
    })
    const context: ScenarioContext = {
      world,
      recorder,
      choices,
      directory: new NameRegistry(scheduler),
      sentRequests: new Map(from?.context.sentRequests),
      ledger: new RequestLedger(),
      onResult,
      onResponse:
        others.onResponse ?? ((_step, answer, differences) => answer !== undefined && differences.length === 0),
      holdRequest: others.holdRequest ?? (() => undefined)
    }
    if (skipsIdlePasses && store !== undefined) scheduler.skipIdlePasses(idleWorkerProbe(context, store, workerReads))
    scheduler.setHorizon(scheduler.now + day)
    if (from !== undefined) {
      context.directory.copyStateFrom(from.context.directory)
      return context
    }
    yield* world
      .act("operator", createInitialWorld(opening, context))
      .pipe(
        Effect.mapError(({ code }) => new WorldUnusable({ reason: `the initial world cannot be created: ${code}` }))
      )
    if (world.workers.areConfigured) yield* world.startWorker
    yield* world.settled
    return context
  })
  const due = (context: ScenarioContext) => dueMoments(context, store, workerReads)
  return { scheduler, recorder, store, states, logged: loggedTo(recorder), due, open }
}

/** Observes each commit, with the rows before and after it if these are in memory. */
const commitObserver = (
  recorder: Recorder,
  store: MemoryStore | undefined,
  states: Map<TimedObservation, CommitStates>
) => {
  let before = store?.content ?? emptyContent
  return (actor: string, step: number | undefined, writes: ReadonlyArray<Write>) => {
    const observed = recorder.observe({ kind: "commit", actor, writes }, step === undefined ? {} : { ofStep: step })
    if (store === undefined) return
    states.set(observed, { before, after: store.content })
    before = store.content
  }
}

/** What surrounds the service in the world of a scenario. */
const environmentOf = (
  { given }: WorldDefinition,
  scheduler: VirtualScheduler,
  recorder: Recorder,
  from: SearchOrigin | undefined
): Omit<WorldConfiguration, "storages" | "workerReads"> => {
  const receivers = given.receivers ?? {}
  return {
    environment: new Environment(
      recorder,
      given.mail,
      from?.context.world.environment.rememberedKeys,
      importedKeys(given)
    ),
    network: new Network(recorder, scheduler, receivers, given.zones ?? {}),
    payments: given.payments && new WorldPayments(recorder, scheduler, given.payments.currencies),
    tasks: given.worker ?? (Object.keys(receivers).length > 0 ? ["CALLBACKS"] : []),
    from: from?.context.world
  }
}

const loggedTo = ({ logger }: Recorder): SimulationSetup["logged"] => {
  const context = Context.make(Logger.CurrentLoggers, new Set([logger])).pipe(
    Context.add(References.MinimumLogLevel, leastLogged)
  )
  return (effect) => Effect.provideContext(effect, context)
}

const day = 86_400_000
