/**
 * Writes a scenario by living it: each step is done in a world in memory as soon as it is chosen, and is written down
 * with what came back as what is expected. A step that cannot be done leaves nothing behind.
 */
import type { Instant } from "../../src/vocabulary/instant.ts"
import type { Observed } from "../observation.ts"
import { isObject, type Json, type JsonObject, valueAt } from "../script/json.ts"
import { resolve, Unresolved } from "../script/references.ts"
import type { Opening } from "../script/scenario.ts"
import { BadStep, Session } from "../session.ts"
import { keptOf, type Pools } from "./pools.ts"

/** What came back to whoever did a step; undefined where nothing did. */
export interface Came {
  readonly status: number
  readonly body: Json
}

export class Author {
  /** As a script writes them. */
  readonly steps: Array<JsonObject> = []
  readonly pools: Pools
  /** The newest view of a project or proposal that anybody saw, by its id. */
  readonly newest = new Map<string, JsonObject>()
  /** Heads that each actor planned from last, by actor and id. */
  readonly #seen = new Map<string, Json>()
  readonly #names = new Map<string, Json>()
  readonly #shut = new Set<string>()
  #session: Session
  #kept = 0

  constructor(opening: Opening, pools: Pools) {
    this.#session = new Session(opening)
    this.pools = pools
  }

  get session(): Session {
    return this.#session
  }

  get now(): Instant {
    return this.#session.now
  }

  /** The value that `${…}` stands for. */
  valueOf(reference: string): Json | undefined {
    try {
      return resolve(reference, this.#allNames())
    } catch (error) {
      if (error instanceof Unresolved) return undefined
      throw error
    }
  }

  /** True where an actor has not read the newest head of a thing. */
  isBehind(actor: string, id: string): boolean {
    const newest = this.newest.get(id)
    return newest === undefined || this.#seen.get(`${actor} ${id}`) !== headOf(newest)
  }

  /** True where this thing was closed to an actor when it was last asked for. */
  isShut(actor: string, on: string): boolean {
    return this.#shut.has(`${actor} ${on}`)
  }

  /** Does a step and writes it down; false where it cannot be done. */
  do(form: JsonObject): boolean {
    const tried = this.#try(form)
    if (tried === undefined) return false
    this.#last = tried.came
    this.steps.push(this.#written(tried.form, tried.came))
    return true
  }

  /** Takes out what was injected and never struck: without it, everything else is as it was. */
  finish(): void {
    for (const _ of this.session.journey.world.faults.untouched) {
      const last = this.steps.findLastIndex(
        (step) => step["inject"] !== undefined && step["as"] === undefined && step["retry"] === undefined
      )
      if (last >= 0) this.steps.splice(last, 1)
    }
  }

  /** What came of the last step to an actor. */
  cameTo(actor: string): Came | undefined {
    return this.#last.get(actor)
  }

  #last: ReadonlyMap<string, Came> = new Map()

  #try(form: JsonObject): { readonly form: JsonObject; readonly came: ReadonlyMap<string, Came> } | undefined {
    let expecting = form
    // Of several steps, one that goes otherwise than expected hides the others: what is expected is found out bit by bit.
    for (let tries = 0; tries < 4; tries++) {
      try {
        const { ended, observed } = this.#session.do(resolve(expecting, this.#allNames()))
        const came = cameOf(observed)
        if (ended === undefined || (ended.reason === otherAnswer && !isSeveral(form))) return { form, came }
        if (observed.some(({ kind }) => kind === "request" || kind === "act")) this.#again()
        // What is no answer, nor the lack of one, is a defect: it is found, and not generated around.
        if (ended.verdict === "FAILED" && ended.reason !== otherAnswer && ended.reason !== noAnswer) {
          throw new Error(`${this.session.opening.title}, step ${this.steps.length + 1}: ${ended.reason}`)
        }
        if (ended.reason !== otherAnswer) return undefined
        expecting = withExpectations(form, came)
      } catch (error) {
        if (error instanceof BadStep || error instanceof Unresolved) return undefined
        throw error
      }
    }
    return undefined
  }

  /** The same world once more, without what could not be done. */
  #again(): void {
    this.#session = new Session(this.session.opening)
    this.#names.clear()
    for (const step of this.steps) {
      const { observed } = this.#session.do(resolve(step, this.#allNames()))
      const came = cameOf(observed)
      for (const inner of [step, ...stepsIn(step)]) this.#keepAgain(inner, came)
    }
  }

