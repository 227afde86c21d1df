/** Whom an injected fault strikes: the request it is meant for, where it commits, and nothing beside it. */
import { assert, describe, it } from "vitest"
import type { Simulated } from "../../simulator/simulate.ts"
import { agreed, run, seen } from "../support/simulated.ts"

const grant = (agent: string, more: string) =>
  `{ as: dana, do: grantAgent, input: { agent: ${agent}, role: BUYER, actions: [CREATE_PROJECT] }, ${more} }`

const taken = "expect: { status: 201 }"
const failed = "expect: { error: TEMPORARILY_UNAVAILABLE }"
const signedIn = "  - { as: dana, do: signIn }"

const passes = (steps: string): Simulated => {
  const simulated = run(agreed, steps)
  assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
  return simulated
}

const struck = (simulated: Simulated) => seen(simulated, "fault").map(({ actor }) => actor)

describe("a fault for whoever comes next", () => {
  it.each(['database: "57014"', "crash: before-commit"])("passes over what they do without a request (%s)", (fault) => {
    const expected = fault.startsWith("crash") ? "expect: {}" : failed
    const simulated = passes(`  - { inject: { of: dana, ${fault} } }
  - { as: dana, do: grantAgent, input: { agent: zero, role: BUYER, actions: [CREATE_PROJECT] } }
${signedIn}
  - ${grant("one", expected)}
  - ${grant("two", taken)}`)
    assert.deepStrictEqual(struck(simulated), ["dana"])
  })

  it("is told to an operator as the API tells it", () => {
    const simulated = passes(`  - { inject: { of: operator, database: "57014" } }
  - { as: operator, do: grantCredits, input: { organization: harbor, credits: 1, reference: R-1 }, ${failed} }
  - { as: operator, do: grantCredits, input: { organization: harbor, credits: 1, reference: R-2 } }`)
    assert.strictEqual(seen(simulated, "answer").at(-2)?.refused, "TEMPORARILY_UNAVAILABLE")
    assert.strictEqual(struck(simulated).length, 1)
  })
})

describe("a fault of a step", () => {
  it("passes over another request of the same actor meanwhile", () => {
    const simulated = passes(`${signedIn}
  - as: dana
    do: grantAgent
    input: { agent: outer, role: BUYER, actions: [CREATE_PROJECT] }
    inject: { database: "57014" }
    ${failed}
    meanwhile:
      - ${grant("inner", taken)}`)
    assert.strictEqual(struck(simulated).length, 1)
  })

  it("passes over another request of the same actor at once", () => {
    const simulated = passes(`${signedIn}
  - together:
      - ${grant("first", taken)}
      - ${grant("second", `inject: { database: "57014" }, ${failed}`)}`)
    assert.strictEqual(struck(simulated).length, 1)
  })
})

describe("a note that somebody was there", () => {
  const later = `${signedIn}
  - advance: 25m`

  it("of a session is passed over by a fault at the commit", () => {
    const simulated = passes(`${later}
  - ${grant("one", `inject: { database: "57014" }, ${failed}`)}`)
    const [fault] = seen(simulated, "fault")
    assert.isDefined(fault)
    // The note is committed, and only then is the request struck.
    const before = simulated.observations.slice(simulated.observations.findLastIndex(({ kind }) => kind === "step"))
    const notes = seen({ ...simulated, observations: before }, "commit")
    assert.isAbove(notes.length, 0, simulated.story)
  })

  it("of a credential is no commit that a fault of a request that only reads could strike", () => {
    const reading = (inject: string) =>
      run(agreed, `  - advance: 25m\n  - { as: scout, do: me, inject: { ${inject} } }`)
    assert.strictEqual(reading("crash: before-commit").verdict, "UNUSABLE")
    const named = reading("crash: before-commit, in: credentials")
    assert.strictEqual(named.verdict, "PASSED", named.story)
    assert.deepStrictEqual(struck(named), ["scout"])
  })
})
