/**
 * A session whose steps come from outside whenever they come: from a server. One step is under way at a time. While a
 * world waits for a real program, others come beside it; while somebody holds back the request of a step, others come
 * one after the other, as those of a script that happen meanwhile. They are kept with the step they came beside.
 * Everything that happens between two returns to the event loop happens at one moment; only steps move time.
 */
import { Effect, Exit, type Fiber } from "effect"
import type { Asked, ProgramAnswer } from "./callbacks/network.ts"
import type { Came, HeldBack, StepEnded } from "./journey.ts"
import type { Opening } from "./script/scenario.ts"
import { type Before, type Kept, type Outcome, type ProgramAnswered, Session, type SessionOptions } from "./session.ts"

/** A step that was handed in. */
export interface Submitted {
  /** What became of its request, as soon as that is known; undefined where it sends none. */
  readonly came: Promise<Came | undefined>
  /** Once nothing more can happen at its moment. Rejects with `BadStep` where it is no step. */
  readonly outcome: Promise<Outcome>
}

/** Whoever asks for something of a session that was closed. */
export class SessionClosed extends Error {
  override readonly name = "SessionClosed"

  constructor() {
    super("This world was ended.")
  }
}

/** A step of which only the moment at which it begins decides what exactly it says. */
export type Said = () => unknown

export class LiveSession {
  readonly session: Session
  /** Asked where a program behind a receiver has to answer; `answer` is how it does. */
  ask: (asked: Asked, answer: (answers: ProgramAnswer) => void) => void = (_, answer) => answer("NOTHING")
  readonly #inputs: Array<Input> = []
  readonly #came = new Map<number, (came: Came) => void>()
  readonly #holding = new Set<string>()
  /** The step under way, and over it one that happens while its request is held back. */
  #groups: ReadonlyArray<Group> = []
  #held: Held | undefined
  #isTurning = false
  #isScheduled = false
  #broken: unknown

  /** `steps` are what came in before, to be done again first. */
  constructor(opening: Opening, steps: ReadonlyArray<unknown> = [], options: SessionOptions = {}) {
    this.session = new Session(opening, {
      ...options,
      awake: () => this.#schedule(),
      answered: (step, came) => this.#came.get(step)?.(came),
      heldBack: ({ number, as, operation }) => this.#heldBack(number, as, operation)
    })
    for (const step of steps) this.session.do(step)
    this.session.journey.world.network.asked = (asked) => this.#asked(asked)
  }

  /** Whose requests are held back, now and from now on. */
  get holding(): ReadonlySet<string> {
    return this.#holding
  }

