/**
 * One process of the service in a world: it serves requests or works, has a clock of its own, and can be gone from one
 * moment to the next. What a gone process waits for never comes back to it, and so it releases nothing. Everything that
 * processes ask of the store happens one thing at a time; who is next where several wait is a choice between names.
 */
import { Clock, Effect, type Fiber } from "effect"
import { InsideTransaction } from "../../src/ports/held-roots.ts"
import type { Storage } from "../../src/ports/storage.ts"
import type { Turnstile } from "../kernel/turnstile.ts"

/** What a process is there for; each role has one clock offset. */
export const roles = ["service", "worker"] as const
export type Role = (typeof roles)[number]

/** The command line, which is no process of the service: what an operator does happens there. */
export const operatorProcess = "operator"

export class Process {
  readonly name: string
  readonly role: Role
  #isGone = false
  readonly #crashed: () => void
  readonly #waiting = new Set<() => void>()
  /** What it asked of the store and has no answer to. */
  readonly #asking = new Set<Fiber.Fiber<unknown, unknown>>()

  /** `crashed` is told of it. */
  constructor(name: string, role: Role, crashed: () => void = () => {}) {
    this.name = name
    this.role = role
    this.#crashed = crashed
  }

  /** What a script calls whoever acts in it; each by their own name where this is absent. */
  get called(): string | undefined {
    if (this.name === operatorProcess) return operatorProcess
    return this.role === "worker" ? "worker" : undefined
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** As on SIGKILL. It is seen before whoever waits for the end of this process goes on. */
  crash(): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#crashed()
    for (const fiber of this.#asking) fiber.currentDispatcher.scheduleTask(() => this.#hangUp(fiber), 0)
    this.retire()
  }

  /** It has nothing left to do, and is gone: it is no crash. */
  retire(): void {
    this.#isGone = true
    for (const goOn of this.#waiting) goOn()
  }

  /** Comes back once this process is gone. */
  readonly gone: Effect.Effect<void> = Effect.callback<void>((resume) => {
    if (this.#isGone) return void resume(Effect.void)
    const tell = () => resume(Effect.void)
    this.#waiting.add(tell)
    return Effect.sync(() => void this.#waiting.delete(tell))
  })

  /**
   * What is asked of the store. A store notices that a process is gone: it takes back what is not committed, and lets
   * others go on; the fiber that asked has nothing of it.
   */
  readonly asking = <A, E, R>(asked: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber: Fiber.Fiber<unknown, unknown>) => {
      if (this.#isGone) return Effect.die("its process is gone")
      this.#asking.add(fiber)
      return Effect.onExit(asked, () => Effect.sync(() => void this.#asking.delete(fiber)))
    })

  /** Nobody interrupts a fiber from within: one that ends by itself meanwhile is left alone. */
  #hangUp(fiber: Fiber.Fiber<unknown, unknown>): void {
    if (this.#asking.has(fiber)) fiber.interruptUnsafe()
  }

  /** Asks for nothing, and learns nothing, once it is gone. */
  readonly living = <A, E, R>(asked: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() =>
      this.#isGone
        ? Effect.never
        : Effect.onExit(asked, () => Effect.suspend(() => (this.#isGone ? Effect.never : Effect.void)))
    )
}

/** How far the clock of each role is ahead of the world's, in milliseconds. */
export class Clocks {
  readonly #offsets = new Map<Role, number>()

  offsetOf(role: Role): number {
    return this.#offsets.get(role) ?? 0
  }

  set(role: Role, offset: number): void {
    this.#offsets.set(role, offset)
  }

  takeOver(earlier: Clocks): void {
    for (const [role, offset] of earlier.#offsets) this.#offsets.set(role, offset)
  }

  /** Runs an effect by the clock of a role. */
  readonly by =
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
      // What only measures spans runs as it did.
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) => clock.sleep(duration)
    }
  }
}

/** Does what is asked of the store when its turn comes. */
export type InTurn = <A, E, R>(what: string, asked: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** The turns of one process: it asks nothing once it is gone. */
export const turnOf =
  (process: Process, turnstile: Turnstile): InTurn =>
  (what, asked) =>
    Effect.flatMap(Effect.service(InsideTransaction), (isInside) =>
      // A store refuses what is asked for from inside a transaction; at the turnstile it would wait for itself.
      isInside ? asked : process.living(turnstile.pass(what, process.asking(asked)))
    )

/** The store as one process has it: its clock may disagree. */
export const storageFor = (
  process: Process,
  clocks: Clocks,
  inTurn: InTurn,
  storage: Storage["Service"]
): Storage["Service"] => ({
  ...storage,
  health: Effect.map(inTurn("health", storage.health), (health) => ({
    ...health,
    clockOffset: 0 - clocks.offsetOf(process.role)
  }))
})
