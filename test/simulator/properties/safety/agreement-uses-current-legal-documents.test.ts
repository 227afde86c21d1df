import { assert, describe, it } from "@effect/vitest"
import { canonicalText } from "../../../../src/canonical/jcs.ts"
import { sha256Hex } from "../../../../src/canonical/digest.ts"
import { Projects } from "../../../../src/projects/store.ts"
import { agreementUsesCurrentLegalDocuments } from "../../../../simulator/properties/safety/agreement-uses-current-legal-documents.ts"
import { SyntheticRun, put } from "../../support/synthetic-run.ts"

const agreed = (version: string) => {
  const documents = [{ kind: "TERMS", version, digest: sha256Hex(`Version ${version}.`) }]
  return put(Projects, {
    projectId: `delivery_${version}`,
    agreement: canonicalText({ terms: { legalContext: { documents } } } as never)
  })
}

const changed = (seen: SyntheticRun) =>
  seen.observes({
    kind: "act",
    actor: "operator",
    operation: "changeLegalDocuments",
    on: undefined,
    input: { documents: [{ kind: "TERMS", version: "2", text: "Version 2." }] }
  })
const world = () => new SyntheticRun(agreementUsesCurrentLegalDocuments)
const asks = (seen: SyntheticRun) => seen.asks("scout", "POST", "/api/agents/v1/projects", {})

describe("agreement uses current legal documents", () => {
  it("An agreement under outdated legal documents is a violation", () => {
    assert.include(asks(changed(world())).commits("scout", agreed("1")).violation, "outdated legal documents")
    assert.isUndefined(asks(changed(world())).commits("scout", agreed("2")).violation)
  })

  it("A request in progress during the change of legal documents may use either version", () => {
    assert.isUndefined(changed(asks(world())).commits("scout", agreed("1")).violation)
    const answered = changed(asks(world())).answers("scout", 503)
    assert.include(asks(answered).commits("scout", agreed("1")).violation, "outdated legal documents")
  })

  it("Any legal documents are allowed before the first change", () => {
    assert.isUndefined(asks(world()).commits("scout", agreed("1")).violation)
  })
})
