/** The changing environment of the service: identity providers, issuer keys and polling workers. */
import { assert, describe, it } from "vitest"
import { keyPurposes } from "../../../src/ports/signer.ts"
import { agreementPart, runSteps, observationsOf, submitStep } from "../../support/short-scenarios.ts"

const accepted = `${submitStep()}
  - { as: scout, do: readProject, on: "\${project}" }
  - { as: scout, do: review, on: "\${project}", input: { action: ACCEPT, reason: Yes., decisions: [{ criterionId: chart, decision: MET }] }`

describe("identity providers", () => {
  it.each([
    ["DOWN", "TEMPORARILY_UNAVAILABLE"],
    ["DENYING", "SIGN_IN_FAILED"]
  ])("A provider in the state %s refuses sign-ins with %s and ends no session", (state, error) => {
    const simulated = runSteps(
      agreementPart,
      `  - { as: nils, do: signIn }
  - { as: operator, do: setProvider, input: { provider: museum, state: ${state} } }
  - { as: nils, do: readSession }
  - { as: olga, do: signIn, expect: { error: ${error} } }
  - { as: dana, do: signIn }
  - { as: operator, do: setProvider, input: { provider: museum, state: WORKING } }
  - { as: olga, do: signIn }`,
      `{ providers: { museum: { issuer: "https://museum.example.com" } },
         people: { nils: { name: Nils, provider: museum }, olga: { name: Olga, provider: museum } } }`
    )
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
  })
})

describe("issuer keys", () => {
  const ready = (status: number) =>
    `  - { as: probe, send: { method: GET, path: /readyz }, expect: { status: ${status}, body: { checks.keys: ${status === 200} } } }`

  it("The service is not ready without issuer keys, and ready again with them", () => {
    const simulated = runSteps(
      agreementPart,
      `${ready(200)}
  - { as: operator, do: setKeys, input: { purposes: [] } }
${ready(503)}
  - { as: operator, do: setKeys, input: { purposes: [${keyPurposes.join(", ")}] } }
${ready(200)}`,
      "{ visitors: { probe: Load balancer } }"
    )
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
  })

  it("An issuer key of one purpose is not used for another", () => {
    const simulated = runSteps(
      agreementPart,
      `  - { as: dana, do: signIn }
  - { as: operator, do: setKeys, input: { purposes: [RECORD, STATUS] } }
  - { as: dana, do: grantAgent, input: { agent: second, role: BUYER, actions: [CREATE_PROJECT] }, expect: { error: ISSUER_NOT_CONFIGURED } }`
    )
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
    assert.strictEqual(
      observationsOf(simulated, "commit").filter(
        ({ actor, writes }) => actor === "dana" && writes.some(({ table }) => table === "grants")
      ).length,
      0
    )
  })
})

describe("configured workers", () => {
  const issued = (given: string) =>
    runSteps(
      agreementPart,
      `${accepted}, inject: { crash: after-commit } }
  - { as: scout, do: readProject, on: "\${project}", within: 15s, expect: { body: { project.recordIssuance.status: ISSUED } } }`,
      given
    )

  it("A worker polls every fifteen seconds, and a step with within gets the result at that time", () => {
    const simulated = issued("{ worker: [RECORDS] }")
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
    assert.strictEqual(observationsOf(simulated, "verdict")[0]?.at, "2026-11-02T09:00:15.000Z")
  })

  it("A worker runs only its configured tasks", () => {
    assert.strictEqual(issued("{ worker: [CONNECTIONS] }").verdict, "FAILED")
    assert.strictEqual(issued("{}").verdict, "FAILED")
  })
})
