import { assert, describe, it } from "@effect/vitest"
import { sha256Hex } from "../../../src/canonical/digest.ts"
import { Projects } from "../../../src/projects/store.ts"
import { documentsInForce } from "../../../simulator/invariants/documents-in-force.ts"
import { MadeUp, put } from "../support/made-up.ts"

const agreed = (version: string) => {
  const documents = [{ kind: "TERMS", version, digest: sha256Hex(`Version ${version}.`) }]
  return put(Projects, {
    projectId: `delivery_${version}`,
    agreement: JSON.stringify({ terms: { legalContext: { documents } } })
  })
}

const changed = (seen: MadeUp) =>
  seen.observes({
    kind: "act",
    actor: "operator",
    operation: "changeLegalDocuments",
    on: undefined,
    input: { documents: [{ kind: "TERMS", version: "2", text: "Version 2." }] }
  })
const world = () => new MadeUp(documentsInForce)
const asks = (seen: MadeUp) => seen.asks("scout", "POST", "/api/agents/v1/projects", {})

describe("agreed under the documents in force", () => {
  it("is broken by an agreement under those of before", () => {
    assert.include(asks(changed(world())).commits("scout", agreed("1")).broken, "not in force")
    assert.isUndefined(asks(changed(world())).commits("scout", agreed("2")).broken)
  })

  it("lets a request that was under way be held against either", () => {
    assert.isUndefined(changed(asks(world())).commits("scout", agreed("1")).broken)
    const answered = changed(asks(world())).answers("scout", 503)
    assert.include(asks(answered).commits("scout", agreed("1")).broken, "not in force")
  })

  it("says nothing before any were changed", () => {
    assert.isUndefined(asks(world()).commits("scout", agreed("1")).broken)
  })
})
