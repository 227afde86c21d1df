/** One run from the search root, in its own world, scheduled by the decisions of a strategy. */
import { hash } from "node:crypto"
import { Cause, Effect, Exit, Fiber, Scope } from "effect"
import type { AttemptScript } from "../environment/webhook-receivers/attempt-script.ts"
import type { Injection } from "../environment/faults/armed-faults.ts"
import type { PaymentCall } from "../observation/observation.ts"
import type { ProviderCondition } from "../payments/layer.ts"
import type { FaultTarget } from "../environment/faults/storage-faults.ts"
import type { MonitoredProperty } from "../properties/property.ts"
import { Monitors, type Violation } from "../properties/monitors.ts"
import type { RequestResult, ScenarioContext } from "../scenario/scenario-context.ts"
import { firstInFirstOut, distinctNames, type ChoiceOption } from "../kernel/choice.ts"
import { CurrentHistory, type FiberHistory } from "../kernel/fiber-history.ts"
import { emptyContent } from "../storage/memory-storage/content.ts"
import type { TimedObservation } from "../observation/observation.ts"
import { worldKeys } from "../scenario/world-keys.ts"
import { type SimulationSetup, setupInMemory } from "../scenario/simulation-setup.ts"
import { runStep } from "../scenario/step.ts"
import type { Decider, ChoicePoint } from "./choice-point.ts"
import type { SearchRoot } from "./search-root.ts"
import { ReadWriteSet, trackReadsAndWrites } from "./read-write-tracking.ts"
import type { Schedule } from "./schedule.ts"
import { ActorHistories, stateHash } from "./state-hash.ts"
import { withoutStacks } from "./without-stacks.ts"

/** The result of one run. */
export interface RunResult {
  /** `CUT` if the strategy pruned the run. */
  readonly ended: "DONE" | "CUT"
  readonly violation: Violation | undefined
  /** The reachability properties that the run satisfied. */
  readonly reached: ReadonlySet<string>
  readonly schedule: Schedule
  /** The number of choice points. */
  readonly decisions: number
  /** Steps whose preconditions did not hold under this schedule. */
  readonly skippedSteps: ReadonlyArray<number>
  /** By answered step: whether its last answer met the expectation. */
  readonly asExpected: ReadonlyMap<number, boolean>
  /** The number of requests sent. */
  readonly requests: number
  /** The observable final state: the answers of each step and a digest of all rows. */
  readonly outcome: Outcome
  readonly setup: SimulationSetup
  readonly context: ScenarioContext | undefined
}

export interface Outcome {
  /** By step: the status, and the refusal code or a digest of the body. */
  readonly answers: ReadonlyArray<readonly [step: number, answer: string]>
  readonly rows: string
}

/** Monitors of the properties, fed with every observation up to the search root. */
export const createMonitors = (root: SearchRoot, properties: ReadonlyArray<MonitoredProperty>): Monitors => {
  const { setup, context } = root.from
  const keys = worldKeys(root.scenario)
  const monitors = new Monitors(properties, emptyContent, keys)
  for (const observed of setup.recorder.observations) {
    const after = setup.states.get(observed)?.after
    monitors.observe(observed, after ?? monitors.content, context.directory)
  }
  return monitors
}

/** What a run has done at a choice point. */
export interface RunProgress extends Pick<RunResult, "reached" | "skippedSteps" | "asExpected" | "requests"> {
  readonly answers: Outcome["answers"]
  /** The number of observations, with those before the search root. */
  readonly observed: number
}

/** Called after each decision. */
export type OnDecision = (point: ChoicePoint, chosen: number | "CUT", progress: () => RunProgress) => void

export const executeRun = (
  root: SearchRoot,
  monitors: Monitors,
  decide: Decider,
  onDecision: OnDecision = () => {}
): RunResult => new Attempt(root, monitors.fork(), { decide, onDecision }).run()

