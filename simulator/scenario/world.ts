/**
 * One world: the production service, from its HTTP routes down, with a store and seeded ports, under one scheduler. The
 * service does not know that it is simulated.
 */
import { Context, Effect, Layer, type Scope } from "effect"
import type { SecureRandom } from "effect/crypto"
import { HttpClientRequest, HttpServerRequest, HttpServerResponse, type HttpMethod } from "effect/http"
import { cookieNames } from "../../src/http/cookies.ts"
import { Caches } from "../../src/ports/caches.ts"
import { Payments } from "../../src/ports/payments.ts"
import { Storage } from "../../src/ports/storage.ts"
import type { Network } from "../environment/webhook-receivers/network.ts"
import { ArmedFaults, CurrentOperation, CurrentStep } from "../environment/faults/armed-faults.ts"
import { withFaults, type FaultSource } from "../environment/faults/storage-faults.ts"
import { Actor, Owner } from "../kernel/actor.ts"
import type { VirtualScheduler } from "../kernel/scheduler.ts"
import { CurrentHistory } from "../kernel/fiber-history.ts"
import { RandomStream, StreamNames } from "../kernel/prng.ts"
import { ScheduledMutex } from "../kernel/scheduled-mutex.ts"
import { withInterleavingHook, CurrentHook, type InterleavingHook } from "../environment/interleaving-hook.ts"
import type { WorldPayments } from "../environment/payments.ts"
import { type Ports, seededPorts } from "../environment/ports.ts"
import { Clocks, operatorProcess, Process, storageFor, serializedBy } from "../environment/processes/process.ts"
import { ProcessCaches } from "../environment/processes/process-caches.ts"
import { Services } from "../environment/processes/services.ts"
import type { Task } from "../environment/processes/tasks.ts"
import { Workers } from "../environment/processes/workers.ts"
import type { Recorder } from "../observation/recorder.ts"
import type { WorkerReads } from "../storage/worker-reads.ts"
import type { Json } from "../vocabulary/json.ts"
import { siteUrl, type Environment } from "../environment/environment.ts"
import { operationOfRequest } from "./operations/operation-of-request.ts"
import { readAnswer, type Response } from "./read-answer.ts"

/** The configuration of a world. */
export interface WorldConfiguration {
  readonly environment: Environment
  readonly network: Network
  /** Undefined for an installation without a payment provider. */
  readonly payments: WorldPayments | undefined
  /** The tasks of the worker; without tasks there is no worker. */
  readonly tasks: ReadonlyArray<Task>
  /** One store for each instance of the service; their commits are observed. */
  readonly storages: ReadonlyArray<Storage["Service"]>
  /** Observes the storage calls of the worker. */
  readonly workerReads: WorkerReads
  /** The world whose state is continued, if any. */
  readonly from?: World | undefined
}

export interface Request {
  readonly actor: string
  readonly method: HttpMethod.HttpMethod
  readonly path: string
  /** The actor's bearer token. */
  readonly token: string | undefined
  /** A token that replaces the actor's own. */
  readonly tokenOverride: string | undefined
  /** The session token in a person's cookie. */
  readonly session: string | undefined
  readonly body: Json | undefined
  /** Raw parts: headers that override all others, and a text in place of the body. */
  readonly raw?: { readonly headers: { readonly [name: string]: string }; readonly text?: string }
}

export interface World {
  readonly scheduler: VirtualScheduler
  readonly environment: Environment
  readonly network: Network
  readonly payments: WorldPayments | undefined
  readonly workers: Workers
  readonly faults: ArmedFaults
  readonly clocks: Clocks
  /** Stops all processes gracefully; no request is in progress. */
  readonly stopProcesses: Effect.Effect<void>
  /** Starts the service processes, and a worker if one was stopped. */
  readonly startProcesses: Effect.Effect<void, never, SecureRandom.SecureRandom>
  /** The mutable state beside the rows. */
  readonly progress: Progress
  readonly caches: ProcessCaches
  /** Starts a worker. */
  readonly startWorker: Effect.Effect<void, never, SecureRandom.SecureRandom>
  /** Routes later requests to the next instance of the service. */
  readonly nextProcess: () => void
  /** Runs background processes to quiescence at the current virtual time. */
  readonly settled: Effect.Effect<void>
  /**
   * Sends an HTTP request to the real handlers; `meanwhile` runs after its authentication. Undefined if the service process
   * ended.
   */
  readonly send: (
    request: Request,
    during: { readonly step: number; readonly meanwhile: InterleavingHook | undefined }
  ) => Effect.Effect<Response | undefined, never, SecureRandom.SecureRandom>
  /** Runs an operation on behalf of an actor. */
  readonly act: <A, E>(
    actor: string,
    effect: Effect.Effect<A, E, Ports | SecureRandom.SecureRandom>
  ) => Effect.Effect<A, E, SecureRandom.SecureRandom>
}

/** Counters and state of the processes. */
export interface Progress {
  readonly streams: StreamNames
  readonly services: Services
  hadWorker: boolean
}

