/** One world of a server: its session, the programs behind its receivers, and its snapshots. */
import { LiveSession } from "../scenario/live.ts"
import type { TimedObservation } from "../observation/observation.ts"
import { isObject, type Json, type JsonObject } from "../vocabulary/json.ts"
import type { WorldDefinition } from "../scenario/format/scenario.ts"
import type { StepForm } from "../scenario/format/scenario-form.ts"
import { secretsIn } from "../observation/secrets.ts"
import { readTrace, renderTrace } from "../observation/trace.ts"
import { SessionEvents, type SessionEvent } from "../view-model/session-events.ts"
import { momentOf, summarizeSession } from "../view-model/session-summary.ts"
import { CooperativeAgents } from "./cooperative-time.ts"
import type { DueInWorld } from "./due-times.ts"
import type { IncomingRequest } from "./incoming-request.ts"
import { ExternalPrograms } from "./programs.ts"

export interface Snapshot {
  readonly name: string
  /** The number of steps before it. */
  readonly step: number
  readonly at: string
}

/** An answer that was not lost, and for which its client did not wait. */
export interface UnreadAnswer {
  readonly actor: string
  /** The number of observations before its request. */
  readonly requestedAt: number
}

/** A lesson in a world: acts of others that depend on what its agent does. */
export interface ActsOfOthers {
  /** The acts that depend only on time. */
  readonly due: ReadonlyArray<DueInWorld>
  /** Runs the acts that the last events call for. */
  act(): Promise<void>
  /** The same, before a request of an actor is sent to the service. */
  actBefore(actor: string | undefined, request: IncomingRequest): Promise<void>
}

export class ServedWorld {
  readonly id: string
  readonly programs: ExternalPrograms
  readonly snapshots = new Map<string, Snapshot>()
  /** How long an external program may take to answer, in seconds. */
  readonly programTimeout: number
  readonly agents: CooperativeAgents
  /** The lesson that is given in this world, if any. */
  acts: ActsOfOthers | undefined
  readonly unreadAnswers: Array<UnreadAnswer> = []
  #lastActivity = performance.now()
  #live: LiveSession
  /** The actors by the secrets issued to them. */
  readonly #holders = new Map<string, string>()
  #trace = { observed: -1, text: "" }
  #events = new SessionEvents()

  /** Replays `steps` first. */
  constructor(id: string, opening: WorldDefinition, steps: ReadonlyArray<StepForm>, programTimeout: number) {
    this.id = id
    this.programTimeout = programTimeout
    this.programs = new ExternalPrograms(programTimeout)
    this.agents = new CooperativeAgents(this)
    this.#live = this.#begin(opening, steps)
  }

  get live(): LiveSession {
    return this.#live
  }

  /** When a client last sent a request, in milliseconds of the monotonic clock. */
  get lastActivity(): number {
    return this.#lastActivity
  }

  /** A client sent a request. */
  notice(): void {
    this.#lastActivity = performance.now()
  }

  /** Replays the first steps only; later snapshots are removed. */
  rewind(steps: number): void {
    const { session, holding } = this.#live
    const live = this.#begin(session.opening, session.forms.slice(0, steps))
    for (const actor of holding) if (live.session.knowsActor(actor)) live.hold(actor)
    this.#live.close()
    this.#live = live
    for (const { name, step } of this.snapshots.values()) if (step > steps) this.snapshots.delete(name)
  }

  /** Ends the session and cancels requests to external programs. */
  close(): void {
    this.agents.close()
    this.#live.close()
    this.programs.cancelAll()
  }

  /** The trace so far, redacted. */
  get trace(): string {
    const { session } = this.#live
    if (this.#trace.observed !== session.observations.length) {
      this.#trace = { observed: session.observations.length, text: session.trace }
    }
    return this.#trace.text
  }

  /** One event for each line of the trace so far, redacted. A call adds only those of new lines. */
  get events(): ReadonlyArray<SessionEvent> {
    const added = this.#live.session.observations.slice(this.#events.all.length)
    for (const line of this.linesOf(added)) this.#events.add(line)
    return this.#events.all
  }

  /** The trace lines of observations, as values. */
  linesOf(observed: ReadonlyArray<TimedObservation>): ReadonlyArray<JsonObject> {
    return readTrace(renderTrace(observed, this.#live.session.setup.recorder.redact))
  }

  /** Registers the secrets in an answer to an actor. */
  registerSecrets(actor: string, answer: Json | undefined): void {
    for (const { secret } of secretsIn(answer ?? null)) if (!this.#holders.has(secret)) this.#holders.set(secret, actor)
  }

  /** The actor to whom a secret was issued. */
  holderOf(secret: string): string | undefined {
    const { directory } = this.#live.session.context
    for (const [name, { session }] of directory.people) if (session === secret) return name
    return directory.agentWithToken(secret) ?? this.#holders.get(secret)
  }

  #begin(opening: WorldDefinition, steps: ReadonlyArray<StepForm>): LiveSession {
    const live = new LiveSession(opening, steps, { acceptsAnyResponse: true })
    live.callProgram = (call, answer) => {
      const now = momentOf(live.session.scheduler.now) ?? ""
      const headers = { ...call.request.headers, "simulator-now": now }
      this.programs.ask({ ...call, request: { ...call.request, headers } }, answer)
    }
    this.#holders.clear()
    this.#trace = { observed: -1, text: "" }
    this.#events = new SessionEvents()
    for (const kept of live.session.storedSteps) {
      if (kept.step.kind === "act" || kept.step.kind === "send") this.registerSecrets(kept.step.as, kept.answer?.body)
    }
    return live
  }
}

/** The summary of a world. Never throws, so that a broken world does not hide the others. */
export const summaryOf = (world: ServedWorld): JsonObject => {
  const { session, frozenFor: standing } = world.live
  const { title, seed, now, verdict } = summarizeSession(session, world.id)
  return { id: world.id, title, seed, now, verdict, standing }
}

export const describeWorld = (world: ServedWorld): JsonObject => {
  const { session } = world.live
  const { directory, world: inside } = session.context
  return {
    ...summaryOf(world),
    start: session.opening.start,
    steps: session.storedSteps.length,
    events: session.observations.length,
    isAtRest: world.live.isAtRest,
    holding: [...world.live.holding],
    nextTimer: momentOf(session.scheduler.nextTimer),
    organizations: Object.fromEntries(directory.organizations),
    people: [...directory.people].map(([name, { id, session }]) => ({ name, id, isSignedIn: session !== undefined })),
    agents: [...directory.agents].map(([name, { id, grantId }]) => ({ name, id, grantId })),
    visitors: Object.keys(session.opening.given.visitors ?? {}),
    receivers: [...inside.network.receivers.values()].map(({ name, host, hasProgram }) => {
      const named = directory.names.get(name)
      const target = isObject(named) ? (named["target"] ?? null) : null
      return { name, host, target, program: (hasProgram ? world.programs.addressOf(name) : undefined) ?? null }
    }),
    snapshots: [...world.snapshots.values()].map(({ name, step, at }) => ({ name, step, at }))
  }
}
