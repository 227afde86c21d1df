/**
 * A session whose steps arrive from a server at any time. One step runs at a time. While the world waits for an external
 * program, other steps run concurrently; while the request of a step is held, others run in sequence, as `meanwhile`
 * steps of a scenario. They are stored with the step during which they arrived. All events between two returns to the
 * event loop occur at one virtual time; only steps advance time.
 */
import { Effect, Exit, type Fiber } from "effect"
import type { ProgramRequest, ProgramResponse } from "../environment/webhook-receivers/network.ts"
import type { RequestResult, HeldRequest, StepEnded } from "./scenario-context.ts"
import type { WorldDefinition } from "./format/scenario.ts"
import {
  type ObservationMark,
  type StoredStep,
  type Outcome,
  type ProgramResponseStep,
  Session,
  type SessionOptions
} from "./session.ts"

/** A submitted step. */
export interface Submission {
  /** The result of its request, as soon as it is known; undefined if it sends none. */
  readonly result: Promise<RequestResult | undefined>
  /** Resolves after the step, at quiescence. Rejects with `BadStep` for an invalid step. */
  readonly outcome: Promise<Outcome>
}

/** The error for calls on a closed session. */
export class SessionClosed extends Error {
  override readonly name = "SessionClosed"

  constructor() {
    super("This world was ended.")
  }
}

/** A step whose content is determined when it begins. */
export type DeferredStep = () => unknown

export class LiveSession {
  readonly session: Session
  /** Called when a program behind a receiver has to respond; `answer` passes its response. */
  callProgram: (request: ProgramRequest, answer: (answers: ProgramResponse) => void) => void = (_, answer) =>
    answer("NOTHING")
  readonly #inputs: Array<Input> = []
  readonly #onResult = new Map<number, (result: RequestResult) => void>()
  readonly #holding = new Set<string>()
  /** The running step, and above it the step that runs while its request is held. */
  #running: ReadonlyArray<Group> = []
  #held: Held | undefined
  /** True also while earlier steps are replayed, which needs no return to the event loop. */
  #isRunning = true
  #isScheduled = false
  #failure: unknown

  /** `steps` are earlier steps, which are replayed first. */
  constructor(opening: WorldDefinition, steps: ReadonlyArray<unknown> = [], options: SessionOptions = {}) {
    this.session = new Session(opening, {
      ...options,
      onExternalWork: () => this.#schedule(),
      onResult: (step, result) => this.#onResult.get(step)?.(result),
      holdRequest: ({ number, as, operation }) => this.#heldBack(number, as, operation)
    })
    for (const step of steps) this.session.do(step)
    this.#isRunning = false
    this.session.context.world.network.onProgramRequest = (request) => this.#programCalled(request)
  }

  /** The actors whose requests are held. */
  get holding(): ReadonlySet<string> {
    return this.#holding
  }