export const makeWorld = Effect.fnUntraced(function* (
  scheduler: VirtualScheduler,
  recorder: Recorder,
  { environment, network, payments, tasks, storages, workerReads, from }: WorldConfiguration
): Effect.fn.Return<World, never, SecureRandom.SecureRandom | Scope.Scope> {
  const workers = new Workers(scheduler, network, recorder, tasks)
  const faults = new ArmedFaults()
  const clocks = new Clocks()
  const mutex = new ScheduledMutex(scheduler)
  const ports = yield* Layer.build(seededPorts(scheduler, environment, workers.wakeup))
  const source = faultsOf(faults, recorder)
  const caches = new ProcessCaches()
  let instancesUsed = 0
  const portsOf = (process: Process): Context.Context<Ports> => {
    const storage = storages[process.role === "service" ? instancesUsed++ % storages.length : 0]
    if (storage === undefined) throw new RangeError("a world has a store")
    const serialize = serializedBy(process, mutex)
    const injected = withFaults(storage, process, source, serialize)
    const watched = process.role === "worker" ? workerReads.watch(injected) : injected
    const own = storageFor(process, clocks, serialize, watched)
    return Context.add(ports, Storage, withInterleavingHook(own)).pipe(
      Context.add(Caches, caches.startEmpty(process)),
      Context.add(Payments, payments === undefined ? { kind: "NONE" } : payments.portOf(process))
    )
  }
  const streams = new StreamNames()
  const onBehalfOf = behalfOf(scheduler, streams, clocks)
  const services = new Services(
    {
      portsOf,
      changed: (process, did) => recorder.observe({ kind: "process", process: process.role, did })
    },
    storages.length
  )
  const operator = portsOf(new Process(operatorProcess, "service"))
  instancesUsed = 0
  const progress: Progress = { streams, services, hadWorker: false }
  const startWorker = Effect.suspend(() =>
    workers.start(
      portsOf,
      (process) => (effect) => onBehalfOf(process.name, "worker")(Effect.provideService(effect, Owner, process))
    )
  )
  const world: World = {
    scheduler,
    environment,
    network,
    payments,
    workers,
    faults,
    clocks,
    progress,
    caches,
    ...processControl({ scheduler, workers, progress, startWorker }),
    startWorker,
    nextProcess: () => services.next(),
    settled: scheduler.settled,
    send: (request, { step, meanwhile }) =>
      answerOf(services, request).pipe(
        Effect.provideService(CurrentHook, meanwhile),
        Effect.provideService(CurrentStep, step),
        Effect.provideService(CurrentOperation, operationOfRequest(request.method, request.path)),
        onBehalfOf(request.actor)
      ),
    act: (actor, effect) => effect.pipe(Effect.provideContext(operator), onBehalfOf(actor))
  }
  if (from === undefined) yield* services.start()
  else takeOver(world, from)
  return world
})

/** Each effect has a name, a random stream and a history of its own. */
const behalfOf =
  (scheduler: VirtualScheduler, streams: StreamNames, clocks: Clocks) =>
  (actor: string, role: Process["role"] = "service") =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) => {
    const name = streams.number(`for ${actor}`)
    return effect.pipe(
      Effect.provideService(Actor, actor),
      Effect.provideService(RandomStream, name),
      Effect.provideService(CurrentHistory, scheduler.startHistory(name)),
      clocks.withClockOf(role)
    )
  }

type Processes = Pick<World, "scheduler" | "workers" | "progress" | "startWorker">

const processControl = ({ scheduler, workers, progress, startWorker }: Processes) => ({
  stopProcesses: Effect.suspend(() => {
    progress.hadWorker = workers.isRunning
    const retire = Effect.sync(() => progress.services.retire())
    return workers.stop.pipe(Effect.andThen(scheduler.settled), Effect.andThen(retire))
  }),
  startProcesses: Effect.suspend(() =>
    Effect.andThen(progress.services.start(), progress.hadWorker ? startWorker : Effect.void)
  )
})

const takeOver = (world: World, from: World): void => {
  world.scheduler.streams.copyStateFrom(from.scheduler.streams)
  world.progress.streams.copyStateFrom(from.progress.streams)
  world.progress.services.copyStateFrom(from.progress.services)
  world.progress.hadWorker = from.progress.hadWorker
  world.environment.copyStateFrom(from.environment)
  world.network.copyStateFrom(from.network)
  if (from.payments !== undefined) world.payments?.copyStateFrom(from.payments)
  world.workers.copyStateFrom(from.workers)
  world.faults.copyStateFrom(from.faults)
  world.clocks.copyStateFrom(from.clocks)
}

const answerOf = (services: Services, request: Request) => {
  const outgoing = clientRequest(request)
  const answered = services.answer((answer) =>
    readAnswer(HttpServerResponse.toClientResponse(answer, { request: outgoing }))
  )
  return Effect.map(answered, (answer) => (answer === "GONE" ? undefined : answer)).pipe(
    Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromClientRequest(outgoing)),
    Effect.orDie
  )
}

/** Records each injected fault when it occurs. */
const faultsOf = (faults: ArmedFaults, recorder: Recorder): FaultSource => ({
  hasFaultFor: (victim) => faults.hasFaultFor(victim),
  takeFault: (victim, point) => {
    const { actor } = victim
    const fault = faults.takeFault(victim, point)
    if (fault !== undefined) recorder.observe({ kind: "fault", actor, fault, where: point.at, what: point.what })
    return fault
  }
})

const clientRequest = (request: Request): HttpClientRequest.HttpClientRequest => {
  const { raw, body } = request
  const text = raw?.text ?? (body === undefined ? undefined : JSON.stringify(body))
  const type = raw?.headers["content-type"] ?? "application/json"
  const headers = { ...headersOf(request), ...raw?.headers }
  const outgoing = HttpClientRequest.make(request.method)(`${siteUrl}${request.path}`, { headers })
  return text === undefined ? outgoing : HttpClientRequest.bodyText(outgoing, text, type)
}

/** A browser sends its cookie, and its origin with a change. */
const headersOf = ({
  method,
  token,
  tokenOverride = token,
  session
}: Request): { readonly [name: string]: string } => ({
  ...(tokenOverride === undefined ? {} : { authorization: `Bearer ${tokenOverride}` }),
  ...(session === undefined ? {} : { cookie: `${cookieNames.session}=${session}` }),
  ...(session === undefined || method === "GET" ? {} : { origin: siteUrl })
})
