import { assert, describe, it } from "@effect/vitest"
import { lastUsedUpdateIsBestEffort } from "../../../../simulator/properties/safety/last-used-update-is-best-effort.ts"
import { Credentials, Grants } from "../../../../src/access/store.ts"
import { tokenHash } from "../../../../src/vocabulary/token.ts"
import { SyntheticRun, noon, put } from "../../support/synthetic-run.ts"

const token = "token of courier"
const credential = { tokenHash: tokenHash(token), grantId: "grant_1", generation: 1 }

const requested = (firstUsedAt: typeof noon | null = noon) =>
  new SyntheticRun(lastUsedUpdateIsBestEffort)
    .agent("courier", "grant_1", token)
    .holds(put(Grants, { grantId: "grant_1", generation: 1 }), put(Credentials, { ...credential, firstUsedAt }))
    .asks("courier", "POST", "/api/agents/v1/projects/delivery_1/submit", {})

const withFault = (run: SyntheticRun, table = "credentials") =>
  run.observes({ kind: "fault", actor: "courier", fault: "57014", where: "write", what: [table] })

describe("last-used update is best-effort", () => {
  it("A 503 because of a failed last-used update is a violation", () => {
    assert.include(withFault(requested()).answers("courier", 503).violation, "could not be updated")
  })

  it("A successful response, and a 503 for the first use of a credential, are allowed", () => {
    assert.isUndefined(withFault(requested()).answers("courier", 200).violation)
    assert.isUndefined(withFault(requested(null)).answers("courier", 503).violation)
  })

  it("A 503 is allowed after another write failed, and for a later request", () => {
    assert.isUndefined(withFault(requested(), "projects").answers("courier", 503).violation)
    assert.isUndefined(withFault(withFault(requested()), "projects").answers("courier", 503).violation)
    const next = withFault(requested())
      .answers("courier", 200)
      .asks("courier", "POST", "/api/agents/v1/projects/x/submit", {})
    assert.isUndefined(next.answers("courier", 503).violation)
  })
})
