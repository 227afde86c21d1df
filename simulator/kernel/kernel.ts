/**
 * The driver under a simulated world: Effect's Scheduler, Clock, Random and SecureRandom replaced by one loop.
 *
 * Everything that can run runs first. Then one thing that could happen next happens: a parked call is let go, or a
 * timer that is due fires; where there are several, `choose` decides between their names. When nothing is left,
 * whoever waits for that goes on, and only then does time move, straight to the next timer. Quiescence is therefore
 * computed: no polling, no wall clock. What a real program outside has been asked and has not answered is known by
 * name, and time stands still for it.
 */
import { Clock, type Context, Effect, type Exit, Exit as Exits, type Fiber, type Scheduler } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { Owner } from "./actor.ts"
import { type Choose, inOrder, namesOf, type Offer } from "./choice.ts"
import { clockOf } from "./clock.ts"
import { contextOf } from "./context.ts"
import { Deadlock, notingPromises } from "./deadlock.ts"
import { Flights } from "./flights.ts"
import { alwaysOpen, type Gate } from "./gate.ts"
import { Line } from "./line.ts"
import { Streams } from "./random.ts"
import { Spinning, spinMax } from "./spinning.ts"
import { standing } from "./standing.ts"
import { Timers } from "./timers.ts"
import { whoever } from "./whoever.ts"

export interface KernelOptions {
  readonly seed: number
  /** Milliseconds since 1970. */
  readonly startsAt: number
  readonly choose?: Choose
  /** Called when something from outside made work while no loop runs. */
  readonly awake?: () => void
  /** How far time may move while somebody could go on, in milliseconds: a choice like any other. Not at all where absent. */
  readonly slowness?: number
  /** True where calls that are outside go on beside each other, as they come back: somebody outside has them in hand. */
  readonly isConcurrent?: boolean
  /** True where worlds are compared: then every fiber has a history. */
  readonly keepsHistories?: boolean
}

export class Kernel {
  readonly streams: Streams
  readonly isConcurrent: boolean
  /** Effect's own services for one world; every fiber of that world runs with them. */
  readonly context: Context.Context<SecureRandom.SecureRandom>
  /** Runs an effect whose answer comes from outside the simulator; `runAsync` waits for it. */
  readonly external: Flights["external"]

  #now: number
  #fired = 0
  #wake: (() => void) | undefined
  #isSettling = false
  readonly #choose: Choose
  readonly #awake: () => void
  readonly #tasks: Array<Task> = []
  readonly #parked = new Set<Parked>()
  readonly #landed: Array<() => void> = []
  readonly #resting: Array<() => void> = []
  readonly #idling: Array<() => void> = []
  readonly #away = new Set<string>()
  readonly #held = new Set<string>()
  #happenings = 0
  #horizon = Number.POSITIVE_INFINITY
  #slowness: number
  readonly #keepsHistories: boolean
  readonly #timers = new Timers()
  readonly #flights = new Flights(() => this.#wake?.())
  readonly #started = new Map<Fiber.Fiber<unknown, unknown>, string>()

