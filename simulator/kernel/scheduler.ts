/**
 * The deterministic scheduler of a simulated world: one loop in place of Effect's Scheduler, Clock, Random and
 * SecureRandom.
 *
 * The scheduler runs all ready fibers to quiescence, then picks one pending event: a released I/O or a due timer. With
 * several, `choose` picks one by name. Without any, fibers that wait for quiescence resume, and then virtual time
 * advances to the next timer. Quiescence is computed: no polling, no wall clock. Calls of external programs are known by
 * name, and virtual time is frozen until they return.
 */
import { Clock, type Context, Effect, type Exit, Exit as Exits, type Fiber, type Scheduler } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { Owner } from "./actor.ts"
import { type Choose, firstInFirstOut, distinctNames, type ChoiceOption } from "./choice.ts"
import { virtualClock } from "./clock.ts"
import { effectContext } from "./context.ts"
import { Deadlock, recordingPromises } from "./deadlock.ts"
import { PendingIo } from "./pending-io.ts"
import { alwaysOpen, type Gate } from "./gate.ts"
import { FiberHistory } from "./fiber-history.ts"
import { RandomStreams } from "./prng.ts"
import { Livelock, livelockThreshold } from "./livelock.ts"
import { holdingTime } from "./time-hold.ts"
import { Timers } from "./timers.ts"
import { currentActor } from "./current-actor.ts"
import { sleepOn } from "./sleep.ts"
import { IdlePasses, type PassProbe } from "./idle-passes.ts"

export interface VirtualSchedulerOptions {
  readonly seed: number
  /** Milliseconds since 1970. */
  readonly startsAt: number
  readonly choose?: Choose
  /** Called when an external event schedules work while no loop runs. */
  readonly onExternalWork?: () => void
  /** The total delay of runnable actors that the scheduler may choose, in milliseconds; none if absent. */
  readonly slowness?: number
  /** True if external calls run concurrently and resume as they return, under external control. */
  readonly isConcurrent?: boolean
  /** True if states are compared: then every fiber has a history. */
  readonly recordsHistories?: boolean
}

export class VirtualScheduler {
  readonly streams: RandomStreams
  readonly isConcurrent: boolean
  /** Effect's own services for all fibers of this world. */
  readonly context: Context.Context<SecureRandom.SecureRandom>
  /** Runs an external call; `runAsync` waits for it. */
  readonly external: PendingIo["external"]

  #now: number
  #firedTimers = 0
  #wake: (() => void) | undefined
  #isSettling = false
  readonly #choose: Choose
  readonly #awake: () => void
  readonly #tasks: Array<Task> = []
  readonly #parked = new Set<Parked>()
  readonly #yielded: Array<() => void> = []
  readonly #atQuiescence: Array<() => void> = []
  readonly #whenIdle: Array<() => void> = []
  readonly #externalCalls = new Set<string>()
  readonly #heldCalls = new Set<string>()
  #eventCount = 0
  #horizon = Number.POSITIVE_INFINITY
  #slowness: number
  readonly #keepsHistories: boolean
  readonly timers = new Timers()
  #idlePasses: IdlePasses | undefined
  readonly #flights = new PendingIo(() => this.#wake?.())
  readonly #started = new Map<Fiber.Fiber<unknown, unknown>, string>()

