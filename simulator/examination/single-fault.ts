/** One fault at one request of an agent, beside the acts of its lesson. */
import type { DueInWorld } from "../serve/due-times.ts"
import type { IncomingRequest } from "../serve/incoming-request.ts"
import type { ActsOfOthers, ServedWorld } from "../serve/served-world.ts"
import { outcomeOf } from "../serve/steps.ts"
import type { JsonObject } from "../vocabulary/json.ts"
import type { LessonActs } from "./lesson-acts.ts"

/** What can happen to a request: each is survived by an agent that keeps what it sent. */
export const faultKinds = ["request-lost", "answer-lost", "answered-503", "agent-ended"] as const
export type FaultKind = (typeof faultKinds)[number]

export interface SingleFault {
  readonly kind: FaultKind
  /** The position of the request among those of the agent; 1 for its first. */
  readonly request: number
}

/** Where the agent is ended, its answer is lost, so that it cannot act on it before. */
const injections: { readonly [K in FaultKind]: JsonObject } = {
  "request-lost": { lost: "request" },
  "answer-lost": { lost: "answer" },
  "answered-503": { database: "53200", at: "read" },
  "agent-ended": { lost: "answer" }
}

interface FaultedLesson {
  readonly world: ServedWorld
  readonly acts: LessonActs
  /** The name of the agent whose request is hit. */
  readonly agent: string
  readonly fault: SingleFault
  readonly restart: () => void
}

export class ActsWithFault implements ActsOfOthers {
  readonly #lesson: FaultedLesson
  #requests = 0
  #endsAgent = false

  constructor(lesson: FaultedLesson) {
    this.#lesson = lesson
  }

  get due(): ReadonlyArray<DueInWorld> {
    return this.#lesson.acts.due
  }

  act(): Promise<void> {
    if (this.#endsAgent) this.#lesson.restart()
    this.#endsAgent = false
    return this.#lesson.acts.act()
  }

  async actBefore(actor: string | undefined, request: IncomingRequest): Promise<void> {
    const { world, acts, agent, fault } = this.#lesson
    await acts.actBefore(actor, request)
    if (actor !== agent) return
    this.#requests += 1
    if (this.#requests !== fault.request) return
    await outcomeOf(world, { inject: { of: agent, ...injections[fault.kind] } })
    this.#endsAgent = fault.kind === "agent-ended"
  }
}