/** Thrown through the driver to abandon the run. */
class Cut extends Error {
  override readonly name = "Cut"
}

class Attempt {
  readonly #root: SearchRoot
  readonly #monitors: Monitors
  readonly #decide: Decider
  readonly #onDecision: OnDecision
  readonly #setup: SimulationSetup
  readonly #histories = new ActorHistories()
  readonly #choices: Array<string> = []
  /** Length of the choice prefix that replays this run. */
  #replayLength = 0
  /** The injected faults, by the listed injection that they come from. */
  readonly #injected = new Map<Injection, ReadonlyArray<Injection>>()
  readonly #opportunities = new Map<Injection, number>()
  readonly #visits = new Map<string, Array<AttemptScript>>()
  /** The condition of each call of the payment provider, and their number up to the last changed one. */
  readonly #calls: Array<ProviderCondition> = []
  #changedCalls = 0
  #faultCount = 0
  #decisions = 0
  readonly #skipped: Array<number> = []
  #requests = 0
  readonly #answers: Array<readonly [number, string]> = []
  readonly #asExpected = new Map<number, boolean>()
  #context: ScenarioContext | undefined
  #footprint = new ReadWriteSet()
  #isVisible = false
  /** True once the search has ended and the run only catches up. */
  #isCatchingUp = false
  /** How far time may advance while a fiber is runnable, in milliseconds. */
  #allowedSlowness: number
  /** The histories of the waiting fibers at the last choice. */
  #fiberHistories: ReadonlyMap<FiberHistory, string> = new Map()

