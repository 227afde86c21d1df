import { assert, describe, it } from "@effect/vitest"
import { decide } from "../../src/projects/decide.ts"
import { addMilliseconds } from "../../src/vocabulary/instant.ts"
import {
  acceptanceSignBy,
  agreementSignBy,
  deadline,
  decisionInputAt,
  outcomeOf,
  preparedFor,
  projectIn,
  reviewDeadline,
  withSignatures,
  usualCaller
} from "../support/project.ts"
import { acceptance, commandFor, type CommandName } from "../support/project-commands.ts"
import { agent, dana, sam } from "../support/project-people.ts"
import type { State } from "../../src/projects/project.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"

interface DeadlineCase {
  readonly name: CommandName
  readonly state: State
  readonly date: Instant
  readonly code: string
}

const deadlineCases: ReadonlyArray<DeadlineCase> = [
  { name: "RESPOND_ACCEPT", state: "AWAITING_SUPPLIER", date: deadline, code: "DELIVERY_DEADLINE_PASSED" },
  { name: "SIGN_AGREEMENT", state: "LOCKED", date: agreementSignBy, code: "SIGNATURE_DATE_PASSED" },
  { name: "SUBMIT", state: "LOCKED", date: deadline, code: "DELIVERY_DEADLINE_PASSED" },
  { name: "SUBMIT", state: "CHANGES_REQUESTED", date: reviewDeadline, code: "DELIVERY_DEADLINE_PASSED" },
  { name: "SUBMIT", state: "AWAITING_EVIDENCE", date: reviewDeadline, code: "DELIVERY_DEADLINE_PASSED" },
  { name: "REVIEW_REQUEST_CHANGES", state: "SUBMITTED", date: reviewDeadline, code: "REVIEW_DEADLINE_PASSED" },
  { name: "REVIEW_REQUEST_EVIDENCE", state: "SUBMITTED", date: reviewDeadline, code: "REVIEW_DEADLINE_PASSED" },
  { name: "REVIEW_ACCEPT", state: "SUBMITTED", date: reviewDeadline, code: "REVIEW_DEADLINE_PASSED" },
  { name: "REVIEW_REJECT", state: "SUBMITTED", date: reviewDeadline, code: "REVIEW_DEADLINE_PASSED" }
]

const decided = (name: CommandName, state: State, now: Instant) => {
  const project = preparedFor(name, state)
  const command = commandFor[name](project)
  return decide(project, command, decisionInputAt(now, usualCaller(command)))
}

describe("inclusive deadlines", () => {
  it.each(deadlineCases)("$name in $state is accepted at exactly $date", ({ name, state, date }) => {
    assert.strictEqual(outcomeOf(decided(name, state, date)), "ACCEPTED")
  })

  it.each(deadlineCases)(
    "$name in $state is refused with $code one millisecond after $date",
    ({ name, state, date, code }) => {
      const late = decided(name, state, addMilliseconds(date, 1))
      assert.strictEqual(outcomeOf(late), code)
      assert.strictEqual("failure" in late && late.failure.facts.dueAt, date)
    }
  )

  it("A signed acceptance has its own earlier deadline.", () => {
    for (const method of ["NATIVE", "EXTERNAL"] as const) {
      const project = withSignatures(projectIn("SUBMITTED"), method)
      const accept = (now: Instant, by = dana) => decide(project, acceptance(project), decisionInputAt(now, by))
      assert.strictEqual(outcomeOf(accept(acceptanceSignBy)), "ACCEPTED")
      const late = accept(addMilliseconds(acceptanceSignBy, 1))
      assert.strictEqual(outcomeOf(late), "SIGNATURE_DATE_PASSED")
      assert.strictEqual("failure" in late && late.failure.facts.dueAt, acceptanceSignBy)
      // The passed deadline is reported before the missing person.
      const ofAgent = accept(addMilliseconds(acceptanceSignBy, 1), agent(dana))
      assert.strictEqual(outcomeOf(ofAgent), "SIGNATURE_DATE_PASSED")
      assert.strictEqual(outcomeOf(accept(addMilliseconds(reviewDeadline, 1))), "REVIEW_DEADLINE_PASSED")
    }
  })
})

it("Terms cannot be accepted after the deadline for signing them.", () => {
  const project = withSignatures(projectIn("AWAITING_SUPPLIER"), "NATIVE")
  const answer = (now: Instant, name: CommandName = "RESPOND_ACCEPT") =>
    decide(project, commandFor[name](project), decisionInputAt(now, agent(sam)))
  assert.strictEqual(outcomeOf(answer(agreementSignBy)), "ACCEPTED")
  const late = answer(addMilliseconds(agreementSignBy, 1))
  assert.strictEqual(outcomeOf(late), "SIGNATURE_DATE_PASSED")
  assert.strictEqual("failure" in late && late.failure.facts.dueAt, agreementSignBy)
  assert.strictEqual(outcomeOf(answer(addMilliseconds(deadline, 1))), "DELIVERY_DEADLINE_PASSED")
  assert.strictEqual(outcomeOf(answer(addMilliseconds(agreementSignBy, 1), "RESPOND_DECLINE")), "ACCEPTED")
})

it("After the deadline for signing, a submission is refused with SIGNATURE_DATE_PASSED instead of WAIT_FOR_HUMAN.", () => {
  const project = withSignatures(projectIn("LOCKED"), "NATIVE")
  const submit = (now: Instant) =>
    outcomeOf(decide(project, commandFor.SUBMIT(project), decisionInputAt(now, agent(sam))))
  assert.strictEqual(submit(agreementSignBy), "WAIT_FOR_HUMAN")
  assert.strictEqual(submit(addMilliseconds(agreementSignBy, 1)), "SIGNATURE_DATE_PASSED")
})

const withoutDeadline: ReadonlyArray<readonly [CommandName, State]> = [
  ["RESPOND_REQUEST_CHANGES", "AWAITING_SUPPLIER"],
  ["RESPOND_DECLINE", "AWAITING_SUPPLIER"],
  ["ISSUE", "BUYER_CONFIRMED"],
  ["HOLD_DELIVERY", "LOCKED"],
  ["HOLD_REVIEW", "SUBMITTED"],
  ["LIFT_HOLD", "CHANGES_REQUESTED"],
  ["CONCERN", "BUYER_CONFIRMED"],
  ["DISMISS_CONCERN", "CONFIRMATION_CONTESTED"],
  ["UPHOLD_CONCERN", "CONFIRMATION_CONTESTED"],
  ["WITHDRAW_CONFIRMATION", "BUYER_CONFIRMED"],
  ["CHANGE_REPRESENTATIVE", "SUBMITTED"],
  ["HANDOFF", "LOCKED"]
]

it.each(withoutDeadline)("%s in %s has no deadline.", (name, state) => {
  assert.strictEqual(outcomeOf(decided(name, state, addMilliseconds(reviewDeadline, 1))), "ACCEPTED")
})
