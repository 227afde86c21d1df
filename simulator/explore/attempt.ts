/** One run of what is searched, in a world of its own, under the decisions of a strategy. */
import { hash } from "node:crypto"
import { Cause, Effect, Exit, Fiber, Scope } from "effect"
import type { Visit } from "../callbacks/visit.ts"
import type { Injection } from "../faults/armed.ts"
import type { Victim } from "../faults/storage-faults.ts"
import type { Invariant } from "../invariants/invariant.ts"
import { Monitors, type Violation } from "../invariants/monitors.ts"
import type { Came, Journey } from "../journey.ts"
import { inOrder, namesOf, type Offer } from "../kernel/choice.ts"
import { InLine, type Line } from "../kernel/line.ts"
import { Streams } from "../kernel/random.ts"
import { emptyContent } from "../memory-storage/content.ts"
import type { Observed } from "../observation.ts"
import { seededSigner } from "../signer.ts"
import { type Stage, stageInMemory } from "../stage.ts"
import { runStep } from "../step.ts"
import type { Decide, Point } from "./point.ts"
import type { Prepared } from "./prepared.ts"
import { Footprint, remembering } from "./remembering.ts"
import type { Schedule } from "./schedule.ts"
import { Histories, worldHash } from "./world-hash.ts"

/** What came of a run. */
export interface Attempted {
  /** `CUT` where the strategy went no further. */
  readonly ended: "DONE" | "CUT"
  readonly violation: Violation | undefined
  /** Those of what has to come about sometimes that did. */
  readonly reached: ReadonlySet<string>
  readonly schedule: Schedule
  /** How many times there was something to decide. */
  readonly decisions: number
  /** Steps that could not be done in this order. */
  readonly leftOut: ReadonlyArray<number>
  /** Of each step that was answered: whether its last answer was as expected. */
  readonly asExpected: ReadonlyMap<number, boolean>
  /** How many requests were sent. */
  readonly requests: number
  /** What can be seen in the end: the answers of each step, and a digest of all rows. */
  readonly outcome: Outcome
  readonly stage: Stage
  readonly journey: Journey | undefined
}

export interface Outcome {
  /** By step: the status, and the code of a refusal or a digest of what was answered. */
  readonly answers: ReadonlyArray<readonly [step: number, answer: string]>
  readonly rows: string
}

/** What a run is held against, with everything that was observed before it begins. */
export const watch = (prepared: Prepared, invariants: ReadonlyArray<Invariant>): Monitors => {
  const { stage, journey } = prepared.from
  const { keys } = seededSigner(new Streams(prepared.scenario.seed))
  const monitors = new Monitors(invariants, emptyContent, keys)
  for (const observed of stage.recorder.observations) {
    const after = stage.states.get(observed)?.after
    monitors.observe(observed, after ?? monitors.content, journey.directory)
  }
  return monitors
}

export const attempt = (prepared: Prepared, watched: Monitors, decide: Decide): Attempted =>
  new Attempt(prepared, watched.fork(), decide).run()

/** Thrown through the driver: nothing of this world goes on. */
class Cut extends Error {
  override readonly name = "Cut"
}

class Attempt {
  readonly #prepared: Prepared
  readonly #monitors: Monitors
  readonly #decide: Decide
  readonly #stage: Stage
  readonly #histories = new Histories()
  readonly #choices: Array<string> = []
  /** How many of the choices are needed to have this run again. */
  #needed = 0
  /** What struck, by what a script lists. */
  readonly #struck = new Map<Injection, ReadonlyArray<Injection>>()
  readonly #met = new Map<Injection, number>()
  readonly #visits = new Map<string, Array<Visit>>()
  #mishaps = 0
  #decisions = 0
  readonly #leftOut: Array<number> = []
  #requests = 0
  readonly #answers: Array<readonly [number, string]> = []
  readonly #asExpected = new Map<number, boolean>()
  #journey: Journey | undefined
  #footprint = new Footprint()
  #isVisible = false
  /** From here on nothing is searched. */
  #isOver = false
  /** How far time was allowed to move while somebody could go on, in milliseconds. */
  #allowed: number
  /** The histories of those that waited when somebody was last chosen. */
  #lines: ReadonlyMap<Line, string> = new Map()

