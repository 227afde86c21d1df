/**
 * The driver under a simulated world: Effect's Scheduler, Clock, Random and SecureRandom replaced by one loop.
 *
 * Everything that can run runs first. Then one thing that could happen next happens: a parked call is let go, or a
 * timer that is due fires; where there are several, `choose` decides between their names. When nothing is left,
 * whoever waits for that goes on, and only then does time move, straight to the next timer. Quiescence is therefore
 * computed: no lock counts, no polling, no wall clock.
 */
import { Clock, Context, Duration, Effect, type Exit, Exit as Exits, Fiber, Metric, Random, Scheduler } from "effect"
import { SecureRandom } from "effect/crypto"
import { Actor } from "./actor.ts"
import { type Choose, inOrder, Names } from "./choice.ts"
import { Deadlock, notingPromises } from "./deadlock.ts"
import { Flights } from "./flights.ts"
import { Streams } from "./random.ts"
import { Timers } from "./timers.ts"

export interface KernelOptions {
  readonly seed: number
  /** Milliseconds since 1970. */
  readonly startsAt: number
  readonly choose?: Choose
}

export class Kernel {
  readonly streams: Streams
  /** Names of what was chosen wherever there was a choice; `following` replays them. */
  readonly schedule: Array<string> = []
  /** Effect's own services for one world; every fiber of that world runs with them. */
  readonly context: Context.Context<SecureRandom.SecureRandom>
  /** Runs an effect whose answer comes from outside the simulator; `runAsync` waits for it. */
  readonly external: Flights["external"]

  #now: number
  #wake: (() => void) | undefined
  readonly #choose: Choose
  readonly #tasks: Array<Task> = []
  readonly #parked = new Set<Option>()
  readonly #resting: Array<() => void> = []
  readonly #timers = new Timers()
  readonly #names = new Names()
  readonly #flights = new Flights(() => this.#wake?.())
  readonly #started = new Map<Fiber.Fiber<unknown, unknown>, string>()

