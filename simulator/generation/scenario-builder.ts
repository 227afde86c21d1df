/**
 * Generates a scenario by running it: each step runs in an in-memory world as soon as it is chosen, and its answer is
 * recorded as the expectation. A step that cannot run is discarded without effect.
 */
import type { Instant } from "../../src/vocabulary/instant.ts"
import type { TimedObservation } from "../observation/observation.ts"
import { isObject, type Json, type JsonObject, valueAt } from "../vocabulary/json.ts"
import { resolve, UnresolvedReference } from "../scenario/format/references.ts"
import type { WorldDefinition } from "../scenario/format/scenario.ts"
import { BadStep, Session } from "../scenario/session.ts"
import { keptMembersOf, type KnownIds } from "./known-ids.ts"

/** The answer to a step. */
export interface StepAnswer {
  readonly status: number
  readonly body: Json
}

export class ScenarioBuilder {
  /** The recorded steps in script form. */
  readonly steps: Array<JsonObject> = []
  readonly pools: KnownIds
  /** The newest view of a project or proposal that any actor read, by its id. */
  readonly newest = new Map<string, JsonObject>()
  /** The heads that each actor read last, by actor and id. */
  readonly #heads = new Map<string, Json>()
  readonly #names = new Map<string, Json>()
  readonly #outOfScope = new Set<string>()
  #session: Session
  #kept = 0

  constructor(opening: WorldDefinition, pools: KnownIds) {
    this.#session = new Session(opening)
    this.pools = pools
  }

  get session(): Session {
    return this.#session
  }

  get now(): Instant {
    return this.#session.now
  }

  /** The value of a reference `${…}`. */
  valueOf(reference: string): Json | undefined {
    try {
      return resolve(reference, this.#allNames())
    } catch (error) {
      if (error instanceof UnresolvedReference) return undefined
      throw error
    }
  }

  /** True if the actor has not read the newest head. */
  isStale(actor: string, id: string): boolean {
    const newest = this.newest.get(id)
    return newest === undefined || this.#heads.get(`${actor} ${id}`) !== headOf(newest)
  }

  /** True if the actor's last request for this target was refused as out of scope or forbidden. */
  isOutOfScope(actor: string, on: string): boolean {
    return this.#outOfScope.has(`${actor} ${on}`)
  }

  /** Runs a step and records it; false if it cannot run. */
  do(form: JsonObject): boolean {
    const result = this.#try(form)
    if (result === undefined) return false
    this.#last = result.answers
    this.steps.push(this.#recorded(result.form, result.answers))
    return true
  }

  /** Removes injected faults that never occurred: they had no effect on the run. */
  finish(): void {
    for (const _ of this.session.context.world.faults.withoutOccurrence) {
      const last = this.steps.findLastIndex(
        (step) => step["inject"] !== undefined && step["as"] === undefined && step["retry"] === undefined
      )
      if (last >= 0) this.steps.splice(last, 1)
    }
  }

  /** The actor's answer to the last step. */
  lastAnswerTo(actor: string): StepAnswer | undefined {
    return this.#last.get(actor)
  }

  #last: ReadonlyMap<string, StepAnswer> = new Map()

  #try(form: JsonObject): { readonly form: JsonObject; readonly answers: ReadonlyMap<string, StepAnswer> } | undefined {
    let candidate = form
    // Among inner steps, the first unexpected answer hides the others: expectations are found one after the other.
    for (let tries = 0; tries < 4; tries++) {
      try {
        const { ended, observed } = this.#session.do(resolve(candidate, this.#allNames()))
        const answers = answersIn(observed)
        if (ended === undefined || (ended.reason === otherAnswer && !hasInnerSteps(form))) return { form, answers }
        if (observed.some(({ kind }) => kind === "request" || kind === "act")) this.#rebuild()
        // Any other failure is a defect of the program: it is reported, not avoided.
        if (ended.verdict === "FAILED" && ended.reason !== otherAnswer && ended.reason !== noAnswer) {
          throw new Error(`${this.session.opening.title}, step ${this.steps.length + 1}: ${ended.reason}`)
        }
        if (ended.reason !== otherAnswer) return undefined
        candidate = withExpectations(form, answers)
      } catch (error) {
        if (error instanceof BadStep || error instanceof UnresolvedReference) return undefined
        throw error
      }
    }
    return undefined
  }

  /** Replays the recorded steps in a new world, without the discarded step. */
  #rebuild(): void {
    this.#session = new Session(this.session.opening)
    this.#names.clear()
    for (const step of this.steps) {
      const { observed } = this.#session.do(resolve(step, this.#allNames()))
      const answers = answersIn(observed)
      for (const inner of [step, ...stepsIn(step)]) this.#restoreKept(inner, answers)
    }
  }

