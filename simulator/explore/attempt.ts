/** One run from the search root, in its own world, scheduled by the decisions of a strategy. */
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

/** The result of one run. */
export interface Attempted {
  /** `CUT` if the strategy pruned the run. */
  readonly ended: "DONE" | "CUT"
  readonly violation: Violation | undefined
  /** The reachability properties that the run satisfied. */
  readonly reached: ReadonlySet<string>
  readonly schedule: Schedule
  /** The number of choice points. */
  readonly decisions: number
  /** Steps whose preconditions did not hold under this schedule. */
  readonly leftOut: ReadonlyArray<number>
  /** By answered step: whether its last answer met the expectation. */
  readonly asExpected: ReadonlyMap<number, boolean>
  /** The number of requests sent. */
  readonly requests: number
  /** The observable final state: the answers of each step and a digest of all rows. */
  readonly outcome: Outcome
  readonly stage: Stage
  readonly journey: Journey | undefined
}

export interface Outcome {
  /** By step: the status, and the refusal code or a digest of the body. */
  readonly answers: ReadonlyArray<readonly [step: number, answer: string]>
  readonly rows: string
}

/** Monitors of the properties, fed with every observation up to the search root. */
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

/** Thrown through the driver to abandon the run. */
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
  /** Length of the choice prefix that replays this run. */
  #replayLength = 0
  /** The injected faults, by the listed injection that they come from. */
  readonly #injected = new Map<Injection, ReadonlyArray<Injection>>()
  readonly #opportunities = new Map<Injection, number>()
  readonly #visits = new Map<string, Array<Visit>>()
  #faultCount = 0
  #decisions = 0
  readonly #skipped: Array<number> = []
  #requests = 0
  readonly #answers: Array<readonly [number, string]> = []
  readonly #asExpected = new Map<number, boolean>()
  #context: Journey | undefined
  #footprint = new Footprint()
  #isVisible = false
  /** True once the search has ended and the run only catches up. */
  #isCatchingUp = false
  /** How far time may advance while a fiber is runnable, in milliseconds. */
  #allowedSlowness: number
  /** The histories of the waiting fibers at the last choice. */
  #fiberHistories: ReadonlyMap<Line, string> = new Map()

  constructor(prepared: Prepared, monitors: Monitors, decide: Decide) {
    this.#prepared = prepared
    this.#monitors = monitors
    this.#decide = decide
    this.#allowedSlowness = prepared.search.slowness
    this.#stage = stageInMemory(prepared.scenario, {
      from: prepared.from,
      slowness: prepared.search.slowness,
      choose: (options, offers = []) => this.#order(options, offers),
      observes: (observed) => this.#observe(observed),
      around: (storage) => remembering(storage, () => this.#footprint),
      // Another schedule can have another correct answer: differences are counted, and only properties are judged.
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
        choices: this.#choices.slice(0, this.#replayLength),
        faults: this.#prepared.search.faults.flatMap((injection) => this.#injected.get(injection) ?? []),
        visits: new Map(
          [...this.#visits].flatMap(([name, visits]) => {
            const needed = visits.slice(0, visits.findLastIndex((visit) => Object.keys(visit).length > 0) + 1)
            return needed.length === 0 ? [] : [[name, needed] as const]
          })
        )
      },
      decisions: this.#decisions,
      leftOut: this.#skipped,
      asExpected: this.#asExpected,
      requests: this.#requests,
      outcome: {
        answers: this.#answers.toSorted(([a], [b]) => a - b),
        rows: this.#stage.store?.hash() ?? ""
      },
      stage: this.#stage,
      journey: this.#context
    }
  }

  readonly #program = Effect.fnUntraced(function* (this: Attempt) {
    const context = yield* Effect.orDie(this.#stage.open)
    this.#context = context
    const { search, rest } = this.#prepared
    yield* context.world.startProcesses
    yield* context.world.settled
    // Injection begins here, as in a saved script, whose inject steps follow the explore step.
    context.world.faults.search({
      injections: search.faults,
      strikes: (injection, where, victim) => this.#injects(injection, where, victim)
    })
    context.world.network.searched = (receiver, visit) => this.#visitAs(receiver, visit)
    for (const step of rest) {
      context.world.nextProcess()
      // Under another schedule a step can lack an answer that it needs: it is skipped.
      const ended = yield* Effect.result(runStep(step, context))
      if (ended._tag === "Failure") this.#skipped.push(step.number)
    }
    yield* this.#catchUp(context)
  })

  /** Lets slow processes catch up without further faults, so that liveness is judged in a quiescent state. */
  readonly #catchUp = Effect.fnUntraced(function* (this: Attempt, { world }: Journey) {
    const { kernel } = world
    const idled = this.#idled
    if (idled === 0) return
    this.#isCatchingUp = true
    this.#allowedSlowness = idled
    kernel.slowness = 0
    kernel.expectBy(kernel.now + idled + day)
    yield* Effect.sleep(idled + catchUpMinimum)
    yield* world.settled
  })

  /** How far time has advanced while a fiber was runnable, in milliseconds. */
  get #idled(): number {
    return this.#allowedSlowness - this.#stage.kernel.slowness
  }

  #observe(observed: Observed): void {
    const { store } = this.#stage
    if (store === undefined || this.#context === undefined) return
    if (observed.kind === "request") this.#requests += 1
    this.#isVisible = true
    this.#histories.observe(observed)
    this.#monitors.observe(observed, store.content, this.#context.directory, this.#idled)
  }

  #order(options: ReadonlyArray<string>, offers: ReadonlyArray<Offer>): number {
    // Before the search begins and while the run catches up, the order is first come, first served.
    if (this.#context === undefined || this.#isCatchingUp) return inOrder(options)
    if (this.#monitors.violation !== undefined) throw new Cut()
    const { reads, writes } = this.#footprint
    // Written rows become visible with the next observation.
    const isVisible = this.#isVisible || writes.size > 0
    // A waiting fiber whose history changed depends on the transition that changed it.
    for (const [line, history] of this.#fiberHistories) if (line.history !== history) writes.add(`fiber ${line.name}`)
    const point = this.#point("order", options, offers, { reads, writes, isVisible })
    this.#footprint = new Footprint()
    this.#isVisible = false
    const chosen = this.#choose(point)
    if (chosen === "CUT") throw new Cut()
    this.#fiberHistories = historiesIn(this.#stage)
    this.#choices.push(options[chosen] ?? "")
    if (chosen > 0) this.#replayLength = this.#choices.length
    return chosen
  }

  #point(
    kind: Point["kind"],
    options: ReadonlyArray<string>,
    offers: ReadonlyArray<Offer> = [],
    footprint: Point["since"] = { reads: new Set(), writes: new Set(), isVisible: true }
  ): Point {
    return { kind, options, offers, since: footprint, world: () => this.#stateHash() }
  }

  #stateHash(): string {
    if (this.#context === undefined) return ""
    const memory = [this.#monitors.memory, this.#faultCount]
    return worldHash(this.#stage, this.#context, this.#histories, memory)
  }

  #choose(point: Point): number | "CUT" {
    this.#decisions += 1
    return this.#decide(point)
  }

  #injects(injection: Injection, where: string, { step }: Victim): boolean {
    const met = this.#opportunities.get(injection) ?? 0
    this.#opportunities.set(injection, met + 1)
    if (this.#isCatchingUp || this.#faultCount >= this.#prepared.search.most) return false
    const name = `${injection.of} ${where}`
    if (this.#choose(this.#point("fault", [`${name}: continues`, `${name}: ${faultName(injection)}`])) !== 1)
      return false
    this.#faultCount += 1
    recordInHistory([name, faultName(injection)])
    // The sender of a request has no fiber history, so a lost answer is recorded with its actor.
    if ("lost" in injection.fault) this.#histories.note(injection.of, [name, faultName(injection), step])
    // As inject steps they are all armed at once, and the one that fires at a point hides it from later ones.
    const injected = this.#injected.get(injection) ?? []
    const skip = met - injected.length
    this.#injected.set(injection, [...injected, { ...injection, ...(skip === 0 ? {} : { skip }) }])
    return true
  }

  #visitAs(receiver: string, visit: Visit): Visit {
    const searched = this.#prepared.search.receivers[receiver] ?? []
    const before = this.#visits.get(receiver) ?? []
    this.#visits.set(receiver, before)
    let actual = visit
    if (!this.#isCatchingUp && searched.length > 0 && this.#faultCount < this.#prepared.search.most) {
      const options = namesOf([visit, ...searched].map((one) => `${receiver}: ${visitName(one)}`))
      const chosen = this.#choose(this.#point("fault", options))
      if (chosen !== "CUT" && chosen > 0) {
        this.#faultCount += 1
        actual = searched[chosen - 1] ?? visit
      }
    }
    before.push(actual)
    recordInHistory(actual)
    return actual
  }
}

/** At least a lease, a poll interval and one backoff, in milliseconds. */
const catchUpMinimum = 120_000
const day = 86_400_000

/** Stack traces are not reported, and capturing one for each error and span costs about 10 %. */
const withoutStacks = <A>(run: () => A): A => {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return run()
  } finally {
    Error.stackTraceLimit = limit
  }
}

/** A fault is part of the history of the fiber that it hits, also before an effect is observable. */
const recordInHistory = (what: unknown): void => Fiber.getCurrent()?.getRef(InLine)?.tell(what)

const historiesIn = ({ kernel }: Stage): ReadonlyMap<Line, string> =>
  new Map(kernel.waiting.flatMap(({ line }) => (line === undefined ? [] : [[line, line.history] as const])))

const faultName = ({ fault }: Injection): string =>
  "database" in fault ? fault.database : "crash" in fault ? `crash ${fault.crash}` : `lost ${fault.lost}`

const visitName = (visit: Visit): string => {
  const parts = Object.entries(visit).map(([key, value]) => `${key} ${JSON.stringify(value)}`)
  return parts.length === 0 ? "default" : parts.join(", ")
}

/** The answer of a request in short: the status, and the refusal code or a digest of the body. */
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
