/**
 * What a set of generated scenarios ever combined, and what it never reached: a generator finds nothing where it never
 * goes, so its own bias has to be seen.
 */
import { states } from "../../src/projects/project.ts"
import { proposalStates } from "../../src/proposals/proposal.ts"
import { refusals } from "../../src/vocabulary/refusal-rules.ts"
import { storageFaults } from "../faults/storage-faults.ts"
import type { Observed } from "../observation.ts"
import { operationForms } from "../operations/forms.ts"
import { isObject, type Json, valueAt } from "../script/json.ts"
import { everyStep } from "../script/scenario.ts"
import type { Generated } from "./generate.ts"
import { classOf } from "./value-class.ts"

export class Survey {
  scenarios = 0
  steps = 0
  /** By operation and what came of it: `2xx`, or the code of a refusal. */
  readonly outcomes = new Map<string, Map<string, number>>()
  readonly reached = new Map<string, number>()
  readonly faults = new Map<string, number>()
  readonly refused = new Map<string, number>()
  /** By operation and member: the classes of the values that were sent. */
  readonly fields = new Map<string, Map<string, number>>()
  /** Two members of one input, as they were sent together, with the classes of their values. */
  readonly pairs = new Map<string, number>()
  /** Answers that are no documented refusal. */
  readonly defects: Array<string> = []

  add({ scenario, observations }: Generated): void {
    this.scenarios += 1
    this.steps += everyStep(scenario.steps).length
    const current = new Map<string, string>()
    for (const observed of observations) this.#note(observed, current, scenario.title)
  }

  #note(observed: Observed, current: Map<string, string>, title: string): void {
    switch (observed.kind) {
      case "step":
        if (observed.actor !== undefined) current.set(observed.actor, observed.operation)
        return
      case "request":
        return this.#sent(current.get(observed.actor) ?? "", observed.body)
      case "response": {
        const operation = current.get(observed.actor) ?? ""
        const error = valueAt(observed.body ?? null, "error")
        if (observed.status >= 500 && typeof error !== "string")
          this.defects.push(`${title}: ${operation} ${observed.status}`)
        this.#came(operation, observed.status < 300 ? undefined : String(error ?? observed.status))
        return this.#state(observed.body ?? null)
      }
      case "answer":
        return this.#came(current.get(observed.actor) ?? "", observed.refused)
      case "fault":
        return count(this.faults, observed.fault)
    }
  }

  #came(operation: string, refusal: string | undefined): void {
    const outcomes = this.outcomes.get(operation) ?? new Map<string, number>()
    this.outcomes.set(operation, outcomes)
    count(outcomes, refusal ?? "2xx")
    if (refusal !== undefined) count(this.refused, refusal)
  }

  #state(body: Json): void {
    for (const noun of ["project", "proposal"]) {
      const state = valueAt(body, `${noun}.state`)
      if (typeof state === "string") count(this.reached, `${noun} ${state}`)
    }
    const record = valueAt(body, "project.recordIssuance.status")
    if (typeof record === "string") count(this.reached, `record ${record}`)
    const deliveries = valueAt(body, "deliveries")
    for (const delivery of Array.isArray(deliveries) ? deliveries : []) {
      count(this.reached, `delivery ${String(valueAt(delivery as Json, "state"))}`)
    }
  }

  #sent(operation: string, body: Json | undefined): void {
    if (!isObject(body)) return
    const { input, ...envelope } = body
    const members = Object.entries({ ...envelope, ...(isObject(input) ? input : {}) }).toSorted(([one], [other]) =>
      one < other ? -1 : 1
    )
    const classes = members.map(([name, value]) => [name, classOf(value)] as const)
    for (const [index, [name, value]] of classes.entries()) {
      const known = this.fields.get(`${operation}.${name}`) ?? new Map<string, number>()
      this.fields.set(`${operation}.${name}`, known)
      count(known, value)
      for (const [other, beside] of classes.slice(index + 1))
        count(this.pairs, `${operation}: ${name}=${value} ${other}=${beside}`)
    }
  }

  /** What there is, and nothing of all this ever came to. */
  get never(): { readonly [what: string]: ReadonlyArray<string> } {
    const operations = [...operationForms.keys()]
    const wanted = [
      ...states.map((state) => `project ${state}`),
      ...proposalStates.map((state) => `proposal ${state}`),
      ...["NOT_REQUESTED", "ISSUED"].map((status) => `record ${status}`),
      ...["PENDING", "DELIVERED", "EXHAUSTED", "CANCELLED"].map((state) => `delivery ${state}`)
    ]
    return {
      "operations never asked for": operations.filter((name) => !this.outcomes.has(name)),
      "operations that never succeeded": operations.filter(
        (name) => this.outcomes.has(name) && this.outcomes.get(name)?.has("2xx") !== true
      ),
      "refusals never given": Object.keys(refusals).filter((code) => !this.refused.has(code)),
      "states never seen": wanted.filter((state) => !this.reached.has(state)),
      "faults that never struck": [...storageFaults, "before-commit", "after-commit"].filter(
        (one) => !this.faults.has(one)
      )
    }
  }
}

export const count = (counts: Map<string, number>, what: string): void =>
  void counts.set(what, (counts.get(what) ?? 0) + 1)
