/**
 * A world that a server, a terminal or a generator drives step by step. Its steps are stored as a scenario; a world is
 * determined by its seed and steps, so undoing and branching replay steps in a new world.
 */
import { Cause, Effect, Exit, type Fiber, Result, Schema, Scope } from "effect"
import { fromMilliseconds, type Instant } from "../../src/vocabulary/instant.ts"
import { refusals } from "../../src/vocabulary/refusal-rules.ts"
import type { ProgramResponse } from "../environment/webhook-receivers/network.ts"
import type { Difference } from "../observation/compare.ts"
import { renderRun } from "./story.ts"
import type { StepResponse, RequestResult, ScenarioContext, StepEnded } from "./scenario-context.ts"
import type { VirtualScheduler } from "../kernel/scheduler.ts"
import type { TimedObservation } from "../observation/observation.ts"
import { describeLeak, guardLeaks } from "../kernel/leaks/leak-guard.ts"
import { ScriptCheck } from "./format/check-script.ts"
import { operator, paymentProvider } from "./format/check-context.ts"
import { type Expectation, StepForm } from "./format/scenario-form.ts"
import { problemsOfIssue } from "./format/schema-problems.ts"
import { isObject } from "../vocabulary/json.ts"
import { Parts } from "./format/parts.ts"
import { allSteps, type WorldDefinition, type Scenario, type Step } from "./format/scenario.ts"
import { stepOf } from "./format/build-steps.ts"
import { type SimulationSetup, setupInMemory, type SimulationSetupOptions, WorldUnusable } from "./simulation-setup.ts"
import type { DueMoment } from "./idle-worker.ts"
import { runStep } from "./step.ts"
import { type Content, emptyContent } from "../storage/memory-storage/content.ts"
import { renderTrace } from "../observation/trace.ts"

/** The result of a step. */
export interface Outcome {
  readonly step: Step
  /** Undefined if the result is as expected. */
  readonly ended: { readonly verdict: "FAILED" | "UNUSABLE"; readonly reason: string } | undefined
  /** The response to its actor, if any. */
  readonly answer: StepResponse | undefined
  /** The differences from the expectation. */
  readonly differences: ReadonlyArray<Difference>
  /** The observations during the step, in order. */
  readonly observed: ReadonlyArray<TimedObservation>
  /** The number of timers that fired during the step. */
  readonly fired: number
}

/** An invalid step with its problems, one sentence each. */
export class BadStep extends Error {
  override readonly name = "BadStep"
  readonly problems: ReadonlyArray<{ readonly path: string; readonly message: string }>

  constructor(problems: BadStep["problems"]) {
    super(problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; "))
    this.problems = problems
  }
}

export interface SessionOptions extends SimulationSetupOptions {
  /** Accepts any response: an unexpected one becomes the step's expectation. */
  readonly acceptsAnyResponse?: boolean
}

export class Session {
  readonly setup: SimulationSetup
  readonly context: ScenarioContext
  readonly #options: SessionOptions
  #opening: WorldDefinition
  #check: ScriptCheck
  readonly #steps: Array<StoredStep> = []
  /** All steps, also concurrent ones, in the order of their start. */
  readonly #byNumber = new Map<number, StoredStep>()
  /** The number of steps, including concurrent ones. */
  #count = 0

  /** Fails with `WorldUnusable` if the initial world cannot be created. */
  constructor(opening: WorldDefinition, options: SessionOptions = {}) {
    // The properties of a scenario apply only to its own steps.
    this.#opening = { ...opening, properties: [] }
    this.#options = options
    this.#check = this.#checkSoFar()
    this.setup = setupInMemory(opening, {
      ...options,
      onResult: (number, result) => {
        const stored = this.#byNumber.get(number)
        if (stored !== undefined) stored.result = result
        options.onResult?.(number, result)
      },
      onResponse: (step, answer, differences) => this.#concludes(step, answer, differences)
    })
    const scope = Effect.runSync(Scope.make())
    const open = this.setup.logged(Effect.provideService(this.setup.open, Scope.Scope, scope))
    const { result: opened } = guardLeaks(() => this.scheduler.run(open))
    if (Exit.isFailure(opened)) throw reasonOf(opened.cause)
    this.context = opened.value
  }

  get opening(): WorldDefinition {
    return this.#opening
  }

  get scheduler(): VirtualScheduler {
    return this.setup.scheduler
  }

  get now(): Instant {
    return fromMilliseconds(this.scheduler.now)
  }

