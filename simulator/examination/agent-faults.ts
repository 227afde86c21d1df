/** Faults at requests of an agent and at its webhooks, beside the acts of its lesson. */
import { fromMilliseconds } from "../../src/vocabulary/instant.ts"
import { hasOccurred } from "../scenario/committed-events.ts"
import { unrollSteps } from "../scenario/format/unroll.ts"
import { operationOfRequest } from "../scenario/operations/operation-of-request.ts"
import type { DueInWorld } from "../serve/due-times.ts"
import type { IncomingRequest } from "../serve/incoming-request.ts"
import type { ActsOfOthers, ServedWorld } from "../serve/served-world.ts"
import { outcomeOf } from "../serve/steps.ts"
import type { JsonObject } from "../vocabulary/json.ts"
import type { Lesson } from "./lesson.ts"
import type { LessonActs } from "./lesson-acts.ts"

/** What can happen to a request: each is survived by an agent that keeps what it sent. */
export type RequestFaultKind = "request-lost" | "answer-lost" | "answered-503" | "html-page" | "agent-ended"

export interface RequestFault {
  readonly kind: RequestFaultKind
  /** The position of the request among those of the agent; 1 for its first. */
  readonly request: number
}

/** `webhook-twice`: the answer to the first webhook is lost. `webhook-forged`: a forged one follows the first genuine one. */
export const webhookFaults = ["webhook-twice", "webhook-forged"] as const
export interface WebhookFault {
  readonly kind: (typeof webhookFaults)[number]
}

/** A fault that was injected; `operation` is that of the request. */
export type InjectedFault = (RequestFault & { readonly operation: string }) | WebhookFault

export interface FaultPlan {
  /** Asked once for each request, in order. `isAwaited` is true if an act of the lesson depends on it. */
  faultAt(request: number, isAwaited: boolean): RequestFaultKind | undefined
  readonly webhooks: ReadonlyArray<WebhookFault["kind"]>
}

/** Exactly these faults. */
export const planOf = (faults: ReadonlyArray<RequestFault | WebhookFault>): FaultPlan => ({
  faultAt: (request) => faults.flatMap((one) => ("request" in one && one.request === request ? [one.kind] : []))[0],
  webhooks: faults.flatMap((one) => ("request" in one ? [] : [one.kind]))
})

/** Where the agent is ended, its answer is lost, so that it cannot act on it before. */
const injections: { readonly [K in RequestFaultKind]: JsonObject } = {
  "request-lost": { lost: "request" },
  "answer-lost": { lost: "answer" },
  "answered-503": { database: "53200", at: "read" },
  "html-page": { lost: "answer", edge: 502 },
  "agent-ended": { lost: "answer" }
}

interface FaultedLesson {
  readonly world: ServedWorld
  readonly lesson: Lesson
  readonly acts: LessonActs
  readonly plan: FaultPlan
  readonly restart: () => void
}

export class ActsWithFaults implements ActsOfOthers {
  readonly #faulted: FaultedLesson
  readonly #injected: Array<InjectedFault> = []
  /** The faults of webhooks that are still to be injected. */
  readonly #webhooks: Set<WebhookFault["kind"]>
  #requests = 0
  #endsAgent = false

  constructor(faulted: FaultedLesson) {
    this.#faulted = faulted
    this.#webhooks = new Set(faulted.plan.webhooks.filter((kind) => !hasOwn(faulted.lesson, kind)))
  }

  get injected(): ReadonlyArray<InjectedFault> {
    return this.#injected
  }

  get due(): ReadonlyArray<DueInWorld> {
    return this.#faulted.acts.due
  }

  async act(): Promise<void> {
    if (this.#endsAgent) this.#faulted.restart()
    this.#endsAgent = false
    await this.#faulted.acts.act()
    if (this.#take("webhook-twice")) await this.#loseAnswers()
    if (this.#hasWebhook && this.#take("webhook-forged")) await this.#forgeWebhook()
  }

  async actBefore(actor: string | undefined, request: IncomingRequest): Promise<void> {
    const { world, lesson, acts, plan } = this.#faulted
    const { agent } = lesson.form
    const operation = operationOfRequest(request.method, request.path)
    const isAwaited = operation !== undefined && acts.awaits(operation)
    await acts.actBefore(actor, request)
    if (actor !== agent) return
    this.#requests += 1
    const kind = plan.faultAt(this.#requests, isAwaited)
    if (kind === undefined) return
    this.#injected.push({
      kind,
      request: this.#requests,
      operation: operation ?? `${request.method} ${request.path}`
    })
    await outcomeOf(world, { inject: { of: agent, ...injections[kind] } })
    this.#endsAgent = kind === "agent-ended"
  }

  /** True once for a fault that applies to this lesson. */
  #take(kind: WebhookFault["kind"]): boolean {
    const isTaken = this.#receivers.length > 0 && this.#webhooks.delete(kind)
    if (isTaken) this.#injected.push({ kind })
    return isTaken
  }

  get #receivers(): ReadonlyArray<string> {
    return Object.keys(this.#faulted.lesson.scenario.given.receivers ?? {})
  }

  get #hasWebhook(): boolean {
    const { session } = this.#faulted.world.live
    return hasOccurred("webhook", session.observations, session.content)
  }

  async #loseAnswers(): Promise<void> {
    for (const receiver of this.#receivers) {
      const input = { receiver, next: [{ answers: "LOST" }] }
      await outcomeOf(this.#faulted.world, { as: "operator", do: "setReceiver", input })
    }
  }

  async #forgeWebhook(): Promise<void> {
    const { world, lesson } = this.#faulted
    const { session } = world.live
    if (!session.knowsActor(forger)) session.introduceVisitor(forger, "Forges webhooks")
    const event = {
      id: "event_00000000-0000-4000-8000-000000000001",
      type: "changes.requested",
      projectId: lesson.form.task.project ?? "delivery_00000000-0000-4000-8000-000000000001",
      sequence: 1,
      state: "CHANGES_REQUESTED",
      occurredAt: fromMilliseconds(session.scheduler.now)
    }
    for (const receiver of this.#receivers) {
      await outcomeOf(world, { as: forger, do: "forgeWebhook", input: { receiver, event } })
    }
  }
}

const forger = "mallory"

/** What a lesson does itself to webhooks keeps its meaning. */
const hasOwn = ({ scenario, form: { acts = [] } }: Lesson, kind: WebhookFault["kind"]): boolean => {
  const steps = [...unrollSteps(scenario.steps), ...acts.flatMap((act) => act.steps ?? [])]
  return steps.some((step) => step.do === ownSteps[kind])
}

const ownSteps = { "webhook-twice": "setReceiver", "webhook-forged": "forgeWebhook" } as const