  constructor(options: VirtualSchedulerOptions) {
    this.#now = options.startsAt
    this.#choose = options.choose ?? firstInFirstOut
    this.#awake = options.onExternalWork ?? (() => {})
    this.#slowness = options.slowness ?? 0
    this.isConcurrent = options.isConcurrent ?? false
    this.#keepsHistories = options.recordsHistories ?? false
    this.streams = new RandomStreams(options.seed)
    this.external = this.#flights.external
    this.context = effectContext(this.streams, this.#scheduler, this.#clock)
  }

  get now(): number {
    return this.#now
  }

  /** The number of fired timers. */
  get fired(): number {
    return this.#firedTimers
  }

  /** Starts a fiber history; undefined if none are recorded. */
  startHistory(name: string): FiberHistory | undefined {
    return this.#keepsHistories ? new FiberHistory(name, this.#now) : undefined
  }

  /** The due time of the next timer; undefined without timers. */
  get nextTimer(): number | undefined {
    return this.timers.next
  }

  /** Pending calls of external programs, by name. Virtual time is frozen for them. */
  get pendingPrograms(): ReadonlyArray<string> {
    return [...this.#externalCalls]
  }

  /** Calls held by an external driver, by name. */
  get held(): ReadonlyArray<string> {
    return [...this.#heldCalls]
  }

  /**
   * Runs an effect to its end without returning to the event loop. A Promise inside can never settle and is reported as
   * a deadlock with its source location.
   */
  run<A, E>(effect: Effect.Effect<A, E, SecureRandom.SecureRandom>): Exit.Exit<A, E | Deadlock> {
    const promises = new Set<string>()
    return recordingPromises(promises, () => {
      const main = this.start(effect)
      for (;;) {
        this.#drain()
        const exit = main.pollUnsafe()
        if (exit !== undefined) return exit
        if (!this.#runNextEvent() && !this.advanceTime()) return Exits.fail(this.deadlock([...promises]))
      }
    })
  }

  /**
   * The same loop with a real store. While external calls are pending, virtual time is frozen and the loop awaits them;
   * calls resume in the order in which they started.
   */
  async runAsync<A, E>(effect: Effect.Effect<A, E, SecureRandom.SecureRandom>): Promise<Exit.Exit<A, E | Deadlock>> {
    const main = this.start(effect)
    for (;;) {
      this.#drain()
      const exit = main.pollUnsafe()
      if (exit !== undefined) return exit
      if (this.#flights.pendingCount > 0) {
        if (!this.isConcurrent || !this.#flights.releaseOne()) await this.#nextExternalEvent()
      } else if (!this.#runNextEvent() && !this.advanceTime()) return Exits.fail(this.deadlock([]))
    }
  }

  /** Starts an effect; `settle` and `moveTime` advance it. */
  start<A, E>(effect: Effect.Effect<A, E, SecureRandom.SecureRandom>): Fiber.Fiber<A, E> {
    const fiber = Effect.runForkWith(this.context)(effect)
    this.#started.set(fiber, "the scenario")
    fiber.addObserver(() => this.#started.delete(fiber))
    return fiber
  }

  /** Runs all events of the current virtual time. */
  settle(): void {
    this.#isSettling = true
    try {
      do this.#drain()
      while (this.#runNextEvent())
    } finally {
      this.#isSettling = false
    }
  }

  /** Sets the horizon: effects that only wait for later timers are considered stuck. */
  setHorizon(moment: number): void {
    this.#eventCount = 0
    this.#horizon = this.#horizon === Number.POSITIVE_INFINITY ? moment : Math.max(this.#horizon, moment)
  }

  /** Passes of a background process that would find nothing are skipped from now on. */
  skipIdlePasses(probe: PassProbe): void {
    this.#idlePasses = new IdlePasses(probe)
  }

  #skipIdlePasses(): void {
    const { now, fired, streams } = this
    const skipped = this.#idlePasses?.skip({ now, fired, streams, timers: this.timers, horizon: this.#horizon })
    if (skipped === undefined) return
    this.#now += skipped.milliseconds
    this.#firedTimers += skipped.fired
  }

  /** Advances time to the next timer; false without a timer before the horizon, or while an external program is pending. */
  advanceTime(): boolean {
    if (this.#externalCalls.size > 0) return false
    this.#skipIdlePasses()
    const next = this.timers.next
    if (next === undefined || next > this.#horizon) return false
    this.#now = next
    this.#eventCount = 0
    return true
  }

  /**
   * A choice point: the fiber waits here until the scheduler picks it, which requires an open gate. Its name consists of
   * actor and event: `scout:transaction`.
   */
  readonly park = (what: string, gate: Gate = alwaysOpen): Effect.Effect<void> =>
    Effect.flatMap(currentActor, ([actor, owner, line]) =>
      Effect.callback<void>((resume) => {
        const wait = line?.waits()
        const parked: Parked = {
          name: `${actor}:${what}`,
          history: line,
          wait,
          gate,
          owner,
          run: () => {
            line?.record([wait, this.#now])
            this.#parked.delete(parked)
            gate.enter()
            resume(Effect.void)
          }
        }
        this.#parked.add(parked)
        return Effect.sync(() => this.#parked.delete(parked))
      })
    )

  /** Continues after all other ready fibers are quiescent: no choice, first in, first out. */
  readonly yieldToReady: Effect.Effect<void> = Effect.callback<void>((resume) => {
    this.#yielded.push(() => resume(Effect.void))
  })

  /** Calls an external program. Other fibers continue, but the world is not settled and time is frozen. */
  readonly callProgram = <A, E, R>(name: string, asked: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    holdingTime(this.#externalCalls, name, asked)

  /** Waits for an external driver. The rest of the world settles, and the driver decides whether time advances. */
  readonly hold = <A, E, R>(name: string, waiting: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    holdingTime(this.#heldCalls, name, waiting)

  /** Waits until no event is possible before an external program returns. */
  readonly idle: Effect.Effect<void> = Effect.callback<void>((resume) => {
    const resumeWaiter = () => resume(Effect.void)
    this.#whenIdle.push(resumeWaiter)
    return Effect.sync(() => {
      const position = this.#whenIdle.indexOf(resumeWaiter)
      if (position >= 0) this.#whenIdle.splice(position, 1)
    })
  })

  /** Waits until no event is possible at the current virtual time. The last waiter resumes first. */
  readonly settled: Effect.Effect<void> = Effect.callback<void>((resume) => {
    const resumeWaiter = () => resume(Effect.void)
    this.#atQuiescence.push(resumeWaiter)
    return Effect.sync(() => {
      const position = this.#atQuiescence.indexOf(resumeWaiter)
      if (position >= 0) this.#atQuiescence.splice(position, 1)
    })
  })

  /** Runs all ready fibers. */
  #drain(): void {
    for (let task = this.#tasks.shift(); task !== undefined; task = this.#tasks.shift()) task.run()
  }

  /** Runs one event of the current virtual time; false if there is none. */
  #runNextEvent(): boolean {
    if (this.#flights.releaseOne()) return true
    const landed = this.#yielded.shift()
    if (landed !== undefined) {
      landed()
      return true
    }
    const options = this.#options()
    const [only] = options
    if (only === undefined) return this.#resumeAtQuiescence()
    if (this.#eventCount++ > livelockThreshold)
      throw new Livelock(this.#now, distinctNames(options.map(({ name }) => name)))
    if (options.length === 1) only.run()
    else this.#chosen(options).run()
    return true
  }

  #options(hasRunnableOutside = false): ReadonlyArray<ScheduledEvent> {
    const due = this.timers.dueBy(this.#now)
    if (this.#parked.size === 0 && !hasRunnableOutside) return due
    const ready = [...[...this.#parked].filter(({ gate, owner }) => gate.isOpen && !owner.hasEnded), ...due]
    return this.#slowness > 0 && (ready.length > 0 || hasRunnableOutside) ? [...ready, ...this.#delayOptions()] : ready
  }

  /** Delays all runnable actors: time advances to the next timer. */
  #delayOptions(): ReadonlyArray<ScheduledEvent> {
    const next = this.timers.nextAfter(this.#now)
    if (next === undefined || next - this.#now > this.#slowness || next > this.#horizon) return []
    const happen = () => {
      this.#slowness -= next - this.#now
      this.#now = next
    }
    return [{ name: "world:time", at: next, run: happen }]
  }

  /** The remaining delay of runnable actors, in milliseconds. */
  get slowness(): number {
    return this.#slowness
  }

  set slowness(milliseconds: number) {
    this.#slowness = milliseconds
  }

  /** The possible events while external calls are pending; time may pass only if an actor is runnable. */
  optionsDuringExternalCalls(isRunnable: boolean): ReadonlyArray<ScheduledEvent> {
    return this.#options(isRunnable).map((option) => ({
      ...option,
      happen: () => {
        option.run()
        this.#wake?.()
      }
    }))
  }

  /** All pending events by name, whether or not they are enabled. */
  get waiting(): ReadonlyArray<ChoiceOption> {
    const parked = [...this.#parked].filter(({ owner }) => !owner.hasEnded)
    return [...parked, ...this.timers.dueBy(Number.POSITIVE_INFINITY)]
  }

  #chosen(options: ReadonlyArray<ScheduledEvent>): ScheduledEvent {
    const chosen = options[this.#choose(distinctNames(options.map(({ name }) => name)), options)]
    if (chosen === undefined) throw new RangeError("a choice outside the options")
    return chosen
  }

  #resumeAtQuiescence(): boolean {
    const resumeWaiter = this.#externalCalls.size > 0 ? this.#whenIdle.shift() : this.#atQuiescence.pop()
    resumeWaiter?.()
    return resumeWaiter !== undefined
  }

  #nextExternalEvent(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined
        resolve()
      }
    })
  }

  /** Describes the deadlock. */
  deadlock(promises: ReadonlyArray<string> = []): Deadlock {
    const unfinished = [...this.#started].filter(([fiber]) => fiber.pollUnsafe() === undefined)
    return new Deadlock({
      at: this.#now,
      unfinished: unfinished.map(([, name]) => name),
      external: [...this.#flights.labels, ...this.#externalCalls, ...this.#heldCalls],
      promises
    })
  }

  readonly #dispatcher: Scheduler.SchedulerDispatcher = {
    scheduleTask: (run, priority) => {
      let position = this.#tasks.length
      while (position > 0 && (this.#tasks[position - 1]?.priority ?? priority) > priority) position--
      this.#tasks.splice(position, 0, { run, priority })
      this.#wake?.()
      if (!this.#isSettling && this.#tasks.length === 1) this.#awake()
    },
    flush: () => this.#drain()
  }

  // One queue for all fibers, without preemption: scheduling decisions occur at choice points only, so that a schedule
  // does not depend on the number of steps of some code.
  readonly #scheduler: Scheduler.Scheduler = {
    executionMode: "sync",
    shouldYield: () => false,
    makeDispatcher: () => this.#dispatcher
  }

  readonly #clock: Clock.Clock = virtualClock(
    () => this.#now,
    (milliseconds) =>
      sleepOn(
        this.timers,
        () => this.#now,
        () => void (this.#firedTimers += 1),
        milliseconds
      )
  )
}

interface Task {
  readonly run: () => void
  readonly priority: number
}

export interface ScheduledEvent extends ChoiceOption {
  readonly run: () => void
}

interface Parked extends ScheduledEvent {
  readonly owner: Owner
  readonly gate: Gate
}
