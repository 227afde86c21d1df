/** The acts of others in a lesson, in order: each runs when the agent has done what it follows. */
import { hasOccurred } from "../scenario/committed-events.ts"
import { operationOfRequest } from "../scenario/operations/operation-of-request.ts"
import type { DueInWorld } from "../serve/due-times.ts"
import type { IncomingRequest } from "../serve/incoming-request.ts"
import type { ActsOfOthers, ServedWorld } from "../serve/served-world.ts"
import { outcomeOf } from "../serve/steps.ts"
import { durationInMilliseconds } from "../vocabulary/duration.ts"
import type { Lesson } from "./lesson.ts"
import type { ActForm, LessonForm } from "./lesson-form.ts"

/** A step of a lesson that did not go as its author expected. */
export class BrokenLesson extends Error {
  override readonly name = "BrokenLesson"
}

export class LessonActs implements ActsOfOthers {
  readonly #world: ServedWorld
  readonly #agent: string
  readonly #acts: ReadonlyArray<ActForm>
  readonly #point: LessonForm["point"]
  readonly #restart: () => void
  #next = 0
  /** The number of observations before which nothing counts for the next act. */
  #mark: number
  /** When the next act runs, once what it follows has happened. */
  #dueAt: number | undefined
  #last: Promise<void> = Promise.resolve()
  #broken: BrokenLesson | undefined

  /** `restart` ends the agent's program and starts it again. */
  constructor(world: ServedWorld, { form: { agent, acts = [], point } }: Lesson, restart: () => void) {
    this.#world = world
    this.#restart = restart
    this.#agent = agent
    this.#acts = acts
    this.#point = point
    this.#mark = world.live.session.observations.length
  }

  /** True once every act has run. */
  get areOver(): boolean {
    return this.#next >= this.#acts.length
  }

  /** True if the point of the lesson is an answer to this operation, or an act or a fault to come depends on a request of it. */
  awaits(operation: string): boolean {
    const { faults } = this.#world.live.session.context.world
    return (
      this.#point.some(({ answers }) => answers?.do === operation) ||
      this.#acts.slice(this.#next).some((act) => dependsOn(act, operation)) ||
      faults.waiting.some(([{ of, to }]) => of === this.#agent && to === operation)
    )
  }

  get broken(): BrokenLesson | undefined {
    return this.#broken
  }

  get due(): ReadonlyArray<DueInWorld> {
    return this.#dueAt === undefined ? [] : [{ at: this.#dueAt, what: `act ${this.#next + 1} of the lesson` }]
  }

  act(): Promise<void> {
    return this.#inTurn(() => this.#actWhile((act) => this.#isDue(act)))
  }

  actBefore(actor: string | undefined, { method, path }: IncomingRequest): Promise<void> {
    if (actor !== this.#agent) return Promise.resolve()
    const operation = operationOfRequest(method, path)
    return this.#inTurn(async () => {
      const act = this.#acts[this.#next]
      if (operation === undefined || act?.before !== operation) return
      await this.#run(act)
      await this.#actWhile((following) => this.#isDue(following))
    })
  }

  /** Requests of an agent can arrive at the same time. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(work).catch((error: unknown) => {
      this.#broken ??= error instanceof BrokenLesson ? error : new BrokenLesson(String(error))
    })
    return this.#last
  }

  async #actWhile(isDue: (act: ActForm) => boolean): Promise<void> {
    for (let act = this.#acts[this.#next]; act !== undefined && isDue(act); act = this.#acts[this.#next]) {
      await this.#run(act)
    }
  }

  async #run(act: ActForm): Promise<void> {
    this.#next += 1
    this.#dueAt = undefined
    if (act.restarts === true) this.#restart()
    for (const step of act.steps ?? []) {
      const { ended } = await outcomeOf(this.#world, step)
      if (ended !== undefined) throw new BrokenLesson(`act ${this.#next}: ${JSON.stringify(step)}: ${ended.reason}`)
    }
    this.#mark = this.#world.live.session.observations.length
  }

  #isDue(act: ActForm): boolean {
    const { now } = this.#world.live.session.scheduler
    if (this.#dueAt === undefined) {
      if (!this.#follows(act)) return false
      this.#dueAt = now + durationInMilliseconds(act.wait ?? "")
    }
    return this.#dueAt <= now
  }

  /** True if what the act follows has happened since the act before it. */
  #follows({ before, after, sent, event, tells }: ActForm): boolean {
    if (before !== undefined) return false
    const { session } = this.#world.live
    const since = session.observations.slice(this.#mark)
    if (event !== undefined && !hasOccurred(event, since, session.content)) return false
    if (
      tells === true &&
      !since.some((one) => one.kind === "act" && one.actor === this.#agent && one.operation === "tell")
    )
      return false
    if (
      sent !== undefined &&
      !since.some(
        (one) =>
          one.kind === "request" && one.actor === this.#agent && operationOfRequest(one.method, one.path) === sent
      )
    )
      return false
    return (
      after === undefined ||
      since.some(
        (one) =>
          one.kind === "response" && one.actor === this.#agent && one.status < 300 && one.ofRequest?.operation === after
      )
    )
  }
}

const dependsOn = ({ before, after, sent, steps = [] }: ActForm, operation: string): boolean =>
  [before, after, sent].includes(operation) ||
  steps.some(({ inject }) => typeof inject === "object" && "to" in inject && inject.to === operation)
