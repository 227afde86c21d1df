/**
 * One process of the service in a world: it serves requests or runs tasks, has its own clock, and can crash at any time.
 * The pending calls of a crashed process never return, so it releases nothing. All storage operations are serialized;
 * their order is a scheduling choice.
 */
import { Clock, Effect, type Fiber } from "effect"
import { InsideTransaction } from "../../../src/ports/storage/lock-discipline.ts"
import type { Storage } from "../../../src/ports/storage.ts"
import type { ScheduledMutex } from "../../kernel/scheduled-mutex.ts"

/** The roles of processes; each role has one clock offset. */
export const roles = ["service", "worker"] as const
export type Role = (typeof roles)[number]

/** The command line of the operator, which is no process of the service. */
export const operatorProcess = "operator"

export class Process {
  readonly name: string
  readonly role: Role
  #hasEnded = false
  readonly #crashed: () => void
  readonly #waiting = new Set<() => void>()
  /** Fibers with pending storage calls. */
  readonly #storageCalls = new Set<Fiber.Fiber<unknown, unknown>>()

  /** `crashed` is called at a crash. */
  constructor(name: string, role: Role, crashed: () => void = () => {}) {
    this.name = name
    this.role = role
    this.#crashed = crashed
  }

  /** The scenario's name of this process; undefined for service processes, whose actors have their own names. */
  get scenarioName(): string | undefined {
    if (this.name === operatorProcess) return operatorProcess
    return this.role === "worker" ? "worker" : undefined
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Crashes as on SIGKILL. `crashed` is called before waiters for the end of the process resume. */
  crash(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#crashed()
    for (const fiber of this.#storageCalls) fiber.currentDispatcher.scheduleTask(() => this.#interrupt(fiber), 0)
    this.retire()
  }

  /** Ends without a crash. */
  retire(): void {
    this.#hasEnded = true
    for (const resume of this.#waiting) resume()
  }

  /** Completes after the end of this process. */
  readonly ended: Effect.Effect<void> = Effect.callback<void>((resume) => {
    if (this.#hasEnded) return void resume(Effect.void)
    const notify = () => resume(Effect.void)
    this.#waiting.add(notify)
    return Effect.sync(() => void this.#waiting.delete(notify))
  })

  /** Runs a storage call. When the process crashes, the store rolls back and releases locks without a result for the caller. */
  readonly storageCall = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber: Fiber.Fiber<unknown, unknown>) => {
      if (this.#hasEnded) return Effect.die("its process is gone")
      this.#storageCalls.add(fiber)
      return Effect.onExit(effect, () => Effect.sync(() => void this.#storageCalls.delete(fiber)))
    })

  /** Interrupts the fiber unless it has ended. */
  #interrupt(fiber: Fiber.Fiber<unknown, unknown>): void {
    if (this.#storageCalls.has(fiber)) fiber.interruptUnsafe()
  }

  /** Suspends forever once the process has ended, before and after the effect. */
  readonly whileAlive = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() =>
      this.#hasEnded
        ? Effect.never
        : Effect.onExit(effect, () => Effect.suspend(() => (this.#hasEnded ? Effect.never : Effect.void)))
    )
}

/** The clock offset of each role, in milliseconds. */
export class Clocks {
  readonly #offsets = new Map<Role, number>()

  offsetOf(role: Role): number {
    return this.#offsets.get(role) ?? 0
  }

  set(role: Role, offset: number): void {
    this.#offsets.set(role, offset)
  }

  copyStateFrom(earlier: Clocks): void {
    for (const [role, offset] of earlier.#offsets) this.#offsets.set(role, offset)
  }

  /** Runs an effect with the clock of a role. */
  readonly withClockOf =
    (role: Role) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.updateService(effect, Clock.Clock, (clock) => this.#shifted(clock, role))

  #shifted(clock: Clock.Clock, role: Role): Clock.Clock {
    const milliseconds = () => clock.currentTimeMillisUnsafe() + this.offsetOf(role)
    const nanoseconds = () => BigInt(milliseconds()) * 1_000_000n
    return {
      currentTimeMillisUnsafe: milliseconds,
      currentTimeMillis: Effect.sync(milliseconds),
      currentTimeNanosUnsafe: nanoseconds,
      currentTimeNanos: Effect.sync(nanoseconds),
      // The monotonic clock has no offset.
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) => clock.sleep(duration)
    }
  }
}

/** Runs storage operations one at a time. */
export type Serialize = <A, E, R>(what: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Serializes the storage operations of one process, and suspends them after its end. */
export const serializedBy =
  (process: Process, mutex: ScheduledMutex): Serialize =>
  (what, effect) =>
    Effect.flatMap(Effect.service(InsideTransaction), (isInside) =>
      // A store refuses nested calls inside a transaction; waiting for the mutex would be a self-deadlock.
      isInside ? effect : process.whileAlive(mutex.withLock(what, process.storageCall(effect)))
    )

/** The storage of one process, with its clock offset. */
export const storageFor = (
  process: Process,
  clocks: Clocks,
  serialize: Serialize,
  storage: Storage["Service"]
): Storage["Service"] => ({
  ...storage,
  health: Effect.map(serialize("health", storage.health), (health) => ({
    ...health,
    clockOffset: 0 - clocks.offsetOf(process.role)
  }))
})