  #keepAgain(step: JsonObject, all: ReadonlyMap<string, Came>): void {
    const actor = this.#actorOf(step)
    const came = actor === undefined ? undefined : all.get(actor)
    if (came === undefined || !isObject(step["keep"])) return
    for (const [name, path] of Object.entries(step["keep"]))
      this.#names.set(name, valueAt(came.body, String(path)) ?? null)
  }

  #written(form: JsonObject, came: ReadonlyMap<string, Came>): JsonObject {
    const inner = stepsIn(form).map((step) => this.#one(step, came))
    const key = form["together"] === undefined ? "meanwhile" : "together"
    return { ...this.#one(form, came), ...(inner.length === 0 ? {} : { [key]: inner }) }
  }

  #one(form: JsonObject, all: ReadonlyMap<string, Came>): JsonObject {
    const actor = this.#actorOf(form)
    const came = actor === undefined ? undefined : all.get(actor)
    if (came === undefined || actor === undefined) return form
    if (came.status >= 300) {
      const expect = expectationOf(came)
      if (/SCOPE$|^FORBIDDEN$/.test(String(expect["error"]))) this.#shut.add(`${actor} ${String(form["on"])}`)
      return { ...form, expect }
    }
    this.#shut.delete(`${actor} ${String(form["on"])}`)
    this.#learn(actor, came.body)
    const kept = keptOf(String(form["do"] ?? ""), came.body)
    const keep: { [name: string]: string } = {}
    for (const { pool, path, isPartOf } of kept) {
      const name = `${pool}${++this.#kept}`
      keep[name] = path
      this.#names.set(name, valueAt(came.body, path) ?? null)
      this.pools.add(pool, isPartOf === undefined ? `\${${name}}` : `${isPartOf(form)}/\${${name}}`, actor)
    }
    const state = valueAt(came.body, "project.state")
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
    this.#seen.set(`${actor} ${id}`, headOf(body))
  }

  #actorOf({ as: actor, retry }: JsonObject): string | undefined {
    if (typeof actor === "string") return actor
    return retry === undefined ? undefined : this.#actorOf(this.steps.find(({ id }) => id === retry) ?? {})
  }

  #allNames(): ReadonlyMap<string, Json> {
    return new Map([...this.#session.journey.directory.names, ...this.#names])
  }
}

const noAnswer = "no answer came"
const otherAnswer = "the answer is another"

const isSeveral = (form: JsonObject): boolean => stepsIn(form).length > 0

const stepsIn = ({ together, meanwhile }: JsonObject): ReadonlyArray<JsonObject> => {
  const steps = together ?? meanwhile
  return Array.isArray(steps) ? steps.filter(isObject) : []
}

/** What each actor was answered last. */
const cameOf = (observed: ReadonlyArray<Observed>): ReadonlyMap<string, Came> => {
  const came = new Map<string, Came>()
  for (const one of observed) {
    if (one.kind === "response" && !one.lost) came.set(one.actor, { status: one.status, body: one.body ?? null })
    if (one.kind === "answer") came.set(one.actor, { status: one.refused === undefined ? 200 : 400, body: one.body })
  }
  return came
}

const expectationOf = ({ status, body }: Came): JsonObject => {
  const error = valueAt(body, "error")
  return typeof error === "string" ? { error } : { status }
}

const withExpectations = (form: JsonObject, came: ReadonlyMap<string, Came>): JsonObject => {
  const one = (step: JsonObject): JsonObject => {
    const found = came.get(String(step["as"]))
    return found === undefined || found.status < 300 ? step : { ...step, expect: expectationOf(found) }
  }
  const key = form["together"] === undefined ? "meanwhile" : "together"
  return { ...one(form), [key]: stepsIn(form).map(one) }
}

const headOf = (view: JsonObject): Json =>
  valueAt(view, "project.headEventHash") ?? valueAt(view, "proposal.proposalHead") ?? null
