/**
 * The coverage of a set of generated scenarios, including combinations of fields: a generator finds no defect in states
 * that it never reaches, so its bias is measured.
 */
import { states } from "../../src/projects/project.ts"
import { proposalStates } from "../../src/proposals/proposal.ts"
import { refusals } from "../../src/vocabulary/refusal-rules.ts"
import { storageFaults } from "../environment/faults/storage-faults.ts"
import type { TimedObservation } from "../observation/observation.ts"
import { operationForms } from "../scenario/operations/operation-forms.ts"
import { isObject, type Json, valueAt } from "../vocabulary/json.ts"
import { allSteps } from "../scenario/format/scenario.ts"
import type { GeneratedScenario } from "./generate.ts"
import { classOf } from "./value-class.ts"

export class GenerationSurvey {
  scenarios = 0
  steps = 0
  /** Counts by operation and outcome: `2xx`, or the code of a refusal. */
  readonly outcomes = new Map<string, Map<string, number>>()
  readonly reached = new Map<string, number>()
  readonly faults = new Map<string, number>()
  readonly refused = new Map<string, number>()
  /** Classes of the values sent, by operation and member. */
  readonly fields = new Map<string, Map<string, number>>()
  /** Pairs of members of one input, with the classes of their values. */
  readonly pairs = new Map<string, number>()
  /** Server errors without a documented refusal. */
  readonly defects: Array<string> = []

  add({ scenario, observations }: GeneratedScenario): void {
    this.scenarios += 1
    this.steps += allSteps(scenario.steps).length
    const current = new Map<string, string>()
    for (const observed of observations) this.#note(observed, current, scenario.title)
  }

  #note(observed: TimedObservation, current: Map<string, string>, title: string): void {
    switch (observed.kind) {
      case "step":
        if (observed.actor !== undefined) current.set(observed.actor, observed.operation)
        return
      case "request":
        return this.#countFields(current.get(observed.actor) ?? "", observed.body)
      case "response": {
        const operation = current.get(observed.actor) ?? ""
        const error = valueAt(observed.body ?? null, "error")
        if (observed.status >= 500 && typeof error !== "string")
          this.defects.push(`${title}: ${operation} ${observed.status}`)
        this.#countOutcome(operation, observed.status < 300 ? undefined : String(error ?? observed.status))
        return this.#countStates(observed.body ?? null)
      }
      case "answer":
        return this.#countOutcome(current.get(observed.actor) ?? "", observed.refused)
      case "fault":
        return count(this.faults, observed.fault)
    }
  }

  #countOutcome(operation: string, refusal: string | undefined): void {
    const outcomes = this.outcomes.get(operation) ?? new Map<string, number>()
    this.outcomes.set(operation, outcomes)
    count(outcomes, refusal ?? "2xx")
    if (refusal !== undefined) count(this.refused, refusal)
  }

  #countStates(body: Json): void {
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

  #countFields(operation: string, body: Json | undefined): void {
    if (!isObject(body)) return
    const { input, ...envelope } = body
    const members = Object.entries({ ...envelope, ...(isObject(input) ? input : {}) }).toSorted(([one], [other]) =>
      one < other ? -1 : 1
    )
    const classes = members.map(([name, value]) => [name, classOf(value)] as const)
    for (const [index, [name, value]] of classes.entries()) {
      const counts = this.fields.get(`${operation}.${name}`) ?? new Map<string, number>()
      this.fields.set(`${operation}.${name}`, counts)
      count(counts, value)
      for (const [other, otherValue] of classes.slice(index + 1))
        count(this.pairs, `${operation}: ${name}=${value} ${other}=${otherValue}`)
    }
  }

  /** Known operations, refusals, states and faults that no scenario covered. */
  get uncovered(): { readonly [what: string]: ReadonlyArray<string> } {
    const operations = [...operationForms.keys()]
    const known = [
      ...states.map((state) => `project ${state}`),
      ...proposalStates.map((state) => `proposal ${state}`),
      ...["NOT_REQUESTED", "ISSUED"].map((status) => `record ${status}`),
      ...["PENDING", "DELIVERED", "EXHAUSTED", "CANCELLED"].map((state) => `delivery ${state}`)
    ]
    return {
      "operations never called": operations.filter((name) => !this.outcomes.has(name)),
      "operations never accepted": operations.filter(
        (name) => this.outcomes.has(name) && this.outcomes.get(name)?.has("2xx") !== true
      ),
      "refusals never returned": Object.keys(refusals).filter((code) => !this.refused.has(code)),
      "states never reached": known.filter((state) => !this.reached.has(state)),
      "faults never injected": [...storageFaults, "before-commit", "after-commit"].filter(
        (one) => !this.faults.has(one)
      )
    }
  }
}

export const count = (counts: Map<string, number>, key: string): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1)
