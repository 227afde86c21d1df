/** The steps of a project, in every state of an agreement. */
import { assert, describe, it } from "@effect/vitest"
import { states, type Project, type State } from "../../src/projects/project.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import { stepsOf, type StepStatus } from "../../src/workspace/projects/steps.ts"
import {
  afterCommand,
  applyEvent,
  dayOne,
  issuedEvent,
  personOf,
  projectIn,
  supersede,
  walkTo,
  withSignatures
} from "../support/project.ts"
import { commandFor } from "../support/project-commands.ts"

const letters: { readonly [S in StepStatus]: string } = {
  DONE: "done",
  CURRENT: "now",
  AHEAD: "later",
  STOPPED: "ended here",
  UNREACHED: "never"
}

const read = (project: Project, order?: Parameters<typeof stepsOf>[1]): string =>
  stepsOf(project, order)
    .map(({ status }) => letters[status])
    .join(", ")

const withRecord = (project: Project): Project => applyEvent(project, issuedEvent(project), personOf("BUYER"))

/** Agreed, delivered, decided, recorded. */
const stepsInState: { readonly [S in State]: string } = {
  AWAITING_SUPPLIER: "now, later, later, later",
  LOCKED: "done, now, later, later",
  SUBMITTED: "done, done, now, later",
  CHANGES_REQUESTED: "done, now, later, later",
  AWAITING_EVIDENCE: "done, now, later, later",
  AGREEMENT_CHANGES_REQUESTED: "now, later, later, later",
  SUPPLIER_DECLINED: "ended here, never, never, never",
  BUYER_REJECTED: "done, done, ended here, never",
  BUYER_CONFIRMED: "done, done, done, now",
  CONFIRMATION_CONTESTED: "done, done, now, later",
  CONFIRMATION_WITHDRAWN: "done, done, ended here, never",
  SUPERSEDED: "done, ended here, never, never"
}

describe("the steps of a project", () => {
  it.each(states)("In the state %s, each step has the status of the decision table.", (state) => {
    assert.strictEqual(read(projectIn(state)), stepsInState[state])
  })

  it("A step that is done has the time of the newest event that completed it, and no other step has a time.", () => {
    const times = stepsOf(projectIn("SUBMITTED")).map(({ doneAt }) => doneAt)
    assert.deepStrictEqual(times, [dayOne, dayOne, null, null])
  })

  it("An agreement that is to be signed counts as agreed once both parties have signed it.", () => {
    const unsigned = withSignatures(projectIn("LOCKED"), "NATIVE")
    assert.strictEqual(read(unsigned), "now, later, later, later")
    const signatures = (["BUYER", "SUPPLIER"] as const).map((party) => ({
      subject: "AGREEMENT" as const,
      party,
      signature: { method: "NATIVE" as const, personId: "person", digest: "digest", statement: "I sign." },
      occurredAt: dayOne
    }))
    assert.strictEqual(read({ ...unsigned, signatures: signatures.slice(0, 1) }), "now, later, later, later")
    assert.strictEqual(read({ ...unsigned, signatures }), "done, now, later, later")
    const later = signatures.map((one, at) => (at === 1 ? { ...one, occurredAt: addMilliseconds(dayOne, 1000) } : one))
    assert.strictEqual(
      stepsOf({ ...unsigned, signatures: later })[0]!.doneAt,
      addMilliseconds(dayOne, 1000),
      "agreed when the second party signed"
    )
  })

  it("A dismissed concern leaves the decision done as of the acceptance.", () => {
    const contested = projectIn("CONFIRMATION_CONTESTED")
    assert.strictEqual(read(afterCommand(contested, commandFor.DISMISS_CONCERN(contested))), "done, done, done, now")
  })

  it("A second delivery and its acceptance complete their steps again.", () => {
    const corrected = walkTo("RESPOND_ACCEPT", "SUBMIT", "REVIEW_REQUEST_CHANGES", "SUBMIT", "REVIEW_ACCEPT")
    assert.strictEqual(read(corrected), "done, done, done, now")
  })

  it("A record stays done when its acceptance is withdrawn, and when another agreement supersedes this one.", () => {
    const recorded = withRecord(projectIn("BUYER_CONFIRMED"))
    assert.strictEqual(read(recorded), "done, done, done, done")
    assert.strictEqual(read(supersede(recorded)), "done, done, done, done")
    const withdrawn = afterCommand(recorded, commandFor.WITHDRAW_CONFIRMATION(recorded))
    assert.strictEqual(read(withdrawn), "done, done, ended here, done")
  })

  it("The payment is a step only where a Result Order is in force, and done once the order is paid.", () => {
    const recorded = withRecord(projectIn("BUYER_CONFIRMED"))
    for (const order of ["OFFERED", "APPROVED", "PAYING"] as const) {
      assert.strictEqual(read(recorded, order), "done, done, done, done, now")
    }
    assert.strictEqual(read(recorded, "PAID"), "done, done, done, done, done")
    assert.lengthOf(stepsOf(recorded), 4)
  })
})