  constructor(options: KernelOptions) {
    this.#now = options.startsAt
    this.#choose = options.choose ?? inOrder
    this.#awake = options.awake ?? (() => {})
    this.#slowness = options.slowness ?? 0
    this.isConcurrent = options.isConcurrent ?? false
    this.#keepsHistories = options.keepsHistories ?? false
    this.streams = new Streams(options.seed)
    this.external = this.#flights.external
    this.context = contextOf(this.streams, this.#scheduler, this.#clock)
  }

  get now(): number {
    return this.#now
  }

  /** How many timers have fired so far. */
  get fired(): number {
    return this.#fired
  }

  /** Begins a history at this moment; undefined where nobody keeps any. */
  line(name: string): Line | undefined {
    return this.#keepsHistories ? new Line(name, this.#now) : undefined
  }

  /** The moment at which the next timer is due; undefined where none waits. */
  get nextTimer(): number | undefined {
    return this.#timers.next
  }

  /** What real programs outside were asked and have not answered, by name. Time stands still for it. */
  get away(): ReadonlyArray<string> {
    return [...this.#away]
  }

  /** What somebody outside holds back, by name. */
  get held(): ReadonlyArray<string> {
    return [...this.#held]
  }

  /**
   * Runs an effect to its end without ever returning to the event loop. A Promise inside can never settle; it is
   * reported as a deadlock that names it.
   */
  run<A, E>(effect: Effect.Effect<A, E, SecureRandom.SecureRandom>): Exit.Exit<A, E | Deadlock> {
    const promises = new Set<string>()
    return notingPromises(promises, () => {
      const main = this.start(effect)
      for (;;) {
        this.#drain()
        const exit = main.pollUnsafe()
        if (exit !== undefined) return exit
        if (!this.#happenNext() && !this.moveTime()) return Exits.fail(this.deadlock([...promises]))
      }
    })
  }

  /**
   * The same loop beside a real store. While calls are outside, time stands still and the next answer is awaited;
   * calls go on in the order in which they left, however fast each came back.
   */
  async runAsync<A, E>(effect: Effect.Effect<A, E, SecureRandom.SecureRandom>): Promise<Exit.Exit<A, E | Deadlock>> {
    const main = this.start(effect)
    for (;;) {
      this.#drain()
      const exit = main.pollUnsafe()
      if (exit !== undefined) return exit
      if (this.#flights.outside > 0) {
        if (!this.isConcurrent || !this.#flights.releaseOne()) await this.#somethingFromOutside()
      } else if (!this.#happenNext() && !this.moveTime()) return Exits.fail(this.deadlock([]))
    }
  }

  /** Begins an effect; `settle` and `moveTime` bring it on. */
  start<A, E>(effect: Effect.Effect<A, E, SecureRandom.SecureRandom>): Fiber.Fiber<A, E> {
    const fiber = Effect.runForkWith(this.context)(effect)
    this.#started.set(fiber, "the scenario")
    fiber.addObserver(() => this.#started.delete(fiber))
    return fiber
  }

  /** Lets everything happen that can at this moment of virtual time. */
  settle(): void {
    this.#isSettling = true
    try {
      do this.#drain()
      while (this.#happenNext())
    } finally {
      this.#isSettling = false
    }
  }

  /** Nothing that is begun now needs time beyond this moment: where only later timers wait, it never ends. */
  expectBy(moment: number): void {
    this.#happenings = 0
    this.#horizon = this.#horizon === Number.POSITIVE_INFINITY ? moment : Math.max(this.#horizon, moment)
  }

  /** Moves time to the next timer; false where none waits that matters, or a program outside has to answer first. */
  moveTime(): boolean {
    const next = this.#timers.next
    if (next === undefined || this.#away.size > 0 || next > this.#horizon) return false
    this.#now = next
    this.#happenings = 0
    return true
  }

  /**
   * A choice point: the fiber stops here until the driver lets it go, which it does while the gate is open. What it is
   * called says who waits for what: `scout:transaction`.
   */
  readonly park = (what: string, gate: Gate = alwaysOpen): Effect.Effect<void> =>
    Effect.flatMap(whoever, ([actor, owner, line]) =>
      Effect.callback<void>((resume) => {
        const wait = line?.waits()
        const parked: Parked = {
          name: `${actor}:${what}`,
          line,
          wait,
          gate,
          owner,
          happen: () => {
            line?.tell([wait, this.#now])
            this.#parked.delete(parked)
            gate.enter()
            resume(Effect.void)
          }
        }
        this.#parked.add(parked)
        return Effect.sync(() => this.#parked.delete(parked))
      })
    )

  /** Goes on once everything else that runs at this moment has come as far as it can: no choice, first come first. */
  readonly land: Effect.Effect<void> = Effect.callback<void>((resume) => {
    this.#landed.push(() => resume(Effect.void))
  })

  /** Asks a real program outside. Everything else goes on meanwhile, but nothing has settled, and time does not move. */
  readonly outside = <A, E, R>(name: string, asked: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    standing(this.#away, name, asked)

  /** Waits for somebody outside to let it go on. Everything else settles meanwhile; whoever drives decides on time. */
  readonly hold = <A, E, R>(name: string, waiting: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    standing(this.#held, name, waiting)

  /** Waits until nothing more can happen before a real program outside has answered. */
  readonly idle: Effect.Effect<void> = Effect.callback<void>((resume) => {
    const goOn = () => resume(Effect.void)
    this.#idling.push(goOn)
    return Effect.sync(() => {
      const position = this.#idling.indexOf(goOn)
      if (position >= 0) this.#idling.splice(position, 1)
    })
  })

  /** Waits until nothing more can happen at this moment of virtual time. Of several, who came last goes on first. */
  readonly settled: Effect.Effect<void> = Effect.callback<void>((resume) => {
    const goOn = () => resume(Effect.void)
    this.#resting.push(goOn)
    return Effect.sync(() => {
      const position = this.#resting.indexOf(goOn)
      if (position >= 0) this.#resting.splice(position, 1)
    })
  })

  /** Runs everything that can run. */
  #drain(): void {
    for (let task = this.#tasks.shift(); task !== undefined; task = this.#tasks.shift()) task.run()
  }

  /** Lets one thing happen at this moment; false where there is nothing that could. */
  #happenNext(): boolean {
    if (this.#flights.releaseOne()) return true
    const landed = this.#landed.shift()
    if (landed !== undefined) {
      landed()
      return true
    }
    const options = this.#options()
    const [only] = options
    if (only === undefined) return this.#goOnAtRest()
    if (this.#happenings++ > spinMax) throw new Spinning(this.#now, namesOf(options.map(({ name }) => name)))
    if (options.length === 1) only.happen()
    else this.#chosen(options).happen()
    return true
  }

  #options(isSomebodyOutside = false): ReadonlyArray<Option> {
    const due = this.#timers.dueBy(this.#now)
    if (this.#parked.size === 0 && !isSomebodyOutside) return due
    const ready = [...[...this.#parked].filter(({ gate, owner }) => gate.isOpen && !owner.isGone), ...due]
    return this.#slowness > 0 && (ready.length > 0 || isSomebodyOutside) ? [...ready, ...this.#passing()] : ready
  }

  /** Whoever could go on is slow, and time moves to what comes next. */
  #passing(): ReadonlyArray<Option> {
    const next = this.#timers.nextAfter(this.#now)
    if (next === undefined || next - this.#now > this.#slowness || next > this.#horizon) return []
    const happen = () => {
      this.#slowness -= next - this.#now
      this.#now = next
    }
    return [{ name: "world:time", at: next, happen }]
  }

  /** How much further time may move while somebody could go on, in milliseconds. */
  get slowness(): number {
    return this.#slowness
  }

  set slowness(milliseconds: number) {
    this.#slowness = milliseconds
  }

  /** What could happen at this moment while calls are outside; time may pass only where somebody could go on. */
  besideOutside(couldGoOn: boolean): ReadonlyArray<Option> {
    return this.#options(couldGoOn).map((option) => ({
      ...option,
      happen: () => {
        option.happen()
        this.#wake?.()
      }
    }))
  }

  /** Everything that waits, by name, whether or not it could go on now. */
  get waiting(): ReadonlyArray<Offer> {
    const parked = [...this.#parked].filter(({ owner }) => !owner.isGone)
    return [...parked, ...this.#timers.dueBy(Number.POSITIVE_INFINITY)]
  }

  #chosen(options: ReadonlyArray<Option>): Option {
    const chosen = options[this.#choose(namesOf(options.map(({ name }) => name)), options)]
    if (chosen === undefined) throw new RangeError("a choice outside the options")
    return chosen
  }

  #goOnAtRest(): boolean {
    const goOn = this.#away.size > 0 ? this.#idling.shift() : this.#resting.pop()
    goOn?.()
    return goOn !== undefined
  }

  #somethingFromOutside(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined
        resolve()
      }
    })
  }

  /** Why nothing goes on. */
  deadlock(promises: ReadonlyArray<string> = []): Deadlock {
    const unfinished = [...this.#started].filter(([fiber]) => fiber.pollUnsafe() === undefined)
    return new Deadlock({
      at: this.#now,
      unfinished: unfinished.map(([, name]) => name),
      external: [...this.#flights.labels, ...this.#away, ...this.#held],
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

  // One queue for all fibers, and no fiber is ever preempted: what runs next is decided at choice points only, so that
  // a schedule does not depend on how many steps some code takes.
  readonly #scheduler: Scheduler.Scheduler = {
    executionMode: "sync",
    shouldYield: () => false,
    makeDispatcher: () => this.#dispatcher
  }

  readonly #clock: Clock.Clock = clockOf(
    () => this.#now,
    (milliseconds) => this.#sleep(milliseconds)
  )

  #sleep(milliseconds: number): Effect.Effect<void> {
    if (milliseconds <= 0) return Effect.yieldNow
    if (!Number.isFinite(milliseconds)) return Effect.never
    return Effect.flatMap(whoever, ([actor, owner, line]) =>
      Effect.callback<void>((resume) => {
        const wait = line?.waits()
        const timer = this.#timers.insert({
          at: this.#now + Math.ceil(milliseconds),
          name: `${actor}:timer`,
          line,
          wait,
          owner,
          happen: () => {
            line?.tell([wait, this.#now])
            this.#fired += 1
            this.#timers.remove(timer)
            resume(Effect.void)
          }
        })
        return Effect.sync(() => this.#timers.remove(timer))
      })
    )
  }
}

interface Task {
  readonly run: () => void
  readonly priority: number
}

export interface Option extends Offer {
  readonly happen: () => void
}

interface Parked extends Option {
  readonly owner: Owner
  readonly gate: Gate
}