  /** What time stands still for, by name. */
  get standing(): ReadonlyArray<string> {
    if (this.#broken instanceof SessionClosed) return []
    const { away, held } = this.session.kernel
    return [...away, ...held]
  }

  /** True where no step is under way, and none waits. */
  get isAtRest(): boolean {
    return this.#groups.length === 0 && this.#inputs.length === 0
  }

  /** Every step that is under way or waits, by what it does. */
  get inFlight(): ReadonlyArray<string> {
    return [...this.#underWay.map(({ kept }) => nameOf(kept)), ...this.#inputs.map(() => "a step that waits its turn")]
  }

  /** Takes a step, which begins once what came before it has ended; or beside it, where the world waits. */
  submit(value: unknown): Submitted {
    return this.#take({ say: () => value, movesTime: movesTime(value) })
  }

  /** A step that sends a request. */
  submitSaid(say: Said): Submitted {
    return this.#take({ say, movesTime: false })
  }

  #take(taken: Pick<Input, "say" | "movesTime">): Submitted {
    const came = Promise.withResolvers<Came | undefined>()
    const done = Promise.withResolvers<Outcome>()
    const input = { ...taken, came: came.resolve, done: done.resolve, refuse: done.reject }
    if (this.#broken === undefined) this.#inputs.push(input)
    else refuse(input, this.#broken)
    this.#schedule()
    return { came: came.promise, outcome: done.promise }
  }

  /** From now on requests of a party are let in and held back there, until they are released. */
  hold(actor: string): void {
    this.#holding.add(actor)
  }

  /** Lets them go on, once the steps that came meanwhile have ended; returns how many wait. */
  release(actor: string): number {
    this.#holding.delete(actor)
    if (this.#held?.actor !== actor || this.#held.isReleased) return 0
    this.#held.isReleased = true
    this.#schedule()
    return 1
  }

  /** Nothing of it goes on from now on. What is under way stays unfinished, and whoever waits for something is refused. */
  close(): void {
    if (this.#broken instanceof SessionClosed) return
    const closed = new SessionClosed()
    this.#broken = closed
    for (const one of this.#underWay) refuse(one.input, closed)
    this.#groups = []
    for (const input of this.#inputs.splice(0)) refuse(input, closed)
  }

  get #underWay(): ReadonlyArray<UnderWay> {
    return this.#groups.flatMap(({ own, beside }) => [own, ...beside]).filter(({ hasEnded }) => !hasEnded)
  }

  /** Only what came by itself is held back: a script has no words for what happens to a step beside another. */
  #heldBack(step: number, actor: string, operation: string): HeldBack | undefined {
    const kept = this.#groups[0]?.own.kept
    if (!this.#holding.has(actor) || kept?.step.number !== step) return undefined
    const held: Held = { actor, isReleased: false, goOn: () => {} }
    const waiting = Effect.callback<void>((resume) => {
      held.goOn = () => resume(Effect.void)
      this.#held = held
    })
    return {
      wait: this.session.kernel.hold(`${operation} of ${actor}, which is held back`, waiting),
      isOver: () => void (held.isReleased = true),
      hasHappened: () => kept.meanwhile.length > 0
    }
  }

  #asked(asked: Asked): void {
    this.ask(asked, (answers) => {
      asked.answers ??= answers
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isTurning) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#turn()
    })
  }

  /** Comes as far as it can without an answer from outside; returns to the event loop from time to time. */
  #turn(): void {
    if (this.#broken !== undefined) return
    this.#isTurning = true
    try {
      for (let moves = 0; moves < movesAtOnce; moves++) {
        this.session.kernel.settle()
        if (!this.#goOn()) return
      }
    } catch (error) {
      this.#fail(error)
      return
    } finally {
      this.#isTurning = false
    }
    this.#schedule()
  }

  /** One thing that can happen now that the moment has settled; false where only something from outside could. */
  #goOn(): boolean {
    for (const { own, beside } of this.#groups) for (const one of [own, ...beside]) this.#conclude(one)
    const group = this.#groups.at(-1)
    if (group === undefined) return this.#takeNext()
    if (hasEnded(group)) {
      this.#groups = this.#groups.slice(0, -1)
      return true
    }
    if (this.session.kernel.away.length > 0) {
      return this.#letProgramAnswer(group) || this.#takeBeside(group)
    }
    if (this.#held !== undefined && this.#groups.length === 1 && group.beside.every((one) => one.hasEnded)) {
      return this.#letGoOn(this.#held) || this.#takeMeanwhile(group)
    }
    if (this.session.kernel.moveTime()) return true
    throw this.session.kernel.deadlock()
  }

  #conclude(one: UnderWay): void {
    const exit = one.fiber?.pollUnsafe()
    if (exit === undefined || one.hasEnded) return
    one.hasEnded = true
    this.#came.delete(one.kept.step.number)
    one.input.came(undefined)
    one.input.done(this.session.outcome(one.kept, exit, one.before))
  }

  /** Nothing can go on in this world: not what is under way, and not what would come. */
  #fail(error: unknown): void {
    this.#broken = error
    for (const one of this.#underWay) {
      one.input.came(undefined)
      one.input.done(this.session.outcome(one.kept, Exit.die(error), one.before))
    }
    this.#groups = []
    for (const input of this.#inputs.splice(0)) refuse(input, error)
  }

  #takeNext(): boolean {
    const input = this.#inputs.shift()
    if (input !== undefined) this.#begin(input, undefined, (own) => (this.#groups = [{ own, beside: [] }]))
    return input !== undefined
  }

  /** While a program is asked. What moves time lets others by until that has ended. */
  #takeBeside({ own, beside }: Group): boolean {
    const input = this.#takeTimeless()
    if (input !== undefined) this.#begin(input, own.kept.outside, (one) => beside.push(one))
    return input !== undefined
  }

  /** While the request of a step is held back. */
  #takeMeanwhile({ own }: Group): boolean {
    const input = this.#takeTimeless()
    const above = (one: UnderWay) => (this.#groups = [...this.#groups, { own: one, beside: [] }])
    if (input !== undefined) this.#begin(input, own.kept.meanwhile, above)
    return input !== undefined
  }

  #takeTimeless(): Input | undefined {
    const position = this.#inputs.findIndex(({ movesTime }) => !movesTime)
    return position < 0 ? undefined : this.#inputs.splice(position, 1)[0]
  }

  /** `placed` is told before anything of it happens. */
  #begin(
    input: Input,
    beside: Array<Kept> | Array<Kept | ProgramAnswered> | undefined,
    placed: (one: UnderWay) => void
  ): void {
    const { before } = this.session
    try {
      const kept = this.session.read(input.say(), this.session.kernel.away.length > 0)
      this.#came.set(kept.step.number, input.came)
      const one: UnderWay = { kept, before, input, fiber: undefined, hasEnded: false }
      placed(one)
      one.fiber = this.session.begin(kept, beside)
    } catch (error) {
      refuse(input, error)
    }
  }

