import { assert, describe, it } from "@effect/vitest"
import type { Role } from "../../src/access/actions.ts"
import type { HintContext } from "../../src/projects/hints.ts"
import { nextActionFor } from "../../src/projects/next-action.ts"
import { noRelatedFacts } from "../../src/projects/guard-context.ts"
import type { Project, State } from "../../src/projects/project.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import {
  afterCommand,
  agreementSignBy,
  dayOne,
  deadline,
  withDateRevision,
  projectIn,
  reviewDeadline,
  withSignatures
} from "../support/project.ts"
import { commandFor, sign } from "../support/project-commands.ts"
import { dana, sam } from "../support/project-people.ts"

const next = (project: Project, side: Role = "BUYER", changes: Partial<HintContext> = {}) => {
  const usual = { isIssuanceRequested: false, relatedFacts: noRelatedFacts, now: dayOne } satisfies Partial<HintContext>
  return nextActionFor({ project, ...usual, ...changes }, side)
}

/** The reason of each state, the same for both parties. */
const reasons: ReadonlyArray<readonly [State, string]> = [
  ["AWAITING_SUPPLIER", "The named supplier answers the exact terms."],
  ["LOCKED", "The terms are agreed; materials are awaited."],
  ["CHANGES_REQUESTED", "The buyer asked for changes."],
  ["AWAITING_EVIDENCE", "The buyer asked for evidence."],
  ["SUBMITTED", "The buyer decides this submission."],
  ["AGREEMENT_CHANGES_REQUESTED", "The supplier asked for other terms; people renegotiate."],
  ["BUYER_CONFIRMED", "The acceptance is recorded; its record can be issued."],
  ["CONFIRMATION_CONTESTED", "A concern pauses reliance on the confirmation."],
  ["SUPPLIER_DECLINED", "Nothing more happens under this agreement."],
  ["BUYER_REJECTED", "Nothing more happens under this agreement."],
  ["CONFIRMATION_WITHDRAWN", "Nothing more happens under this agreement."],
  ["SUPERSEDED", "Nothing more happens under this agreement."]
]

describe("the next action", () => {
  it.each(reasons)("The reason of the next action in %s is: %s", (state, reason) => {
    for (const side of ["BUYER", "SUPPLIER"] as const) assert.strictEqual(next(projectIn(state), side).reason, reason)
  })

  it("During a hold the next action is the buyer's in every state.", () => {
    for (const [state, purpose, noun] of [
      ["LOCKED", "DELIVERY", "delivery"],
      ["SUBMITTED", "REVIEW", "review"]
    ] as const) {
      const action = next(withDateRevision(projectIn(state), purpose), "SUPPLIER")
      assert.deepInclude(action, {
        party: "BUYER",
        viewer: "WAITING",
        action: "REVISE_OR_LIFT_HOLD",
        agentAction: null,
        dueAt: null,
        reason: `Another date for the ${noun} was asked for; people revise the terms or lift the hold.`
      })
    }
  })

  it("The next action without a named supplier is to invite one.", () => {
    const project = { ...projectIn("AWAITING_SUPPLIER"), supplier: { actorId: null, organizationId: null } }
    assert.deepInclude(next(project), {
      party: "BUYER",
      viewer: "NEEDS_YOU",
      action: "INVITE_SUPPLIER",
      agentAction: null,
      dueAt: deadline,
      reason: "No person is named as the supplier yet; a person of the buyer's side invites one."
    })
  })

  it("The next action is the missing signature, the buyer's first, and then the submission.", () => {
    const locked = withSignatures(projectIn("LOCKED"), "NATIVE")
    const signing = {
      action: "SIGN_AGREEMENT",
      agentAction: null,
      dueAt: agreementSignBy,
      reason: "The agreement is signed by both sides before anything is delivered."
    }
    assert.deepInclude(next(locked), { ...signing, party: "BUYER" })
    const byDana = afterCommand(locked, sign(locked), dayOne, dana)
    assert.deepInclude(next(byDana), { ...signing, party: "SUPPLIER" })
    const bySam = afterCommand(locked, sign(locked), dayOne, sam)
    assert.deepInclude(next(bySam), { ...signing, party: "BUYER" })
    const both = afterCommand(byDana, sign(byDana), dayOne, sam)
    assert.deepInclude(next(both), { action: "SUBMIT", party: "SUPPLIER", dueAt: deadline })
  })

  it("The next action after the deadline for signing is to revise the agreement.", () => {
    const locked = withSignatures(projectIn("LOCKED"), "NATIVE")
    assert.strictEqual(next(locked, "BUYER", { now: agreementSignBy }).action, "SIGN_AGREEMENT")
    assert.deepInclude(next(locked, "BUYER", { now: addMilliseconds(agreementSignBy, 1) }), {
      party: "BUYER",
      action: "REVISE_AGREEMENT",
      agentAction: null,
      dueAt: null,
      reason: "The date by which the agreement was to be signed has passed; people revise it."
    })
  })

  it.each([
    [
      "AWAITING_SUPPLIER",
      deadline,
      "RESPOND",
      "The date for the delivery passed before the terms were agreed on; people revise it."
    ],
    ["LOCKED", deadline, "SUBMIT", "The date for this delivery has passed; people revise it."],
    ["CHANGES_REQUESTED", reviewDeadline, "SUBMIT", "The date for this delivery has passed; people revise it."],
    ["AWAITING_EVIDENCE", reviewDeadline, "SUBMIT", "The date for this delivery has passed; people revise it."],
    ["SUBMITTED", reviewDeadline, "REVIEW", "The date for this review has passed; people revise it."]
  ] as const)("The next action in %s after %s is the buyer's revision.", (state, date, before, reason) => {
    const project = projectIn(state)
    assert.strictEqual(next(project, "BUYER", { now: date }).action, before)
    const now = addMilliseconds(date, 1)
    const revision = { party: "BUYER", action: "REVISE_AGREEMENT", agentAction: null, dueAt: null, reason } as const
    assert.deepInclude(next(project, "BUYER", { now }), revision)
  })

  it("The next action of a revision whose agreed project has another representative is to name that person.", () => {
    const relatedFacts = { ...noRelatedFacts, isRepresentedByAnother: true }
    assert.deepInclude(next(projectIn("AWAITING_SUPPLIER"), "SUPPLIER", { relatedFacts }), {
      party: "SUPPLIER",
      action: "CHANGE_REPRESENTATIVE",
      agentAction: null,
      dueAt: deadline,
      reason: "The agreed project has another representative now; the supplier names that person here too."
    })
  })

  it("The next action after an acceptance is to issue the record, then to wait for it, then none.", () => {
    const confirmed = projectIn("BUYER_CONFIRMED")
    assert.deepInclude(next(confirmed), { action: "ISSUE_RECORD", agentAction: "ISSUE_RESULT_RECORD", dueAt: null })
    assert.deepInclude(next(confirmed, "BUYER", { isIssuanceRequested: true }), {
      party: "NONE",
      viewer: "NONE",
      action: "WAIT_FOR_RECORD",
      agentAction: null,
      dueAt: null,
      reason: "The record was asked for; it is issued once a result credit covers it."
    })
    const recorded = afterCommand(confirmed, commandFor.ISSUE(confirmed))
    assert.deepInclude(next(recorded), {
      party: "NONE",
      viewer: "NONE",
      action: "NONE",
      reason: "The record was issued."
    })
  })
})
