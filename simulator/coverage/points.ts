/** All coverage points, derived from the service's definitions, so that a new definition is missing until covered. */
import { refusals } from "../../src/vocabulary/refusal-rules.ts"
import { faults, faultsSeenIn } from "../faults/catalogue.ts"
import type { JsonObject } from "../script/json.ts"
import { callsIn, type Call } from "./calls.ts"
import { eventNames, eventsIn } from "./events.ts"
import { moveNames, moveNamesIn } from "./moves.ts"
import { nouns, type Noun } from "./nouns.ts"
import { touched, type Point, type Touch } from "./point.ts"
import { commands, routes } from "./routes.ts"
import { shownIn } from "./shown-states.ts"

export const points = (): ReadonlyArray<Point> => [
  ...routes.map(({ operation, method, path }): Point => ({
    section: "operations",
    name: operation,
    how: `do: ${operation}, which calls ${method} ${path}`
  })),
  ...Object.entries(refusals).map(([code, { detail }]): Point => ({
    section: "refusals",
    name: code,
    how: `expect: { error: ${code} } where: ${detail}`
  })),
  ...moveNames.map((name): Point => ({
    section: "moves",
    name,
    how: "make this transition in that state, as that party"
  })),
  ...commands.flatMap(({ noun, command, by }) =>
    noun.states.map((state): Point => ({
      section: "attempts",
      name: attemptName(noun, state, command, by),
      how: `call it as ${by === "agent" ? "an agent" : "a person"} in that state; expect acceptance or ${noun.commands?.conflict}`
    }))
  ),
  ...nouns.flatMap((noun) =>
    noun.states.map((state): Point => ({
      section: "states",
      name: `${noun.name} ${state}`,
      how: `read the ${noun.name} in that state`
    }))
  ),
  ...eventNames.map((name): Point => ({ section: "events", name, how: "read or export a history with such an event" })),
  ...faults.map(({ name, written }): Point => ({ section: "faults", name, how: written }))
]

/** The points that a trace covers, with duplicates. */
export const touchesIn = (lines: ReadonlyArray<JsonObject>): ReadonlyArray<Touch> => {
  const calls = callsIn(lines)
  return [
    ...touched(
      "operations",
      calls.flatMap(({ outcome, operation }) => (outcome === "accepted" ? (operation ?? []) : []))
    ),
    ...touched("refusals", [
      // A status without a code is the answer to an unknown operation.
      ...calls.flatMap(({ outcome }) => (outcome === "accepted" || /^\d+$/.test(outcome) ? [] : outcome)),
      ...lines.flatMap(({ kind, refused }) => (kind === "answer" && typeof refused === "string" ? refused : []))
    ]),
    ...touched("moves", moveNamesIn(lines)),
    ...touched("attempts", calls.flatMap(attemptOf)),
    ...touched(
      "states",
      lines.flatMap(({ kind, body }) =>
        kind === "response" || kind === "answer" ? shownIn(body).map(({ noun, state }) => `${noun.name} ${state}`) : []
      )
    ),
    ...touched("events", eventsIn(lines)),
    ...touched("faults", faultsSeenIn(lines))
  ]
}

/** A refusal for another reason than the state does not cover the state. */
const attemptOf = ({ by, outcome, command }: Call): ReadonlyArray<string> => {
  if (command === undefined || (outcome !== "accepted" && outcome !== command.noun.commands?.conflict)) return []
  return [attemptName(command.noun, command.state, command.command, by)]
}

const attemptName = ({ name }: Noun, state: string, command: string, by: string): string =>
  `${name} ${state} ${command} by ${by === "agent" ? "an agent" : `a ${by}`}`