  constructor(options: KernelOptions) {
    this.#now = options.startsAt
    this.#choose = options.choose ?? inOrder
    this.streams = new Streams(options.seed)
    this.external = this.#flights.external
    this.context = Context.make(SecureRandom.SecureRandom, this.streams.secureRandom).pipe(
      Context.add(Random.Random, this.streams.random),
      Context.add(Scheduler.Scheduler, this.#scheduler),
      Context.add(Clock.Clock, this.#clock),
      Context.add(Metric.MetricRegistry, new Map())
    )
  }

  get now(): number {
    return this.#now
  }

  /**
   * Runs an effect to its end without ever returning to the event loop. A Promise inside can never settle; it is
   * reported as a deadlock that names it.
   */
  run<A, E>(effect: Effect.Effect<A, E, SecureRandom.SecureRandom>): Exit.Exit<A, E | Deadlock> {
    const promises = new Set<string>()
    return notingPromises(promises, () => {
      const main = this.#start(effect)
      for (;;) {
        this.#drain()
        const exit = main.pollUnsafe()
        if (exit !== undefined) return exit
        if (!this.#happenNext()) return Exits.fail(this.#deadlock([...promises]))
      }
    })
  }

  /**
   * The same loop beside a real store. While calls are outside, time stands still and the next answer is awaited;
   * calls go on in the order in which they left, however fast each came back.
   */
  async runAsync<A, E>(effect: Effect.Effect<A, E, SecureRandom.SecureRandom>): Promise<Exit.Exit<A, E | Deadlock>> {
    const main = this.#start(effect)
    for (;;) {
      this.#drain()
      const exit = main.pollUnsafe()
      if (exit !== undefined) return exit
      if (this.#flights.outside > 0) await this.#somethingFromOutside()
      else if (!this.#happenNext()) return Exits.fail(this.#deadlock([]))
    }
  }

  /** A choice point: the fiber stops here until the driver lets it go. */
  readonly park = (what: string): Effect.Effect<void> =>
    Effect.flatMap(Effect.service(Actor), (actor) =>
      Effect.callback<void>((resume) => {
        const parked: Option = {
          label: this.#names.number(`${actor}:${what}`),
          happen: () => {
            this.#parked.delete(parked)
            resume(Effect.void)
          }
        }
        this.#parked.add(parked)
        return Effect.sync(() => this.#parked.delete(parked))
      })
    )

  /** Waits until nothing more can happen at this moment of virtual time. Of several, who came last goes on first. */
  readonly settled: Effect.Effect<void> = Effect.callback<void>((resume) => {
    const goOn = () => resume(Effect.void)
    this.#resting.push(goOn)
    return Effect.sync(() => {
      const position = this.#resting.indexOf(goOn)
      if (position >= 0) this.#resting.splice(position, 1)
    })
  })

  #start<A, E>(effect: Effect.Effect<A, E, SecureRandom.SecureRandom>): Fiber.Fiber<A, E> {
    const fiber = Effect.runForkWith(this.context)(effect)
    this.#started.set(fiber, "the scenario")
    return fiber
  }

  /** Runs everything that can run. */
  #drain(): void {
    for (let task = this.#tasks.shift(); task !== undefined; task = this.#tasks.shift()) task.run()
  }

  /** Lets one thing happen; false where there is nothing that could. */
  #happenNext(): boolean {
    if (this.#flights.releaseOne()) return true
    const options = this.#options()
    const [only] = options
    if (only === undefined) return this.#goOnAtRest() || this.#moveTime()
    if (options.length === 1) only.happen()
    else this.#chosen(options).happen()
    return true
  }

  #options(): ReadonlyArray<Option> {
    return [...this.#parked, ...this.#timers.dueBy(this.#now)]
  }

  #chosen(options: ReadonlyArray<Option>): Option {
    const chosen = options[this.#choose(options.map((option) => option.label))]
    if (chosen === undefined) throw new RangeError("a choice outside the options")
    this.schedule.push(chosen.label)
    return chosen
  }

  #goOnAtRest(): boolean {
    const goOn = this.#resting.pop()
    goOn?.()
    return goOn !== undefined
  }

  #moveTime(): boolean {
    const next = this.#timers.next
    if (next === undefined) return false
    this.#now = next
    return true
  }

  #somethingFromOutside(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined
        resolve()
      }
    })
  }

  #deadlock(promises: ReadonlyArray<string>): Deadlock {
    const unfinished = [...this.#started].filter(([fiber]) => fiber.pollUnsafe() === undefined)
    return new Deadlock({
      at: this.#now,
      unfinished: unfinished.map(([, name]) => name),
      external: this.#flights.labels,
      promises
    })
  }

  readonly #dispatcher: Scheduler.SchedulerDispatcher = {
    scheduleTask: (run, priority) => {
      let position = this.#tasks.length
      while (position > 0 && (this.#tasks[position - 1]?.priority ?? priority) > priority) position--
      this.#tasks.splice(position, 0, { run, priority })
      this.#wake?.()
    },
    flush: () => this.#drain()
  }

  // One queue for all fibers, and no fiber is ever preempted: what runs next is decided at choice points only, so that
  // a schedule does not depend on how many steps some code takes.
  readonly #scheduler: Scheduler.Scheduler = {
    executionMode: "sync",
    shouldYield: () => false,
    makeDispatcher: () => this.#dispatcher
  }

  readonly #clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => this.#now,
    currentTimeMillis: Effect.sync(() => this.#now),
    currentTimeNanosUnsafe: () => BigInt(this.#now) * nanosecondsPerMillisecond,
    currentTimeNanos: Effect.sync(() => BigInt(this.#now) * nanosecondsPerMillisecond),
    monotonicTimeNanosUnsafe: () => BigInt(this.#now) * nanosecondsPerMillisecond,
    monotonicTimeNanos: Effect.sync(() => BigInt(this.#now) * nanosecondsPerMillisecond),
    sleep: (duration) => this.#sleep(Duration.toMillis(duration))
  }

  #sleep(milliseconds: number): Effect.Effect<void> {
    if (milliseconds <= 0) return Effect.yieldNow
    if (!Number.isFinite(milliseconds)) return Effect.never
    return Effect.flatMap(Effect.service(Actor), (actor) =>
      Effect.callback<void>((resume) => {
        const timer = this.#timers.insert(
          this.#now + Math.ceil(milliseconds),
          this.#names.number(`${actor}:timer`),
          () => {
            this.#timers.remove(timer)
            resume(Effect.void)
          }
        )
        return Effect.sync(() => this.#timers.remove(timer))
      })
    )
  }
}

interface Task {
  readonly run: () => void
  readonly priority: number
}

/** Something that could happen next. */
interface Option {
  readonly label: string
  readonly happen: () => void
}

const nanosecondsPerMillisecond = 1_000_000n
