/**
 * Converts steps back to step forms without loops and parts: the input of an interactively driven world, and the form
 * in which a branch of it is saved.
 */
import { Schema } from "effect"
import type { Injection } from "../../environment/faults/armed-faults.ts"
import { durationText } from "../../vocabulary/duration.ts"
import { StepForm } from "./scenario-form.ts"
import { isObject, type Json, type JsonObject } from "../../vocabulary/json.ts"
import { resolve } from "./references.ts"
import type { ExternalEvent, RequestFault, Search, Step } from "./scenario.ts"

export const unrollSteps = (steps: ReadonlyArray<Step>): ReadonlyArray<StepForm> => {
  const unroller = new Unroller()
  return steps.map((step) => decode(unroller.form(step)))
}

const decode = Schema.decodeUnknownSync(StepForm)

class Unroller {
  /** The values of loop variables, until a kept value takes the name. */
  readonly #bound = new Map<string, Json>()
  /** A part that is used twice repeats its ids; a file must not. */
  readonly #ids = new Map<string, number>()

  form(step: Step): JsonObject {
    for (const [name, value] of step.bindings) this.#bound.set(name, value)
    const retry = step.kind === "retry" ? this.#idOf(step.step) : undefined
    if (step.id !== undefined) this.#ids.set(step.id, (this.#ids.get(step.id) ?? 0) + 1)
    const id = step.id === undefined ? undefined : this.#idOf(step.id)
    const form = this.#substitute(withoutUndefined({ ...formOf(step), id, ...(retry === undefined ? {} : { retry }) }))
    const inner = this.#inner(step)
    for (const [name] of step.keep) this.#bound.delete(name)
    return { ...(isObject(form) ? form : {}), ...inner }
  }

  #inner(step: Step): JsonObject {
    const meanwhile = step.kind === "act" && step.meanwhile.length > 0 ? this.#all(step.meanwhile) : undefined
    const together = step.kind === "together" ? this.#all(step.steps) : undefined
    const outside = step.outside.length > 0 ? step.outside.map((event) => this.#outside(event)) : undefined
    return withoutUndefined({ meanwhile, together, outside })
  }

  #all(steps: ReadonlyArray<Step>): ReadonlyArray<Json> {
    return steps.map((step) => this.form(step))
  }

  #outside(event: ExternalEvent): JsonObject {
    return "step" in event ? this.form(event.step) : { ...event }
  }

  #idOf(id: string): string {
    const count = this.#ids.get(id) ?? 1
    return count === 1 ? id : `${id}-${count}`
  }

  /** Replaces references to loop variables by their values. */
  #substitute(value: Json): Json {
    if (Array.isArray(value)) return value.map((item: Json) => this.#substitute(item))
    if (isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#substitute(item)]))
    }
    if (typeof value !== "string" || this.#bound.size === 0) return value
    if (/^\$\{[^}]*\}$/.test(value)) return this.#isBound(value) ? resolve(value, this.#bound) : value
    return value.replace(/\$\{[^}]*\}/g, (reference) => {
      // Inside a longer text, a reference is replaced by the text of its value.
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
  return { id, say, expect: expected, keep: kept, choose, ...actionOf(step) }
}

const actionOf = (step: Step): Members => {
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
        inject: faultForm(step.inject),
        within: within === undefined ? undefined : durationText(within)
      }
    }
    case "send": {
      const { as, method, path, headers, body } = step
      const request = { method, path, headers: Object.keys(headers).length === 0 ? undefined : headers, ...body }
      return { as, send: withoutUndefined(request), inject: faultForm(step.inject) }
    }
    case "retry":
      return { retry: step.step, inject: faultForm(step.inject) }
    case "advance":
      return { advance: durationText(step.milliseconds) }
    case "until":
      return { until: step.moment }
    case "inject":
      return { inject: injectionForm(step.injection) }
    case "explore":
      return { explore: searchForm(step.search) }
    case "together":
    case "say":
      return {}
  }
}

const faultForm = (inject: RequestFault | undefined): Json | undefined => {
  if (inject === undefined) return undefined
  return "lost" in inject.fault ? `lost-${inject.fault.lost}` : injectionForm(inject)
}

/** The injection in the form of a step. */
export const injectionForm = ({ fault, ...where }: RequestFault | Injection): JsonObject =>
  withoutUndefined({ ...where, ...fault })

const searchForm = ({ exhaustive, faults, receivers, payments, most, slowness, reaches }: Search): JsonObject =>
  withoutUndefined({
    exhaustive: exhaustive ? true : undefined,
    faults: faults.length === 0 ? undefined : faults.map(injectionForm),
    receivers: Object.keys(receivers).length === 0 ? undefined : receivers,
    payments: payments.length === 0 ? undefined : payments,
    most: most === 1 ? undefined : most,
    slowness: slowness === 0 ? undefined : durationText(slowness),
    reaches: reaches.length === 0 ? undefined : reaches
  })

interface Members {
  readonly [key: string]: Json | undefined
}

const withoutUndefined = (members: object): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