  #letGoOn(held: Held): boolean {
    if (!held.isReleased) return false
    this.#held = undefined
    held.goOn()
    return true
  }

  /** Answers of one receiver come back in the order in which it was asked. */
  #letProgramAnswer({ own }: Group): boolean {
    const { network } = this.session.journey.world
    const [first] = network.waiting.filter(
      ({ receiver, answers }, index, all) =>
        answers !== undefined && all.findIndex((one) => one.receiver === receiver) === index
    )
    if (first?.answers === undefined) return false
    const { receiver, answers } = first
    network.answer(receiver, answers)
    own.kept.outside.push({ receiver, answers })
    return true
  }
}

/** A step, and those that came beside it. */
interface Group {
  readonly own: UnderWay
  readonly beside: Array<UnderWay>
}

const hasEnded = ({ own, beside }: Group): boolean => [own, ...beside].every((one) => one.hasEnded)

/** A request that waits where it was let in. */
interface Held {
  readonly actor: string
  isReleased: boolean
  goOn: () => void
}

const refuse = (input: Input, error: unknown): void => {
  input.came(undefined)
  input.refuse(error)
}

interface Input {
  readonly say: Said
  /** Then it waits for what is under way to end. */
  readonly movesTime: boolean
  readonly came: (came: Came | undefined) => void
  readonly done: (outcome: Outcome) => void
  readonly refuse: (error: unknown) => void
}

interface UnderWay {
  readonly kept: Kept
  readonly before: Before
  readonly input: Input
  fiber: Fiber.Fiber<void, StepEnded> | undefined
  hasEnded: boolean
}

const nameOf = ({ step }: Kept): string => {
  if (step.kind === "act") return `${step.operation} of ${step.as}`
  return step.kind === "send" ? `${step.method} ${step.path} of ${step.as}` : step.kind
}

/** How far a turn goes before others get the event loop. */
const movesAtOnce = 100

const movesTime = (value: unknown): boolean =>
  typeof value === "object" && value !== null && ["advance", "until", "within"].some((key) => Object.hasOwn(value, key))