  #restoreKept(step: JsonObject, all: ReadonlyMap<string, StepAnswer>): void {
    const actor = this.#actorOf(step)
    const answer = actor === undefined ? undefined : all.get(actor)
    if (answer === undefined || !isObject(step["keep"])) return
    for (const [name, path] of Object.entries(step["keep"]))
      this.#names.set(name, valueAt(answer.body, String(path)) ?? null)
  }

  #recorded(form: JsonObject, answers: ReadonlyMap<string, StepAnswer>): JsonObject {
    const inner = stepsIn(form).map((step) => this.#one(step, answers))
    const key = form["together"] === undefined ? "meanwhile" : "together"
    return { ...this.#one(form, answers), ...(inner.length === 0 ? {} : { [key]: inner }) }
  }

  #one(form: JsonObject, all: ReadonlyMap<string, StepAnswer>): JsonObject {
    const actor = this.#actorOf(form)
    const answer = actor === undefined ? undefined : all.get(actor)
    if (answer === undefined || actor === undefined) return form
    if (answer.status >= 300) {
      const expect = expectationOf(answer)
      if (/SCOPE$|^FORBIDDEN$/.test(String(expect["error"]))) this.#outOfScope.add(`${actor} ${String(form["on"])}`)
      return { ...form, expect }
    }
    this.#outOfScope.delete(`${actor} ${String(form["on"])}`)
    this.#learn(actor, answer.body)
    const kept = keptMembersOf(String(form["do"] ?? ""), answer.body)
    const keep: { [name: string]: string } = {}
    for (const { pool, path, isPartOf } of kept) {
      const name = `${pool}${++this.#kept}`
      keep[name] = path
      this.#names.set(name, valueAt(answer.body, path) ?? null)
      this.pools.add(pool, isPartOf === undefined ? `\${${name}}` : `${isPartOf(form)}/\${${name}}`, actor)
    }
    const state = valueAt(answer.body, "project.state")
    return {
      ...form,
      ...(typeof state === "string" ? { expect: { body: { "project.state": state } } } : {}),
      ...(kept.length === 0 ? {} : { keep })
    }
  }

  #learn(actor: string, body: Json): void {
    const id = valueAt(body, "project.taskId") ?? valueAt(body, "proposal.id")
    if (typeof id !== "string" || !isObject(body)) return
    this.newest.set(id, body)
    this.#heads.set(`${actor} ${id}`, headOf(body))
  }

  #actorOf({ as: actor, retry }: JsonObject): string | undefined {
    if (typeof actor === "string") return actor
    return retry === undefined ? undefined : this.#actorOf(this.steps.find(({ id }) => id === retry) ?? {})
  }

  #allNames(): ReadonlyMap<string, Json> {
    return new Map([...this.#session.context.directory.names, ...this.#names])
  }
}

const noAnswer = "no response"
const otherAnswer = "unexpected response"

const hasInnerSteps = (form: JsonObject): boolean => stepsIn(form).length > 0

const stepsIn = ({ together, meanwhile }: JsonObject): ReadonlyArray<JsonObject> => {
  const steps = together ?? meanwhile
  return Array.isArray(steps) ? steps.filter(isObject) : []
}

/** The last answer to each actor. */
const answersIn = (observed: ReadonlyArray<TimedObservation>): ReadonlyMap<string, StepAnswer> => {
  const answers = new Map<string, StepAnswer>()
  for (const one of observed) {
    if (one.kind === "response" && !one.lost) answers.set(one.actor, { status: one.status, body: one.body ?? null })
    if (one.kind === "answer") answers.set(one.actor, { status: one.refused === undefined ? 200 : 400, body: one.body })
  }
  return answers
}

const expectationOf = ({ status, body }: StepAnswer): JsonObject => {
  const error = valueAt(body, "error")
  return typeof error === "string" ? { error } : { status }
}

const withExpectations = (form: JsonObject, answers: ReadonlyMap<string, StepAnswer>): JsonObject => {
  const one = (step: JsonObject): JsonObject => {
    const found = answers.get(String(step["as"]))
    return found === undefined || found.status < 300 ? step : { ...step, expect: expectationOf(found) }
  }
  const key = form["together"] === undefined ? "meanwhile" : "together"
  return { ...one(form), [key]: stepsIn(form).map(one) }
}

const headOf = (view: JsonObject): Json =>
  valueAt(view, "project.headEventHash") ?? valueAt(view, "proposal.proposalHead") ?? null
