import { assert, describe, it } from "@effect/vitest"
import { aNoteStopsNobody } from "../../../simulator/invariants/a-note-stops-nobody.ts"
import { Credentials, Grants } from "../../../src/access/store.ts"
import { tokenHash } from "../../../src/vocabulary/token.ts"
import { MadeUp, noon, put } from "../support/made-up.ts"

const token = "token of courier"
const credential = { tokenHash: tokenHash(token), grantId: "grant_1", generation: 1 }

const asked = (firstUsedAt: typeof noon | null = noon) =>
  new MadeUp(aNoteStopsNobody)
    .agent("courier", "grant_1", token)
    .holds(put(Grants, { grantId: "grant_1", generation: 1 }), put(Credentials, { ...credential, firstUsedAt }))
    .asks("courier", "POST", "/api/agents/v1/projects/delivery_1/submit", {})

const struck = (run: MadeUp, table = "credentials") =>
  run.observes({ kind: "fault", actor: "courier", fault: "57014", where: "write", what: [table] })

describe("a note stops nobody", () => {
  it("is broken by 503 after a note that could not be written", () => {
    assert.include(struck(asked()).answers("courier", 503).broken, "could not be noted")
  })

  it("holds where it is answered, and for the first use", () => {
    assert.isUndefined(struck(asked()).answers("courier", 200).broken)
    assert.isUndefined(struck(asked(null)).answers("courier", 503).broken)
  })

  it("holds where something else failed, or another request", () => {
    assert.isUndefined(struck(asked(), "projects").answers("courier", 503).broken)
    assert.isUndefined(struck(struck(asked()), "projects").answers("courier", 503).broken)
    const next = struck(asked()).answers("courier", 200).asks("courier", "POST", "/api/agents/v1/projects/x/submit", {})
    assert.isUndefined(next.answers("courier", 503).broken)
  })
})
