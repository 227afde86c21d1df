/** A small script with a race in it, and properties that are violated in one of its orders. */
import { Result } from "effect"
import { prepareSearchRoot, type SearchRoot } from "../../../simulator/search/search-root.ts"
import { search, type SearchFinding } from "../../../simulator/search/search.ts"
import { DepthFirstSearch } from "../../../simulator/search/strategies/depth-first.ts"
import { violation, monitoredProperty, type MonitoredProperty } from "../../../simulator/properties/property.ts"
import { readScenario } from "../../../simulator/scenario/format/read.ts"
import type { Scenario } from "../../../simulator/scenario/format/scenario.ts"

export const race = `scenario: Asked beside a revocation
given:
  organizations: { harbor: Harbor Museum }
  people:
    dana: { name: Dana Okafor, member: { harbor: [DELEGATE, AGREEMENT_CREATE] } }
  agents:
    scout: { for: dana, role: BUYER, actions: [CREATE_PROJECT] }
  visitors: { iris: A visitor }
steps:
  - { as: iris, do: capabilities }
  - { as: dana, do: signIn }
  - { as: iris, do: me, expect: { error: AUTH_INVALID } }
  - { advance: 5m }
  - explore:
      exhaustive: true
      faults: [{ of: scout, lost: answer }]
  - { as: iris, do: capabilities }
  - together:
      - { as: scout, do: me }
      - { as: iris, do: capabilities }
      - { as: dana, do: revokeGrant, input: { agent: scout } }
  - { advance: 1h }
`

/** Violated if the revocation by Dana is committed first. */
export const neverRefused: MonitoredProperty = monitoredProperty<boolean>({
  name: "the agent is never refused",
  kind: "always",
  says: "Every request of the agent succeeds.",
  initial: false,
  next: (isRevoked, { observed, request }) => {
    if (observed.kind === "commit" && observed.actor === "dana" && request !== undefined) {
      return isRevoked || observed.writes.some(({ table }) => table === "grants")
    }
    if (observed.kind !== "response" || observed.actor !== "scout") return isRevoked
    return isRevoked && observed.status === 401 ? violation("the agent was refused") : isRevoked
  }
})

export const read = (text: string): Scenario => Result.getOrThrow(readScenario("race.yaml", text))

/** The finding of a search in a script. */
export const searchRace = (
  text: string,
  properties: ReadonlyArray<MonitoredProperty>
): { root: SearchRoot; found: SearchFinding } => {
  const root = prepareSearchRoot(read(text))
  const { found } = search(root, { properties, strategies: [[new DepthFirstSearch(), 300]] })
  if (found === undefined) throw new Error("the search has no finding")
  return { root, found }
}

/** Violated by the loss of an answer to the agent. */
export const noAnswerIsLost: MonitoredProperty = monitoredProperty<null>({
  name: "no answer is lost",
  kind: "always",
  says: "Every answer arrives.",
  initial: null,
  next: (_, { observed }) =>
    observed.kind === "response" && observed.lost ? violation("the answer to the agent was lost") : null
})