  constructor(
    root: SearchRoot,
    monitors: Monitors,
    { decide, onDecision }: { readonly decide: Decider; readonly onDecision: OnDecision }
  ) {
    this.#root = root
    this.#monitors = monitors
    this.#decide = decide
    this.#onDecision = onDecision
    this.#allowedSlowness = root.search.slowness
    this.#setup = setupInMemory(root.scenario, {
      from: root.from,
      slowness: root.search.slowness,
      choose: (options, offers = []) => this.#order(options, offers),
      onObservation: (observed) => this.#observe(observed),
      wrapStorage: (storage) => trackReadsAndWrites(storage, () => this.#footprint),
      // Another schedule can have another correct answer: differences are counted, and only properties are judged.
      onResponse: ({ number }, answer, differences) => {
        this.#asExpected.set(number, answer !== undefined && differences.length === 0)
        return true
      },
      onResult: (step, answer) => void this.#answers.push([step, summarizeAnswer(answer)])
    })
  }

  run(): RunResult {
    const scope = Effect.runSync(Scope.make())
    const program = this.#setup.logged(Effect.provideService(this.#program(), Scope.Scope, scope))
    let ended: RunResult["ended"] = "DONE"
    try {
      const result = withoutStacks(() => this.#setup.scheduler.run(program))
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
        faults: this.#root.search.faults.flatMap((injection) => this.#injected.get(injection) ?? []),
        visits: new Map(
          [...this.#visits].flatMap(([name, visits]) => {
            const needed = visits.slice(0, visits.findLastIndex((visit) => Object.keys(visit).length > 0) + 1)
            return needed.length === 0 ? [] : [[name, needed] as const]
          })
        ),
        calls: this.#calls.slice(0, this.#changedCalls)
      },
      decisions: this.#decisions,
      skippedSteps: this.#skipped,
      asExpected: this.#asExpected,
      requests: this.#requests,
      outcome: {
        answers: this.#sortedAnswers,
        rows: this.#setup.store?.hash() ?? ""
      },
      setup: this.#setup,
      context: this.#context
    }
  }

  readonly #program = Effect.fnUntraced(function* (this: Attempt) {
    const context = yield* Effect.orDie(this.#setup.open)
    this.#context = context
    const { search, rest } = this.#root
    yield* context.world.startProcesses
    yield* context.world.settled
    // Injection begins here, as in a saved script, whose inject steps follow the explore step.
    context.world.faults.search({
      injections: search.faults,
      occurs: (injection, where, victim) => this.#injects(injection, where, victim)
    })
    context.world.network.chooseAttempt = (receiver, visit) => this.#visitAs(receiver, visit)
    const { payments } = context.world
    if (payments !== undefined) payments.chooseCondition = (call, condition) => this.#conditionOf(call, condition)
    for (const step of rest) {
      context.world.nextProcess()
      // Under another schedule a step can lack an answer that it needs: it is skipped.
      const ended = yield* Effect.result(runStep(step, context))
      if (ended._tag === "Failure") this.#skipped.push(step.number)
    }
    yield* this.#catchUp(context)
  })

  /** Lets slow processes catch up without further faults, so that liveness is judged in a quiescent state. */
  readonly #catchUp = Effect.fnUntraced(function* (this: Attempt, { world }: ScenarioContext) {
    const { scheduler } = world
    const usedSlowness = this.#usedSlowness
    if (usedSlowness === 0) return
    this.#isCatchingUp = true
    this.#allowedSlowness = usedSlowness
    scheduler.slowness = 0
    scheduler.setHorizon(scheduler.now + usedSlowness + day)
    yield* Effect.sleep(usedSlowness + catchUpMinimum)
    yield* world.settled
  })

  /** How far time has advanced while a fiber was runnable, in milliseconds. */
  get #usedSlowness(): number {
    return this.#allowedSlowness - this.#setup.scheduler.slowness
  }

  #observe(observed: TimedObservation): void {
    const { store } = this.#setup
    if (store === undefined || this.#context === undefined) return
    if (observed.kind === "request") this.#requests += 1
    this.#isVisible = true
    this.#histories.observe(observed)
    this.#monitors.observe(observed, store.content, this.#context.directory, this.#usedSlowness)
  }

  #order(options: ReadonlyArray<string>, offers: ReadonlyArray<ChoiceOption>): number {
    // Before the search begins and while the run catches up, the order is first come, first served.
    if (this.#context === undefined || this.#isCatchingUp) return firstInFirstOut(options)
    if (this.#monitors.violation !== undefined) throw new Cut()
    const { reads, writes } = this.#footprint
    // Written rows become visible with the next observation.
    const isVisible = this.#isVisible || writes.size > 0
    // A waiting fiber whose history changed depends on the transition that changed it.
    for (const [line, history] of this.#fiberHistories) if (line.history !== history) writes.add(`fiber ${line.name}`)
    const point = this.#point("order", options, offers, { reads, writes, isVisible })
    this.#footprint = new ReadWriteSet()
    this.#isVisible = false
    const chosen = this.#choose(point)
    if (chosen === "CUT") throw new Cut()
    this.#fiberHistories = historiesIn(this.#setup)
    this.#choices.push(options[chosen] ?? "")
    if (chosen > 0) this.#replayLength = this.#choices.length
    return chosen
  }

  #point(
    kind: ChoicePoint["kind"],
    options: ReadonlyArray<string>,
    offers: ReadonlyArray<ChoiceOption> = [],
    footprint: ChoicePoint["footprint"] = { reads: new Set(), writes: new Set(), isVisible: true }
  ): ChoicePoint {
    return { kind, options, offers, footprint, stateHash: () => this.#stateHash() }
  }

  #stateHash(): string {
    if (this.#context === undefined) return ""
    const memory = [this.#monitors.state, this.#faultCount]
    return stateHash(this.#setup, this.#context, this.#histories, memory)
  }

  #choose(point: ChoicePoint): number | "CUT" {
    this.#decisions += 1
    const chosen = this.#decide(point)
    this.#onDecision(point, chosen, () => this.#progress)
    return chosen
  }

  get #progress(): RunProgress {
    return {
      reached: new Set(this.#monitors.reached),
      skippedSteps: [...this.#skipped],
      asExpected: new Map(this.#asExpected),
      requests: this.#requests,
      answers: this.#sortedAnswers,
      observed: this.#setup.recorder.observations.length
    }
  }

  get #sortedAnswers(): Outcome["answers"] {
    return this.#answers.toSorted(([a], [b]) => a - b)
  }

  #injects(injection: Injection, where: string, { step }: FaultTarget): boolean {
    const met = this.#opportunities.get(injection) ?? 0
    this.#opportunities.set(injection, met + 1)
    if (this.#isCatchingUp || this.#faultCount >= this.#root.search.most) return false
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

  #visitAs(receiver: string, visit: AttemptScript): AttemptScript {
    const searched = this.#root.search.receivers[receiver] ?? []
    const before = this.#visits.get(receiver) ?? []
    this.#visits.set(receiver, before)
    let actual = visit
    if (!this.#isCatchingUp && searched.length > 0 && this.#faultCount < this.#root.search.most) {
      const options = distinctNames([visit, ...searched].map((one) => `${receiver}: ${visitName(one)}`))
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

  #conditionOf(call: PaymentCall, scripted: ProviderCondition): ProviderCondition {
    const searched = this.#root.search.payments.filter((one) => isAbout(call, one))
    let actual = scripted
    if (!this.#isCatchingUp && searched.length > 0 && this.#faultCount < this.#root.search.most) {
      const options = distinctNames([scripted, ...searched].map((one) => `${call}: ${conditionName(one)}`))
      const chosen = this.#choose(this.#point("fault", options))
      if (chosen !== "CUT" && chosen > 0) {
        this.#faultCount += 1
        actual = searched[chosen - 1] ?? scripted
        this.#changedCalls = this.#calls.length + 1
      }
    }
    this.#calls.push(actual)
    recordInHistory(actual)
    return actual
  }
}

/** True if a condition can change the answer to a call. */
const isAbout = (call: PaymentCall, { availability, arrivesAfter, readbacks }: ProviderCondition): boolean =>
  availability !== undefined ||
  arrivesAfter !== undefined ||
  call === (readbacks === undefined ? "openCheckout" : "readBack")

const conditionName = (condition: ProviderCondition): string =>
  Object.keys(condition).length === 0 ? "default" : JSON.stringify(condition)

/** At least a lease, a poll interval and one backoff, in milliseconds. */
const catchUpMinimum = 120_000
const day = 86_400_000

/** A fault is part of the history of the fiber that it hits, also before an effect is observable. */
const recordInHistory = (what: unknown): void => Fiber.getCurrent()?.getRef(CurrentHistory)?.record(what)

const historiesIn = ({ scheduler }: SimulationSetup): ReadonlyMap<FiberHistory, string> =>
  new Map(
    scheduler.waiting.flatMap(({ history }) => (history === undefined ? [] : [[history, history.history] as const]))
  )

const faultName = ({ fault }: Injection): string =>
  "database" in fault ? fault.database : "crash" in fault ? `crash ${fault.crash}` : `lost ${fault.lost}`

const visitName = (visit: AttemptScript): string => {
  const parts = Object.entries(visit).map(([key, value]) => `${key} ${JSON.stringify(value)}`)
  return parts.length === 0 ? "default" : parts.join(", ")
}

/** The answer of a request in short: the status, and the refusal code or a digest of the body. */
export const summarizeAnswer = (answer: RequestResult): string =>
  typeof answer === "object" ? `${answer.status} ${refusalIn(answer.body) ?? digestOf(answer.body)}` : answer

const digestOf = (body: unknown): string => hash("sha256", JSON.stringify(body ?? null)).slice(0, 12)

const refusalIn = (body: unknown): string | undefined =>
  typeof body === "object" && body !== null && "error" in body && typeof body.error === "string"
    ? body.error
    : undefined

const messageOf = (cause: Cause.Cause<unknown>): string =>
  Cause.prettyErrors(cause)
    .map(({ message }) => message)
    .join("; ")
