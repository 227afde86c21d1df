/** One world of a server: its session, the programs behind its receivers, and the moments that were given names. */
import { LiveSession } from "../live.ts"
import type { Observed } from "../observation.ts"
import { isObject, type Json, type JsonObject } from "../script/json.ts"
import type { Opening } from "../script/scenario.ts"
import type { StepForm } from "../script/format.ts"
import { secretsIn } from "../secrets.ts"
import { readTrace, renderTrace } from "../trace.ts"
import { Programs } from "./programs.ts"

export interface Snapshot {
  readonly name: string
  /** After so many steps. */
  readonly step: number
  readonly at: string
}

export class ServedWorld {
  readonly id: string
  readonly programs: Programs
  readonly snapshots = new Map<string, Snapshot>()
  readonly patience: number
  #live: LiveSession
  /** Whom the world has handed a secret by which it knows them again. */
  readonly #holders = new Map<string, string>()
  #trace = { observed: -1, text: "" }

  /** `steps` are done again first; `patience` is how many seconds somebody outside may take. */
  constructor(id: string, opening: Opening, steps: ReadonlyArray<StepForm>, patience: number) {
    this.id = id
    this.patience = patience
    this.programs = new Programs(patience)
    this.#live = this.#begin(opening, steps)
  }

  get live(): LiveSession {
    return this.#live
  }

  /** Its first steps and nothing after them. What was to come is gone, and so are snapshots of it. */
  rewind(steps: number): void {
    const { session, holding } = this.#live
    const begun = this.#begin(session.opening, session.forms.slice(0, steps))
    for (const actor of holding) if (begun.session.knowsActor(actor)) begun.hold(actor)
    this.#live.close()
    this.#live = begun
    for (const { name, step } of this.snapshots.values()) if (step > steps) this.snapshots.delete(name)
  }

  /** Nothing of it goes on, and no program is waited for. */
  close(): void {
    this.#live.close()
    this.programs.hangUp()
  }

  /** Every line so far, without secrets. */
  get trace(): string {
    const { session } = this.#live
    if (this.#trace.observed !== session.observations.length) {
      this.#trace = { observed: session.observations.length, text: session.trace }
    }
    return this.#trace.text
  }

  /** Lines of the trace as values. */
  linesOf(observed: ReadonlyArray<Observed>): ReadonlyArray<JsonObject> {
    return readTrace(renderTrace(observed, this.#live.session.stage.recorder.redact))
  }

  /** Remembers who was handed a secret. */
  handOut(actor: string, answer: Json | undefined): void {
    for (const { secret } of secretsIn(answer ?? null)) if (!this.#holders.has(secret)) this.#holders.set(secret, actor)
  }

  /** Who holds a secret that this world handed out. */
  holderOf(secret: string): string | undefined {
    const { agents, people } = this.#live.session.journey.directory
    for (const [name, { token }] of agents) if (token === secret) return name
    for (const [name, { session }] of people) if (session === secret) return name
    return this.#holders.get(secret)
  }

  #begin(opening: Opening, steps: ReadonlyArray<StepForm>): LiveSession {
    const live = new LiveSession(opening, steps, { takesWhatComes: true })
    live.ask = this.programs.ask
    this.#holders.clear()
    this.#trace = { observed: -1, text: "" }
    for (const kept of live.session.kept) {
      if (kept.step.kind === "act" || kept.step.kind === "send") this.handOut(kept.step.as, kept.answer?.body)
    }
    return live
  }
}

/** The members that a person sees of a world first. It never throws: a broken world is no reason to show no other. */
export const summaryOf = (world: ServedWorld): JsonObject => {
  const { session, standing } = world.live
  const { title, seed } = session.opening
  return { id: world.id, title, seed, now: momentOf(session.kernel.now), standing }
}

/** Null where it is past all moments that have a name. */
export const momentOf = (milliseconds: number | undefined): string | null => {
  const date = new Date(milliseconds ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

export const describe = (world: ServedWorld): JsonObject => {
  const { session } = world.live
  const { directory, world: inside } = session.journey
  return {
    ...summaryOf(world),
    start: session.opening.start,
    steps: session.kept.length,
    isAtRest: world.live.isAtRest,
    holding: [...world.live.holding],
    nextTimer: momentOf(session.kernel.nextTimer),
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