  /** The calls for which virtual time is frozen, by name. */
  get frozenFor(): ReadonlyArray<string> {
    if (this.#failure instanceof SessionClosed) return []
    const { pendingPrograms, held } = this.session.scheduler
    return [...pendingPrograms, ...held]
  }

  /** True if no step is running or queued. */
  get isAtRest(): boolean {
    return this.#running.length === 0 && this.#inputs.length === 0
  }

  /** Descriptions of all running and queued steps. */
  get inFlight(): ReadonlyArray<string> {
    return [...this.#unfinished.map(({ stored }) => nameOf(stored)), ...this.#inputs.map(() => "a queued step")]
  }

  /** Queues a step, which begins after earlier ones, or concurrently while the world waits for a program. */
  submit(value: unknown): Submission {
    return this.#take({ say: () => value, advancesTime: advancesTime(value) })
  }

  /** Queues a step that sends a request. */
  submitDeferred(say: DeferredStep): Submission {
    return this.#take({ say, advancesTime: false })
  }

  #take(submission: Pick<Input, "say" | "advancesTime">): Submission {
    const result = Promise.withResolvers<RequestResult | undefined>()
    const outcome = Promise.withResolvers<Outcome>()
    const input = {
      ...submission,
      resolveResult: result.resolve,
      resolveOutcome: outcome.resolve,
      reject: outcome.reject
    }
    if (this.#failure === undefined) this.#inputs.push(input)
    else reject(input, this.#failure)
    this.#schedule()
    return { result: result.promise, outcome: outcome.promise }
  }

  /** Holds the authenticated requests of an actor until they are released. */
  hold(actor: string): void {
    this.#holding.add(actor)
  }

  /** Releases the requests of an actor after the steps in between; returns the number of held requests. */
  release(actor: string): number {
    this.#holding.delete(actor)
    if (this.#held?.actor !== actor || this.#held.isReleased) return 0
    this.#held.isReleased = true
    this.#schedule()
    return 1
  }

  /** Closes the session: running steps stay unfinished, and pending callers are rejected. */
  close(): void {
    if (this.#failure instanceof SessionClosed) return
    const closed = new SessionClosed()
    this.#failure = closed
    for (const one of this.#unfinished) reject(one.input, closed)
    this.#running = []
    for (const input of this.#inputs.splice(0)) reject(input, closed)
  }

  get #unfinished(): ReadonlyArray<RunningStep> {
    return this.#running.flatMap(({ own, concurrent }) => [own, ...concurrent]).filter(({ hasEnded }) => !hasEnded)
  }

  /** Holds only requests of top-level steps: a scenario cannot express `meanwhile` in a concurrent step. */
  #heldBack(step: number, actor: string, operation: string): HeldRequest | undefined {
    const stored = this.#running[0]?.own.stored
    if (!this.#holding.has(actor) || stored?.step.number !== step) return undefined
    const held: Held = { actor, isReleased: false, resume: () => {} }
    const waiting = Effect.callback<void>((resume) => {
      held.resume = () => resume(Effect.void)
      this.#held = held
    })
    return {
      wait: this.session.scheduler.hold(`${operation} of ${actor}, which is held back`, waiting),
      onEnd: () => void (held.isReleased = true),
      hadSteps: () => stored.meanwhile.length > 0
    }
  }

  #programCalled(request: ProgramRequest): void {
    this.callProgram(request, (answers) => {
      request.response ??= answers
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isRunning) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#run()
    })
  }

  /** Runs until external input is needed, yielding to the event loop from time to time. */
  #run(): void {
    if (this.#failure !== undefined) return
    this.#isRunning = true
    try {
      for (let moves = 0; moves < transitionsPerTurn; moves++) {
        this.session.scheduler.settle()
        if (!this.#advance()) return
      }
    } catch (error) {
      this.#fail(error)
      return
    } finally {
      this.#isRunning = false
    }
    this.#schedule()
  }

  /** Makes one transition at quiescence; false if only external input could continue. */
  #advance(): boolean {
    for (const { own, concurrent } of this.#running) for (const one of [own, ...concurrent]) this.#conclude(one)
    const group = this.#running.at(-1)
    if (group === undefined) return this.#takeNext()
    if (hasEnded(group)) {
      this.#running = this.#running.slice(0, -1)
      return true
    }
    if (this.session.scheduler.pendingPrograms.length > 0) {
      return this.#deliverResponse(group) || this.#takeConcurrent(group)
    }
    if (this.#held !== undefined && this.#running.length === 1 && group.concurrent.every((one) => one.hasEnded)) {
      return this.#resumeHeld(this.#held) || this.#takeMeanwhile(group)
    }
    if (this.session.scheduler.advanceTime()) return true
    throw this.session.scheduler.deadlock()
  }

  #conclude(one: RunningStep): void {
    const exit = one.fiber?.pollUnsafe()
    if (exit === undefined || one.hasEnded) return
    one.hasEnded = true
    this.#onResult.delete(one.stored.step.number)
    one.input.resolveResult(undefined)
    one.input.resolveOutcome(this.session.outcome(one.stored, exit, one.before))
  }

  /** Fails all running and queued steps. */
  #fail(error: unknown): void {
    this.#failure = error
    for (const one of this.#unfinished) {
      one.input.resolveResult(undefined)
      one.input.resolveOutcome(this.session.outcome(one.stored, Exit.die(error), one.before))
    }
    this.#running = []
    for (const input of this.#inputs.splice(0)) reject(input, error)
  }

  #takeNext(): boolean {
    const input = this.#inputs.shift()
    if (input !== undefined) this.#begin(input, undefined, (own) => (this.#running = [{ own, concurrent: [] }]))
    return input !== undefined
  }

  /** While an external program is called. Steps that advance time are overtaken until the call returns. */
  #takeConcurrent({ own, concurrent }: Group): boolean {
    const input = this.#takeTimeless()
    if (input !== undefined) this.#begin(input, own.stored.outside, (one) => concurrent.push(one))
    return input !== undefined
  }

  /** While the request of a step is held. */
  #takeMeanwhile({ own }: Group): boolean {
    const input = this.#takeTimeless()
    const above = (one: RunningStep) => (this.#running = [...this.#running, { own: one, concurrent: [] }])
    if (input !== undefined) this.#begin(input, own.stored.meanwhile, above)
    return input !== undefined
  }

  #takeTimeless(): Input | undefined {
    const position = this.#inputs.findIndex(({ advancesTime }) => !advancesTime)
    return position < 0 ? undefined : this.#inputs.splice(position, 1)[0]
  }

  /** `placed` is called before the step begins. */
  #begin(
    input: Input,
    concurrent: Array<StoredStep> | Array<StoredStep | ProgramResponseStep> | undefined,
    register: (one: RunningStep) => void
  ): void {
    const { before } = this.session
    try {
      const stored = this.session.read(input.say(), this.session.scheduler.pendingPrograms.length > 0)
      this.#onResult.set(stored.step.number, input.resolveResult)
      const one: RunningStep = { stored, before, input, fiber: undefined, hasEnded: false }
      register(one)
      one.fiber = this.session.begin(stored, concurrent)
    } catch (error) {
      reject(input, error)
    }
  }

