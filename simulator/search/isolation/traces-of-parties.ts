/** The requests and answers of each party in a world, and where two worlds differ in them. */
import { operatorProcess } from "../../environment/processes/process.ts"
import type { TimedObservation } from "../../observation/observation.ts"
import type { WorldFork } from "../world-fork.ts"

/** By party: its requests and answers, one per line. */
export type TracesOfParties = ReadonlyMap<string, ReadonlyArray<string>>

/** Of the observations after the first `before` ones. */
export const tracesIn = ({ context: { recorder } }: WorldFork, before: number): TracesOfParties => {
  const traces = new Map<string, Array<string>>()
  for (const observed of recorder.observations.slice(before)) {
    const party = partyIn(observed)
    // The operator is no party: its random values are drawn for all tenants.
    if (party === undefined || party === operatorProcess) continue
    traces.set(party, [...(traces.get(party) ?? []), JSON.stringify(observed)])
  }
  return traces
}

const partyIn = (observed: TimedObservation): string | undefined => {
  if (observed.kind === "request" || observed.kind === "response" || observed.kind === "answer") return observed.actor
  return observed.kind === "received" || observed.kind === "callback" ? observed.receiver : undefined
}

/** The first difference, in words, between a world and one with `cause`; the traces of `without` are not compared. */
export const differenceOf = (
  alone: TracesOfParties,
  changed: TracesOfParties,
  cause: string,
  without: ReadonlySet<string> = new Set()
): string | undefined => {
  for (const [party, lines] of alone) {
    if (without.has(party)) continue
    const others = changed.get(party) ?? []
    const at = lines.findIndex((line, index) => line !== others[index])
    if (at >= 0)
      return `${party} gets another answer because of ${cause}: ${lines[at]} became ${others[at] ?? "nothing"}`
    if (others.length > lines.length) {
      return `${party} gets an additional answer because of ${cause}: ${others[lines.length]}`
    }
  }
  return undefined
}
