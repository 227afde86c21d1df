/** A small script with a race in it, and invariants that are false in one of its orders. */
import { Result } from "effect"
import { prepare, type Prepared } from "../../../simulator/explore/prepared.ts"
import { search, type Found } from "../../../simulator/explore/search.ts"
import { Exhaustive } from "../../../simulator/explore/strategies/exhaustive.ts"
import { broken, invariant, type Invariant } from "../../../simulator/invariants/invariant.ts"
import { readScenario } from "../../../simulator/script/read.ts"
import type { Scenario } from "../../../simulator/script/scenario.ts"

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
export const neverRefused: Invariant = invariant<boolean>({
  name: "the agent is never refused",
  kind: "always",
  says: "Every request of the agent succeeds.",
  begins: false,
  sees: (isRevoked, { observed, request }) => {
    if (observed.kind === "commit" && observed.actor === "dana" && request !== undefined) {
      return isRevoked || observed.writes.some(({ table }) => table === "grants")
    }
    if (observed.kind !== "response" || observed.actor !== "scout") return isRevoked
    return isRevoked && observed.status === 401 ? broken("the agent was refused") : isRevoked
  }
})

export const read = (text: string): Scenario => Result.getOrThrow(readScenario("race.yaml", text))

/** The finding of a search in a script. */
export const findIn = (text: string, invariants: ReadonlyArray<Invariant>): { prepared: Prepared; found: Found } => {
  const prepared = prepare(read(text))
  const { found } = search(prepared, { invariants, strategies: [[new Exhaustive(), 300]] })
  if (found === undefined) throw new Error("the search has no finding")
  return { prepared, found }
}

/** Violated by the loss of an answer to the agent. */
export const losesItsAnswer: Invariant = invariant<null>({
  name: "no answer is lost",
  kind: "always",
  says: "Every answer arrives.",
  begins: null,
  sees: (_, { observed }) =>
    observed.kind === "response" && observed.lost ? broken("the answer to the agent was lost") : null
})
