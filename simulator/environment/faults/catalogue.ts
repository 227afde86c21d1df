/**
 * All faults that a scenario can inject, each with an example, its occurrence in a trace, and a scenario that shows it.
 * `simulate faults` prints this list, and coverage compares traces with it.
 */
import type { JsonObject } from "../../vocabulary/json.ts"
import { databaseFaults } from "./database-catalogue.ts"
import { receiverFaults } from "./receiver-catalogue.ts"
import { environmentFaults } from "./environment-catalogue.ts"
import { paymentFaults } from "./payment-catalogue.ts"

export interface Fault {
  readonly name: string
  readonly what: string
  /** The YAML of a step. */
  readonly written: string
  /** True for the trace line at which the fault occurs; `earlier` are the lines before it. */
  readonly occursAt: (line: JsonObject, earlier: ReadonlyArray<JsonObject>) => boolean
  /** The folder of a scenario with this fault, below `scenarios/`. */
  readonly scenario: string
}

export const faults: ReadonlyArray<Fault> = [
  ...databaseFaults,
  ...receiverFaults,
  ...environmentFaults,
  ...paymentFaults
]

/** The names of the faults that occurred in a run. */
export const faultsIn = (lines: ReadonlyArray<JsonObject>): ReadonlySet<string> => {
  const seen = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (!relevantKinds.has(line["kind"])) continue
    const earlier = lines.slice(0, index)
    for (const { name, occursAt } of faults) if (!seen.has(name) && occursAt(line, earlier)) seen.add(name)
  }
  return seen
}

/** The kinds of trace lines at which a fault can occur. */
const relevantKinds: ReadonlySet<unknown> = new Set([
  "request",
  "response",
  "fault",
  "worker",
  "lookup",
  "unconnected",
  "received",
  "reply",
  "stalled",
  "hangup",
  "letter",
  "act",
  "answer",
  "payments"
])
