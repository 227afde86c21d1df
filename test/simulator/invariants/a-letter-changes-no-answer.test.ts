import { assert, describe, it } from "@effect/vitest"
import { Projects } from "../../../src/projects/store.ts"
import { limits } from "../../../src/vocabulary/limits.ts"
import { aLetterChangesNoAnswer } from "../../../simulator/invariants/a-letter-changes-no-answer.ts"
import type { MailServerState } from "../../../simulator/surroundings.ts"
import { MadeUp, put } from "../support/made-up.ts"

const told = (server: MailServerState) =>
  new MadeUp(aLetterChangesNoAnswer)
    .asks("scout", "POST", "/api/agents/v1/projects", { requestId: "1" })
    .commits("scout", put(Projects, { projectId: "delivery_1" }))
    .observes({ kind: "letter", to: "sam@lumen.example", subject: "", text: "", server })

describe("a letter changes no answer", () => {
  it("is broken by an error because the mail server refused", () => {
    assert.include(told("REFUSING").answers("scout", 500).broken, "because a letter could not be sent")
    assert.isUndefined(told("REFUSING").answers("scout", 201, {}).broken)
    assert.isUndefined(told("WORKING").answers("scout", 500).broken)
  })

  it("is broken by whoever waits longer for a silent one than a letter may take", () => {
    assert.isUndefined(told("SILENT").later(limits.mail).answers("scout", 201, {}).broken)
    assert.include(
      told("SILENT")
        .later(limits.mail + 1)
        .answers("scout", 201, {}).broken,
      "waited 3001 ms"
    )
  })

  it("counts no time in which somebody was slow", () => {
    assert.isUndefined(told("SILENT").idles(60_000).answers("scout", 201, {}).broken)
    assert.isDefined(
      told("SILENT")
        .idles(60_000)
        .later(limits.mail + 1)
        .answers("scout", 201, {}).broken
    )
  })

  it("leaves out whoever met a failure of the store, and what is asked for later", () => {
    const fault = { kind: "fault", actor: "scout", fault: "commit-lost-unknown", where: "commit", what: [] } as const
    assert.isUndefined(told("REFUSING").observes(fault).answers("scout", 503).broken)
    const later = told("SILENT").answers("scout", 201, {}).later(60_000).asks("scout", "GET", "/api/agents/v1/me")
    assert.isUndefined(later.answers("scout", 500).broken)
  })
})
