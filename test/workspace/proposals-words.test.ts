/** What can stand in the way of a proposal is said in words, with what to do where a person can do something. */
import { assert, describe, it } from "@effect/vitest"
import { proposalStates } from "../../src/proposals/proposal.ts"
import { refusals, type RefusalCode } from "../../src/vocabulary/refusal-rules.ts"
import { refusal } from "../../src/vocabulary/refusals.ts"
import {
  isProposalOpen,
  isStepOf,
  nextOfRefused,
  proposalStateWords,
  sayProposalBlocked,
  sayProposalRefused
} from "../../src/workspace/proposal-words.ts"

/** Those that readiness, publishing, writing or answering can name. */
const told: ReadonlyArray<RefusalCode> = [
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

describe("a refusal on a proposal", () => {
  it.each(told)("%s is said to a person, and not as to a program", (code) => {
    const said = sayProposalBlocked(code)
    assert.notStrictEqual(said, refusals[code].detail)
    assert.notMatch(said, /[A-Z]{2,}_|request|digest of a/)
    assert.match(said, /\.$/)
  })

  it("says more than its code where it knows more, and leaves the next step to what names one", () => {
    const paused = refusal("STATE_CONFLICT", { detail: "This side holds no pause.", nextAction: "REREAD_PROPOSAL" })
    assert.strictEqual(sayProposalRefused(paused), "This side holds no pause.")
    assert.strictEqual(nextOfRefused(paused), "Open the proposal again to see how it stands now.")
    assert.include(sayProposalRefused(refusal("RECIPIENT_MISMATCH")), "Put the contact there again")
    assert.isUndefined(nextOfRefused(refusal("RECIPIENT_MISMATCH")))
    const detail = "The recipient has acted on the author's side of this proposal."
    assert.include(sayProposalRefused(refusal("SAME_PARTY", { detail })), "somebody else")
    assert.strictEqual(sayProposalRefused(refusal("DRAFT_CHANGED")), refusals.DRAFT_CHANGED.detail)
    assert.isUndefined(nextOfRefused(refusal("FORBIDDEN", { nextAction: "SOMETHING_ELSE" })))
  })
})

describe("a state of a proposal", () => {
  it.each(proposalStates)("%s asks at most one side for a step, and none once it has ended", (state) => {
    const asked = (["BUYER", "SUPPLIER"] as const).filter((role) => isStepOf(state, role))
    assert.lengthOf(asked, isProposalOpen(state) ? 1 : 0)
    for (const role of ["BUYER", "SUPPLIER"] as const) assert.match(proposalStateWords[state][role].meaning, /\.$/)
  })
})