  #resumeHeld(held: Held): boolean {
    if (!held.isReleased) return false
    this.#held = undefined
    held.resume()
    return true
  }

  /** Responses of one receiver are delivered in the order of its requests. */
  #deliverResponse({ own }: Group): boolean {
    const { network } = this.session.context.world
    const [first] = network.waiting.filter(
      ({ receiver, response }, index, all) =>
        response !== undefined && all.findIndex((one) => one.receiver === receiver) === index
    )
    if (first?.response === undefined) return false
    const { receiver, response } = first
    network.answer(receiver, response)
    own.stored.outside.push({ receiver, answers: response })
    return true
  }
}

/** A step with its concurrent steps. */
interface Group {
  readonly own: RunningStep
  readonly concurrent: Array<RunningStep>
}

const hasEnded = ({ own, concurrent }: Group): boolean => [own, ...concurrent].every((one) => one.hasEnded)

/** A held request. */
interface Held {
  readonly actor: string
  isReleased: boolean
  resume: () => void
}

const reject = (input: Input, error: unknown): void => {
  input.resolveResult(undefined)
  input.reject(error)
}

interface Input {
  readonly say: DeferredStep
  /** A step that advances time waits for the running steps. */
  readonly advancesTime: boolean
  readonly resolveResult: (result: RequestResult | undefined) => void
  readonly resolveOutcome: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

interface RunningStep {
  readonly stored: StoredStep
  readonly before: ObservationMark
  readonly input: Input
  fiber: Fiber.Fiber<void, StepEnded> | undefined
  hasEnded: boolean
}

const nameOf = ({ step }: StoredStep): string => {
  if (step.kind === "act") return `${step.operation} of ${step.as}`
  return step.kind === "send" ? `${step.method} ${step.path} of ${step.as}` : step.kind
}

/** The number of transitions before yielding to the event loop. */
const transitionsPerTurn = 100

const advancesTime = (value: unknown): boolean =>
  typeof value === "object" && value !== null && ["advance", "until", "within"].some((key) => Object.hasOwn(value, key))