  constructor(prepared: Prepared, monitors: Monitors, decide: Decide) {
    this.#prepared = prepared
    this.#monitors = monitors
    this.#decide = decide
    this.#allowed = prepared.search.slowness
    this.#stage = stageInMemory(prepared.scenario, {
      from: prepared.from,
      slowness: prepared.search.slowness,
      choose: (options, offers = []) => this.#order(options, offers),
      observes: (observed) => this.#observe(observed),
      around: (storage) => remembering(storage, () => this.#footprint),
      // Another order can have another correct answer: a difference is counted, and only properties are judged.
      concludes: ({ number }, answer, differences) => {
        this.#asExpected.set(number, answer !== undefined && differences.length === 0)
        return true
      },
      answered: (step, came) => void this.#answers.push([step, answerOf(came)])
    })
  }

  run(): Attempted {
    const scope = Effect.runSync(Scope.make())
    const program = this.#stage.logged(Effect.provideService(this.#program(), Scope.Scope, scope))
    let ended: Attempted["ended"] = "DONE"
    try {
      const result = withoutStacks(() => this.#stage.kernel.run(program))
      if (Exit.isFailure(result)) this.#monitors.fail(messageOf(result.cause))
      else this.#monitors.end()
    } catch (error) {
      if (!(error instanceof Cut)) throw error
      ended = "CUT"
    }
    return {
      ended,
      violation: this.#monitors.violation,
      reached: this.#monitors.reached,
      schedule: {
        choices: this.#choices.slice(0, this.#needed),
        faults: this.#prepared.search.faults.flatMap((injection) => this.#struck.get(injection) ?? []),
        visits: new Map(
          [...this.#visits].flatMap(([name, visits]) => {
            const needed = visits.slice(0, visits.findLastIndex((visit) => Object.keys(visit).length > 0) + 1)
            return needed.length === 0 ? [] : [[name, needed] as const]
          })
        )
      },
      decisions: this.#decisions,
      leftOut: this.#leftOut,
      asExpected: this.#asExpected,
      requests: this.#requests,
      outcome: {
        answers: this.#answers.toSorted(([a], [b]) => a - b),
        rows: this.#stage.store?.hash() ?? ""
      },
      stage: this.#stage,
      journey: this.#journey
    }
  }

  readonly #program = Effect.fnUntraced(function* (this: Attempt) {
    const journey = yield* Effect.orDie(this.#stage.open)
    this.#journey = journey
    const { search, rest } = this.#prepared
    yield* journey.world.startProcesses
    yield* journey.world.settled
    // From here on, as in a script: what it injects stands after the step at which processes start.
    journey.world.faults.search({
      injections: search.faults,
      strikes: (injection, where, victim) => this.#strikes(injection, where, victim)
    })
    journey.world.network.searched = (receiver, visit) => this.#visit(receiver, visit)
    for (const step of rest) {
      journey.world.nextProcess()
      // In another order an answer that a step needs may never have come: then it is left out.
      const ended = yield* Effect.result(runStep(step, journey))
      if (ended._tag === "Failure") this.#leftOut.push(step.number)
    }
    yield* this.#catchingUp(journey)
  })

  /** Whoever was slow does what was to be done by now, and nothing else goes wrong: what holds eventually holds then. */
  readonly #catchingUp = Effect.fnUntraced(function* (this: Attempt, { world }: Journey) {
    const { kernel } = world
    const idled = this.#idled
    if (idled === 0) return
    this.#isOver = true
    this.#allowed = idled
    kernel.slowness = 0
    kernel.expectBy(kernel.now + idled + day)
    yield* Effect.sleep(idled + catchingUpLeast)
    yield* world.settled
  })

  /** How long time has passed while somebody could go on, in milliseconds. */
  get #idled(): number {
    return this.#allowed - this.#stage.kernel.slowness
  }

  #observe(observed: Observed): void {
    const { store } = this.#stage
    if (store === undefined || this.#journey === undefined) return
    if (observed.kind === "request") this.#requests += 1
    this.#isVisible = true
    this.#histories.observe(observed)
    this.#monitors.observe(observed, store.content, this.#journey.directory, this.#idled)
  }

  #order(options: ReadonlyArray<string>, offers: ReadonlyArray<Offer>): number {
    // Before anything is searched, and once it is known how it ends, whoever asked first is first.
    if (this.#journey === undefined || this.#isOver) return inOrder(options)
    if (this.#monitors.violation !== undefined) throw new Cut()
    const { reads, writes } = this.#footprint
    // Rows are seen with whatever is observed next.
    const isVisible = this.#isVisible || writes.size > 0
    // Whoever waited and was told something may go on in another way: what told it cannot change places with it.
    for (const [line, history] of this.#lines) if (line.history !== history) writes.add(`line ${line.name}`)
    const point = this.#point("order", options, offers, { reads, writes, isVisible })
    this.#footprint = new Footprint()
    this.#isVisible = false
    const chosen = this.#decided(point)
    if (chosen === "CUT") throw new Cut()
    this.#lines = historiesIn(this.#stage)
    this.#choices.push(options[chosen] ?? "")
    if (chosen > 0) this.#needed = this.#choices.length
    return chosen
  }

  #point(
    kind: Point["kind"],
    options: ReadonlyArray<string>,
    offers: ReadonlyArray<Offer> = [],
    since: Point["since"] = { reads: new Set(), writes: new Set(), isVisible: true }
  ): Point {
    return { kind, options, offers, since, world: () => this.#world() }
  }

  #world(): string {
    if (this.#journey === undefined) return ""
    const memory = [this.#monitors.memory, this.#mishaps]
    return worldHash(this.#stage, this.#journey, this.#histories, memory)
  }

  #decided(point: Point): number | "CUT" {
    this.#decisions += 1
    return this.#decide(point)
  }

  #strikes(injection: Injection, where: string, { step }: Victim): boolean {
    const met = this.#met.get(injection) ?? 0
    this.#met.set(injection, met + 1)
    if (this.#isOver || this.#mishaps >= this.#prepared.search.most) return false
    const name = `${injection.of} ${where}`
    if (this.#decided(this.#point("mishap", [`${name}: goes on`, `${name}: ${faultName(injection)}`])) !== 1)
      return false
    this.#mishaps += 1
    tellWhoever([name, faultName(injection)])
    // Whoever sends a request has no history of their own: that its answer will be lost is known to nobody else.
    if ("lost" in injection.fault) this.#histories.note(injection.of, [name, faultName(injection), step])
    // As steps they all wait at once, and whichever strikes at a point hides it from those after it.
    const struck = this.#struck.get(injection) ?? []
    const skip = met - struck.length
    this.#struck.set(injection, [...struck, { ...injection, ...(skip === 0 ? {} : { skip }) }])
    return true
  }

  #visit(receiver: string, visit: Visit): Visit {
    const searched = this.#prepared.search.receivers[receiver] ?? []
    const before = this.#visits.get(receiver) ?? []
    this.#visits.set(receiver, before)
    let became = visit
    if (!this.#isOver && searched.length > 0 && this.#mishaps < this.#prepared.search.most) {
      const options = namesOf([visit, ...searched].map((one) => `${receiver}: ${visitName(one)}`))
      const chosen = this.#decided(this.#point("mishap", options))
      if (chosen !== "CUT" && chosen > 0) {
        this.#mishaps += 1
        became = searched[chosen - 1] ?? visit
      }
    }
    before.push(became)
    tellWhoever(became)
    return became
  }
}

/** A lease, a look and a pause between two attempts, in milliseconds. */
const catchingUpLeast = 120_000
const day = 86_400_000

/** What is told of a run is what was seen in it: to note where each error and each span was made would cost a tenth. */
const withoutStacks = <A>(run: () => A): A => {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return run()
  } finally {
    Error.stackTraceLimit = limit
  }
}

/** What befalls somebody is part of their history, also before anything of it can be seen. */
const tellWhoever = (what: unknown): void => Fiber.getCurrent()?.getRef(InLine)?.tell(what)

const historiesIn = ({ kernel }: Stage): ReadonlyMap<Line, string> =>
  new Map(kernel.waiting.flatMap(({ line }) => (line === undefined ? [] : [[line, line.history] as const])))

const faultName = ({ fault }: Injection): string =>
  "database" in fault ? fault.database : "crash" in fault ? `crash ${fault.crash}` : `lost ${fault.lost}`

const visitName = (visit: Visit): string => {
  const parts = Object.entries(visit).map(([key, value]) => `${key} ${JSON.stringify(value)}`)
  return parts.length === 0 ? "as it does" : parts.join(", ")
}

/** What came of a request, in short: the status, and the code of a refusal or a digest of what was answered. */
export const answerOf = (came: Came): string =>
  typeof came === "object" ? `${came.status} ${refusalIn(came.body) ?? digestOf(came.body)}` : came

const digestOf = (body: unknown): string => hash("sha256", JSON.stringify(body ?? null)).slice(0, 12)

const refusalIn = (body: unknown): string | undefined =>
  typeof body === "object" && body !== null && "error" in body && typeof body.error === "string"
    ? body.error
    : undefined

const messageOf = (cause: Cause.Cause<unknown>): string =>
  Cause.prettyErrors(cause)
    .map(({ message }) => message)
    .join("; ")