  /** All steps so far in scenario form. */
  get forms(): ReadonlyArray<StepForm> {
    return this.#steps.map(formOf)
  }

  get observations(): ReadonlyArray<TimedObservation> {
    return this.setup.recorder.observations
  }

  /** Reads a step; throws `BadStep` with all its problems. */
  read(value: unknown, isBeside = false): StoredStep {
    const decoded = Schema.decodeUnknownResult(StepForm)(value, { errors: "all", onExcessProperty: "error" })
    const problems = [
      ...(Result.isFailure(decoded) ? problemsOfIssue(decoded.failure.issue, value) : []),
      ...this.#check.step(value)
    ]
    if (Result.isFailure(decoded) || problems.length > 0) {
      // Discards the names that an invalid step introduced.
      this.#check = this.#checkSoFar()
      throw new BadStep(problems.map(({ path, message }) => ({ path: path.join("."), message })))
    }
    return {
      form: decoded.success,
      step: stepOf(decoded.success, this.#count + 1, isBeside),
      meanwhile: [],
      outside: []
    }
  }

  /** Runs one step to its end without returning to the event loop. Throws `BadStep`. */
  do(value: unknown): Outcome {
    const stored = this.read(value)
    this.#steps.push(stored)
    this.#number(stored)
    const before = this.before
    this.context.world.nextProcess()
    const running = this.setup.logged(runStep(stored.step, this.context))
    const { result, leaks } = guardLeaks(() => this.scheduler.run(running))
    const leaked = Exit.die(new Error(leaks.map(describeLeak).join("; ")))
    return this.outcome(stored, leaks.length === 0 ? result : leaked, before)
  }

  /** Adds an actor without an account. Throws `BadStep` if the name is taken. */
  introduceVisitor(name: string, is: string): void {
    const { visitors, ...given } = this.#opening.given
    const problems = this.#check.given({ visitors: { [name]: is } })
    if (problems.length > 0) {
      this.#check = this.#checkSoFar()
      throw new BadStep(problems.map(({ message }) => ({ path: "", message })))
    }
    this.#opening = { ...this.#opening, given: { ...given, visitors: { ...visitors, [name]: is } } }
  }

  /** True if this actor exists. */
  knowsActor(name: string): boolean {
    const { people = {}, visitors = {}, receivers = {}, payments } = this.#opening.given
    const isGiven = [people, visitors, receivers].some((parties) => Object.hasOwn(parties, name))
    if (name === paymentProvider && payments !== undefined) return true
    const { agents, people: introduced } = this.context.directory
    return isGiven || name === operator || agents.has(name) || introduced.has(name)
  }

  /** Begins a step, alone or concurrently with another; the caller drives the scheduler. */
  begin(
    stored: StoredStep,
    concurrent?: Array<StoredStep> | Array<StoredStep | ProgramResponseStep>
  ): Fiber.Fiber<void, StepEnded> {
    this.#number(stored)
    const own: Array<StoredStep> = this.#steps
    ;(concurrent ?? own).push(stored)
    if (concurrent === undefined) this.context.world.nextProcess()
    return this.scheduler.start(this.setup.logged(runStep(stored.step, this.context)))
  }

  /** The rows, which are in memory. */
  get content(): Content {
    return this.setup.store?.content ?? emptyContent
  }

  /** What happens by itself as virtual time advances, the first first. */
  get due(): ReadonlyArray<DueMoment> {
    return this.setup.due(this.context)
  }

  get before(): ObservationMark {
    return { observed: this.observations.length, fired: this.scheduler.fired }
  }

  /** The outcome of a step relative to the state before it. */
  outcome(stored: StoredStep, exit: Exit.Exit<void, unknown>, before: ObservationMark): Outcome {
    const { step, answer, accepted } = stored
    stored.hasEnded = true
    if (Exit.isFailure(exit)) stored.endsScenario = true
    const ended = Exit.isFailure(exit) ? endOf(exit.cause) : undefined
    return {
      step,
      ended: ended ?? (accepted === undefined ? undefined : unexpectedResponse),
      answer,
      differences: accepted?.differences ?? [],
      observed: this.observations.slice(before.observed),
      fired: this.scheduler.fired - before.fired
    }
  }

  /** An independent copy of the world after the given number of steps. */
  fork(steps: number = this.#steps.length): Session {
    const forked = new Session(this.opening, this.#options)
    for (const form of this.forms.slice(0, steps)) forked.do(form)
    return forked
  }

  /** All steps so far with their results. */
  get storedSteps(): ReadonlyArray<StoredStep> {
    return this.#steps
  }

  get trace(): string {
    return renderTrace(this.observations, this.setup.recorder.redact)
  }

  get story(): string {
    const { recorder } = this.setup
    return recorder.redact(renderRun("", this.scenario, this.observations, recorder.complaints))
  }

  /** The session as a scenario. */
  get scenario(): Scenario {
    return { ...this.opening, steps: this.#steps.map(stepWith) }
  }

  #number(stored: StoredStep): void {
    this.#byNumber.set(this.#count + 1, stored)
    this.#count += allSteps([stored.step]).length
  }

  #checkSoFar(): ScriptCheck {
    const check = new ScriptCheck(new Parts(() => undefined))
    check.given(this.#opening.given)
    for (const { form } of this.#byNumber.values()) check.step(form)
    return check
  }

  #concludes(step: Step, answer: StepResponse | undefined, differences: ReadonlyArray<Difference>): boolean {
    if (answer === undefined) return false
    const stored = this.#byNumber.get(step.number)
    if (stored !== undefined) stored.answer = answer
    if (differences.length === 0) return true
    // A step with `within` has been repeated until its deadline without the expected response.
    const isFinal = step.kind !== "act" || step.within === undefined
    if (stored === undefined || this.#options.acceptsAnyResponse !== true || !isFinal) return false
    stored.accepted = { differences, expect: expectationOf(answer) }
    return true
  }
}

/** A stored step with the steps that arrived during it. */
export interface StoredStep {
  readonly form: StepForm
  readonly step: Step
  /** The result of its request. */
  result?: RequestResult
  answer?: StepResponse
  /** An accepted unexpected response. */
  accepted?: { readonly differences: ReadonlyArray<Difference>; readonly expect: Expectation }
  /** Absent while the step is running, also after its world was closed. */
  hasEnded?: boolean
  /** True if a scenario would end with it. */
  endsScenario?: boolean
  /** Steps during its held request. */
  readonly meanwhile: Array<StoredStep>
  readonly outside: Array<StoredStep | ProgramResponseStep>
}

export interface ProgramResponseStep {
  readonly receiver: string
  readonly answers: ProgramResponse
}

export interface ObservationMark {
  readonly observed: number
  readonly fired: number
}

/** The scenario form, with accepted responses as expectations. */
const formOf = ({ form, accepted, meanwhile, outside }: StoredStep): StepForm => ({
  ...(accepted === undefined ? form : expecting(form, accepted.expect)),
  ...(meanwhile.length === 0 ? {} : { meanwhile: meanwhile.map(formOf) }),
  ...(outside.length === 0 ? {} : { outside: outside.map((entry) => ("form" in entry ? formOf(entry) : entry)) })
})

/** An unexpected response keeps no values. */
const expecting = ({ keep: _keep, ...form }: StepForm, expect: Expectation): StepForm => ({ ...form, expect })

const expectationOf = ({ status, body }: StepResponse): Expectation => {
  const code = isObject(body) ? body["error"] : undefined
  const known = Object.entries(refusals).find(([refusal]) => refusal === code)
  return known !== undefined && known[1].status === status ? { error: known[0] } : { status }
}

const unexpectedResponse = { verdict: "FAILED", reason: "unexpected response" } as const

const stepWith = ({ step, meanwhile, outside }: StoredStep): Step => ({
  ...step,
  ...(step.kind !== "act" || meanwhile.length === 0 ? {} : { meanwhile: meanwhile.map(stepWith) }),
  outside: [...step.outside, ...outside.map((entry) => ("step" in entry ? { step: stepWith(entry) } : entry))]
})

const endOf = (cause: Cause.Cause<unknown>): Outcome["ended"] => {
  const [reason] = cause.reasons
  const ended = reason?._tag === "Fail" ? (reason.error as Partial<StepEnded>) : undefined
  if (ended?._tag === "StepEnded") return { verdict: ended.verdict ?? "FAILED", reason: ended.reason ?? "" }
  return { verdict: "FAILED", reason: messagesOf(cause) }
}

const reasonOf = (cause: Cause.Cause<unknown>): Error => {
  const [reason] = cause.reasons
  const error = reason?._tag === "Fail" ? reason.error : undefined
  return error instanceof WorldUnusable ? error : new Error(messagesOf(cause))
}

const messagesOf = (cause: Cause.Cause<unknown>): string =>
  Cause.prettyErrors(cause)
    .map(({ message }) => message)
    .join("; ")
