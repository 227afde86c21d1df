import { assert, describe, it } from "@effect/vitest"
import { Projects } from "../../../../src/projects/store.ts"
import { limits } from "../../../../src/vocabulary/limits.ts"
import { emailFailureDoesNotAffectResponse } from "../../../../simulator/properties/safety/email-failure-does-not-affect-response.ts"
import { SyntheticRun, put } from "../../support/synthetic-run.ts"
import type { MailServerState } from "../../../../simulator/vocabulary/states.ts"

const afterEmail = (server: MailServerState) =>
  new SyntheticRun(emailFailureDoesNotAffectResponse)
    .asks("scout", "POST", "/api/agents/v1/projects", { requestId: "1" })
    .commits("scout", put(Projects, { projectId: "delivery_1" }))
    .observes({ kind: "letter", to: "sam@lumen.example", subject: "", text: "", server })

describe("email failure does not affect response", () => {
  it("A 500 after an e-mail that the mail server rejected is a violation", () => {
    assert.include(afterEmail("REFUSING").answers("scout", 500).violation, "because an e-mail could not be sent")
    assert.isUndefined(afterEmail("REFUSING").answers("scout", 201, {}).violation)
    assert.isUndefined(afterEmail("WORKING").answers("scout", 500).violation)
  })

  it("A response that waits for a silent mail server longer than the e-mail time limit is a violation", () => {
    assert.isUndefined(afterEmail("SILENT").later(limits.mail).answers("scout", 201, {}).violation)
    assert.include(
      afterEmail("SILENT")
        .later(limits.mail + 1)
        .answers("scout", 201, {}).violation,
      "waited 3001 ms"
    )
  })

  it("Injected delays of actors do not count towards the e-mail time limit", () => {
    assert.isUndefined(afterEmail("SILENT").delays(60_000).answers("scout", 201, {}).violation)
    assert.isDefined(
      afterEmail("SILENT")
        .delays(60_000)
        .later(limits.mail + 1)
        .answers("scout", 201, {}).violation
    )
  })

  it("Requests with a storage failure and later requests are exempt from the e-mail property", () => {
    const fault = { kind: "fault", actor: "scout", fault: "commit-lost-unknown", where: "commit", what: [] } as const
    assert.isUndefined(afterEmail("REFUSING").observes(fault).answers("scout", 503).violation)
    const later = afterEmail("SILENT").answers("scout", 201, {}).later(60_000).asks("scout", "GET", "/api/agents/v1/me")
    assert.isUndefined(later.answers("scout", 500).violation)
  })
})
