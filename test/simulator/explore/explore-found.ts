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

/** False where the revocation, which Dana asks for herself, is committed first. */
export const neverRefused: Invariant = invariant<boolean>({
  name: "the agent is never refused",
  kind: "always",
  says: "Whatever the agent asks for, it gets.",
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

/** What a search finds in a script. */
export const findIn = (text: string, invariants: ReadonlyArray<Invariant>): { prepared: Prepared; found: Found } => {
  const prepared = prepare(read(text))
  const { found } = search(prepared, { invariants, strategies: [[new Exhaustive(), 300]] })
  if (found === undefined) throw new Error("nothing was found")
  return { prepared, found }
}

/** False once an answer to the agent is lost. */
export const losesItsAnswer: Invariant = invariant<null>({
  name: "no answer is lost",
  kind: "always",
  says: "Whoever is answered gets to know it.",
  begins: null,
  sees: (_, { observed }) =>
    observed.kind === "response" && observed.lost ? broken("the answer to the agent was lost") : null
})
