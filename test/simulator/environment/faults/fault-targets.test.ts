/** Targets of injected faults: the commit of the intended request and nothing else. */
import { assert, describe, it } from "vitest"
import type { SimulationResult } from "../../../../simulator/scenario/simulate.ts"
import { agreementPart, runSteps, observationsOf } from "../../../support/short-scenarios.ts"

const grant = (agent: string, more: string) =>
  `{ as: dana, do: grantAgent, input: { agent: ${agent}, role: BUYER, actions: [CREATE_PROJECT] }, ${more} }`

const taken = "expect: { status: 201 }"
const failed = "expect: { error: TEMPORARILY_UNAVAILABLE }"
const signedIn = "  - { as: dana, do: signIn }"

const passes = (steps: string): SimulationResult => {
  const simulated = runSteps(agreementPart, steps)
  assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
  return simulated
}

const faultActors = (simulated: SimulationResult) => observationsOf(simulated, "fault").map(({ actor }) => actor)

describe("faults of an actor", () => {
  it.each(['database: "57014"', "crash: before-commit"])(
    "A fault of an actor skips acts without a request (%s)",
    (fault) => {
      const expected = fault.startsWith("crash") ? "expect: {}" : failed
      const simulated = passes(`  - { inject: { of: dana, ${fault} } }
  - { as: dana, do: grantAgent, input: { agent: zero, role: BUYER, actions: [CREATE_PROJECT] } }
${signedIn}
  - ${grant("one", expected)}
  - ${grant("two", taken)}`)
      assert.deepStrictEqual(faultActors(simulated), ["dana"])
    }
  )

  it("A fault of an operator's act is reported as the API reports it", () => {
    const simulated = passes(`  - { inject: { of: operator, database: "57014" } }
  - { as: operator, do: grantCredits, input: { organization: harbor, credits: 1, reference: R-1 }, ${failed} }
  - { as: operator, do: grantCredits, input: { organization: harbor, credits: 1, reference: R-2 } }`)
    assert.strictEqual(observationsOf(simulated, "answer").at(-2)?.refused, "TEMPORARILY_UNAVAILABLE")
    assert.strictEqual(faultActors(simulated).length, 1)
  })
})

describe("faults of a step", () => {
  it("A fault of a step skips an interleaved request of the same actor", () => {
    const simulated = passes(`${signedIn}
  - as: dana
    do: grantAgent
    input: { agent: outer, role: BUYER, actions: [CREATE_PROJECT] }
    inject: { database: "57014" }
    ${failed}
    meanwhile:
      - ${grant("inner", taken)}`)
    assert.strictEqual(faultActors(simulated).length, 1)
  })

  it("A fault of a step skips a concurrent request of the same actor", () => {
    const simulated = passes(`${signedIn}
  - together:
      - ${grant("first", taken)}
      - ${grant("second", `inject: { database: "57014" }, ${failed}`)}`)
    assert.strictEqual(faultActors(simulated).length, 1)
  })
})

describe("last-used updates", () => {
  const later = `${signedIn}
  - advance: 25m`

  it("A fault at the commit skips the last-used update of a session", () => {
    const simulated = passes(`${later}
  - ${grant("one", `inject: { database: "57014" }, ${failed}`)}`)
    const [fault] = observationsOf(simulated, "fault")
    assert.isDefined(fault)
    // The last-used update is committed before the request fails.
    const before = simulated.observations.slice(simulated.observations.findLastIndex(({ kind }) => kind === "step"))
    const notes = observationsOf({ ...simulated, observations: before }, "commit")
    assert.isAbove(notes.length, 0, simulated.story)
  })

  it("A fault at the commit occurs in the last-used update of a read only if its table is named", () => {
    const reading = (inject: string) =>
      runSteps(agreementPart, `  - advance: 25m\n  - { as: scout, do: me, inject: { ${inject} } }`)
    assert.strictEqual(reading("crash: before-commit").verdict, "UNUSABLE")
    const named = reading("crash: before-commit, in: credentials")
    assert.strictEqual(named.verdict, "PASSED", named.story)
    assert.deepStrictEqual(faultActors(named), ["scout"])
  })
})
