/** Texts of refusals and states of a proposal, with the next step where there is one. */
import { assert, describe, it } from "@effect/vitest"
import { proposalStates } from "../../src/proposals/proposal.ts"
import { refusals, type RefusalCode } from "../../src/vocabulary/refusal-rules.ts"
import { refusal } from "../../src/vocabulary/refusals.ts"
import {
  isProposalOpen,
  hasNextAction,
  nextStepOfRefusal,
  proposalStateLabels,
  proposalBlockedReasonText,
  proposalRefusalText
} from "../../src/workspace/proposals/labels.ts"

/** The refusal codes of readiness, publication, writing and answering. */
const refusalCodes: ReadonlyArray<RefusalCode> = [
  "STATE_CONFLICT",
  "DELIVERY_HISTORY_LIMIT_REACHED",
  "HUMAN_DECISION_REQUIRED",
  "DEADLINE_NOT_FUTURE",
  "SAME_PARTY",
  "UNKNOWN_SUPPLIER",
  "UNKNOWN_SIGNER",
  "UNKNOWN_SPECIFICATION",
  "SPECIFICATION_DIGEST_MISMATCH",
  "REVIEW_CREATION_REQUIREMENTS",
  "LEGAL_DOCUMENTS_CHANGED",
  "CONFIRMATION_DIGEST_STALE",
  "SUBJECT_REQUIREMENTS_NOT_PRESERVED",
  "RECIPIENT_MISMATCH",
  "REQUEST_ID_CONFLICT",
  "PROPOSAL_VERSION_STALE",
  "PROPOSAL_DIGEST_MISMATCH",
  "STALE_PROPOSAL_HEAD"
]

describe("refusals on proposals", () => {
  it.each(refusalCodes)("The refusal %s has its own text for people.", (code) => {
    const text = proposalBlockedReasonText(code)
    assert.notStrictEqual(text, refusals[code].detail)
    assert.notMatch(text, /[A-Z]{2,}_|request|digest of a/)
    assert.match(text, /\.$/)
  })

  it("A refusal with a specific detail shows it, and at most one next step.", () => {
    const paused = refusal("STATE_CONFLICT", { detail: "This side holds no pause.", nextAction: "REREAD_PROPOSAL" })
    assert.strictEqual(proposalRefusalText(paused), "This side holds no pause.")
    assert.strictEqual(nextStepOfRefusal(paused), "Open the proposal again to see its current state.")
    assert.include(proposalRefusalText(refusal("RECIPIENT_MISMATCH")), "Add the contact again")
    assert.isUndefined(nextStepOfRefusal(refusal("RECIPIENT_MISMATCH")))
    const detail = "The recipient has acted on the author's side of this proposal."
    assert.include(proposalRefusalText(refusal("SAME_PARTY", { detail })), "another recipient")
    assert.strictEqual(proposalRefusalText(refusal("DRAFT_CHANGED")), refusals.DRAFT_CHANGED.detail)
    assert.isUndefined(nextStepOfRefusal(refusal("FORBIDDEN", { nextAction: "SOMETHING_ELSE" })))
  })
})

describe("states of proposals", () => {
  it.each(proposalStates)(
    "In the state %s, at most one party has a next action, and none in a final state.",
    (state) => {
      const asked = (["BUYER", "SUPPLIER"] as const).filter((role) => hasNextAction(state, role))
      assert.lengthOf(asked, isProposalOpen(state) ? 1 : 0)
      for (const role of ["BUYER", "SUPPLIER"] as const) assert.match(proposalStateLabels[state][role].meaning, /\.$/)
    }
  )
})
