/** All coverage points, derived from the service's definitions, so that a new definition is missing until covered. */
import { refusals } from "../../src/vocabulary/refusal-rules.ts"
import { faults, faultsIn } from "../environment/faults/catalogue.ts"
import type { JsonObject } from "../vocabulary/json.ts"
import { callsIn, type Call } from "./calls-in-trace.ts"
import { eventNames, eventsIn } from "./events.ts"
import { moveNames, moveNamesIn } from "./moves.ts"
import { resources, type Resource } from "./resources.ts"
import { coveredPoints, type CoveragePoint, type CoveredPoint } from "./point.ts"
import { commands, routes } from "./routes.ts"
import { resourceStatesIn } from "./tracked-states.ts"

export const allPoints = (): ReadonlyArray<CoveragePoint> => [
  ...routes.map(({ operation, method, path }): CoveragePoint => ({
    section: "operations",
    name: operation,
    how: `do: ${operation}, which calls ${method} ${path}`
  })),
  ...Object.entries(refusals).map(([code, { detail }]): CoveragePoint => ({
    section: "refusals",
    name: code,
    how: `expect: { error: ${code} } where: ${detail}`
  })),
  ...moveNames.map((name): CoveragePoint => ({
    section: "moves",
    name,
    how: "make this transition in that state, as that party"
  })),
  ...commands.flatMap(({ noun, command, by }) =>
    noun.states.map((state): CoveragePoint => ({
      section: "attempts",
      name: attemptName(noun, state, command, by),
      how: `call it as ${by === "agent" ? "an agent" : "a person"} in that state; expect acceptance or ${noun.commands?.conflict}`
    }))
  ),
  ...resources.flatMap((noun) =>
    noun.states.map((state): CoveragePoint => ({
      section: "states",
      name: `${noun.name} ${state}`,
      how: `read the ${noun.name} in that state`
    }))
  ),
  ...eventNames.map((name): CoveragePoint => ({
    section: "events",
    name,
    how: "read or export a history with such an event"
  })),
  ...faults.map(({ name, written }): CoveragePoint => ({ section: "faults", name, how: written }))
]

/** The points that a trace covers, with duplicates. */
export const coveredPointsIn = (lines: ReadonlyArray<JsonObject>): ReadonlyArray<CoveredPoint> => {
  const calls = callsIn(lines)
  return [
    ...coveredPoints(
      "operations",
      calls.flatMap(({ outcome, operation }) => (outcome === "accepted" ? (operation ?? []) : []))
    ),
    ...coveredPoints("refusals", [
      // A status without a code is the answer to an unknown operation.
      ...calls.flatMap(({ outcome }) => (outcome === "accepted" || /^\d+$/.test(outcome) ? [] : outcome)),
      ...lines.flatMap(({ kind, refused }) => (kind === "answer" && typeof refused === "string" ? refused : []))
    ]),
    ...coveredPoints("moves", moveNamesIn(lines)),
    ...coveredPoints("attempts", calls.flatMap(attemptOf)),
    ...coveredPoints(
      "states",
      lines.flatMap(({ kind, body }) =>
        kind === "response" || kind === "answer"
          ? resourceStatesIn(body).map(({ noun, state }) => `${noun.name} ${state}`)
          : []
      )
    ),
    ...coveredPoints("events", eventsIn(lines)),
    ...coveredPoints("faults", faultsIn(lines))
  ]
}

/** A refusal for another reason than the state does not cover the state. */
const attemptOf = ({ by, outcome, command }: Call): ReadonlyArray<string> => {
  if (command === undefined || (outcome !== "accepted" && outcome !== command.noun.commands?.conflict)) return []
  return [attemptName(command.noun, command.state, command.command, by)]
}

const attemptName = ({ name }: Resource, state: string, command: string, by: string): string =>
  `${name} ${state} ${command} by ${by === "agent" ? "an agent" : `a ${by}`}`
