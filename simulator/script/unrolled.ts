/**
 * Steps as a script would say them one after the other, without loops and parts: what a world that is driven from
 * outside takes in, and what a branch of it is saved as.
 */
import { Schema } from "effect"
import type { Injection } from "../faults/armed.ts"
import { durationText } from "./duration.ts"
import { StepForm } from "./format.ts"
import { isObject, type Json, type JsonObject } from "./json.ts"
import { resolve } from "./references.ts"
import type { FromOutside, Mishap, Search, Step } from "./scenario.ts"

export const unrolled = (steps: ReadonlyArray<Step>): ReadonlyArray<StepForm> => {
  const unroller = new Unroller()
  return steps.map((step) => decode(unroller.form(step)))
}

const decode = Schema.decodeUnknownSync(StepForm)

class Unroller {
  /** What names of loops stand for, until something is kept under the name. */
  readonly #bound = new Map<string, Json>()
  /** A part that is used twice has its ids twice; a file cannot. */
  readonly #ids = new Map<string, number>()

  form(step: Step): JsonObject {
    for (const [name, value] of step.binds) this.#bound.set(name, value)
    const meant = step.kind === "retry" ? this.#idOf(step.step) : undefined
    if (step.id !== undefined) this.#ids.set(step.id, (this.#ids.get(step.id) ?? 0) + 1)
    const id = step.id === undefined ? undefined : this.#idOf(step.id)
    const said = this.#filled(defined({ ...formOf(step), id, ...(meant === undefined ? {} : { retry: meant }) }))
    const inner = this.#inner(step)
    for (const [name] of step.keep) this.#bound.delete(name)
    return { ...(isObject(said) ? said : {}), ...inner }
  }

  #inner(step: Step): JsonObject {
    const meanwhile = step.kind === "act" && step.meanwhile.length > 0 ? this.#all(step.meanwhile) : undefined
    const together = step.kind === "together" ? this.#all(step.steps) : undefined
    const outside = step.outside.length > 0 ? step.outside.map((came) => this.#outside(came)) : undefined
    return defined({ meanwhile, together, outside })
  }

  #all(steps: ReadonlyArray<Step>): ReadonlyArray<Json> {
    return steps.map((step) => this.form(step))
  }

  #outside(came: FromOutside): JsonObject {
    return "step" in came ? this.form(came.step) : { ...came }
  }

  #idOf(id: string): string {
    const count = this.#ids.get(id) ?? 1
    return count === 1 ? id : `${id}-${count}`
  }

  /** With the values of loops in the place of their names. */
  #filled(value: Json): Json {
    if (Array.isArray(value)) return value.map((item: Json) => this.#filled(item))
    if (isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#filled(item)]))
    }
    if (typeof value !== "string" || this.#bound.size === 0) return value
    if (/^\$\{[^}]*\}$/.test(value)) return this.#isBound(value) ? resolve(value, this.#bound) : value
    return value.replace(/\$\{[^}]*\}/g, (reference) => {
      // With something beside it, the reference stands in a text, whatever it stands for.
      return this.#isBound(reference) ? String(resolve(`${reference} `, this.#bound)).slice(0, -1) : reference
    })
  }

  #isBound(reference: string): boolean {
    return this.#bound.has(reference.slice(2, -1).split(".")[0] ?? "")
  }
}

const formOf = (step: Step): Members => {
  const { id, say, expect, keep, choose } = step
  const [first] = keep
  const kept = first === undefined ? undefined : first[1] === "" ? first[0] : Object.fromEntries(keep)
  const expected = Object.keys(expect).length === 0 ? undefined : expect
  return { id, say, expect: expected, keep: kept, choose, ...doingOf(step) }
}

const doingOf = (step: Step): Members => {
  switch (step.kind) {
    case "act": {
      const { as, operation, on, input, envelope, within } = step
      return {
        as,
        do: operation,
        on,
        with: step.with,
        input,
        envelope: Object.keys(envelope).length === 0 ? undefined : envelope,
        inject: mishapOf(step.inject),
        within: within === undefined ? undefined : durationText(within)
      }
    }
    case "send": {
      const { as, method, path, headers, body } = step
      const sent = { method, path, headers: Object.keys(headers).length === 0 ? undefined : headers, ...body }
      return { as, send: defined(sent), inject: mishapOf(step.inject) }
    }
    case "retry":
      return { retry: step.step, inject: mishapOf(step.inject) }
    case "advance":
      return { advance: durationText(step.milliseconds) }
    case "until":
      return { until: step.moment }
    case "inject":
      return { inject: injectionOf(step.injection) }
    case "explore":
      return { explore: searchForm(step.search) }
    case "together":
    case "say":
      return {}
  }
}

const mishapOf = (mishap: Mishap | undefined): Json | undefined => {
  if (mishap === undefined) return undefined
  return "lost" in mishap.fault ? `lost-${mishap.fault.lost}` : injectionOf(mishap)
}

/** As a step says it. */
export const injectionOf = ({ fault, ...where }: Mishap | Injection): JsonObject => defined({ ...where, ...fault })

const searchForm = ({ exhaustive, faults, receivers, most, slowness, reaches }: Search): JsonObject =>
  defined({
    exhaustive: exhaustive ? true : undefined,
    faults: faults.length === 0 ? undefined : faults.map(injectionOf),
    receivers: Object.keys(receivers).length === 0 ? undefined : receivers,
    most: most === 1 ? undefined : most,
    slowness: slowness === 0 ? undefined : durationText(slowness),
    reaches: reaches.length === 0 ? undefined : reaches
  })

interface Members {
  readonly [key: string]: Json | undefined
}

const defined = (members: object): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
