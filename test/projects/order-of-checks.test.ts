import { assert, describe, it } from "@effect/vitest"
import { decide, type Command } from "../../src/projects/decide.ts"
import type { Project, State } from "../../src/projects/project.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import {
  dayOne,
  decisionInputAt,
  withReservedDecisions,
  outcomeOf,
  projectIn,
  usualCaller
} from "../support/project.ts"
import { issueRecord, respond, review, submit } from "../support/project-commands.ts"
import { digestOfCharacter, uuidOf } from "../support/project-people.ts"

interface Case {
  readonly project: Project
  readonly command: Command
  readonly now: Instant
}

/** One fault of a command and its refusal if no earlier check fails. */
interface Fault {
  readonly code: string
  readonly spoil: (current: Case) => Case
}

const withInput = (current: Case, changes: object): Case => ({
  ...current,
  command: { ...current.command, input: { ...current.command.input, ...changes } } as Command
})

const otherAgreement: Fault = {
  code: "AGREEMENT_DIGEST_MISMATCH",
  spoil: (current) => withInput(current, { agreementDigest: digestOfCharacter("0") })
}
const otherState: Fault = {
  code: "STATE_CONFLICT",
  spoil: (current) => ({ ...current, project: { ...current.project, state: "SUPERSEDED" } })
}
const tooLate = (code: string): Fault => ({
  code,
  spoil: (current) => ({ ...current, now: "2030-01-01T00:00:00.000Z" as Instant })
})
const otherSubmission: Fault = {
  code: "SUBMISSION_MISMATCH",
  spoil: (current) =>
    withInput(current, {
      [current.command.kind === "SUBMIT" ? "previousSubmissionId" : "submissionId"]: `submission_${uuidOf(9)}`
    })
}
const criteriaMissing: Fault = {
  code: "CRITERIA_INCOMPLETE",
  spoil: (current) => withInput(current, { [current.command.kind === "SUBMIT" ? "items" : "decisions"]: [] })
}
const filesUnchecked: Fault = {
  code: "CHECKED_FILES_MISMATCH",
  spoil: (current) => withInput(current, { checkedFiles: [] })
}
const otherConfirmation: Fault = {
  code: "CONFIRMATION_MISMATCH",
  spoil: (current) => withInput(current, { confirmationId: `confirmation_${uuidOf(9)}` })
}
const keptForPeople: Fault = {
  code: "HUMAN_DECISION_REQUIRED",
  spoil: (current) => ({ ...current, project: withReservedDecisions(current.project, "RESPOND", "ACCEPT", "ISSUE") })
}
const unconfirmed: Fault = {
  code: "CONFIRMATION_DIGEST_STALE",
  spoil: (current) => withInput(current, { confirmationDigest: digestOfCharacter("0") })
}

interface Order {
  readonly name: string
  readonly valid: () => Case
  readonly faults: ReadonlyArray<Fault>
}

const at = (state: State, command: (project: Project) => Command) => (): Case => {
  const project = projectIn(state)
  return { project, command: command(project), now: dayOne }
}

const orders: ReadonlyArray<Order> = [
  {
    name: "respond",
    valid: at("AWAITING_SUPPLIER", (project) => respond(project, "ACCEPT")),
    faults: [otherAgreement, otherState, tooLate("DELIVERY_DEADLINE_PASSED"), keptForPeople, unconfirmed]
  },
  {
    name: "submit",
    valid: at("LOCKED", (project) => submit(project)),
    faults: [otherAgreement, otherState, tooLate("DELIVERY_DEADLINE_PASSED"), otherSubmission, criteriaMissing]
  },
  {
    name: "review",
    valid: at("SUBMITTED", (project) => review(project, "ACCEPT")),
    faults: [
      otherAgreement,
      otherState,
      tooLate("REVIEW_DEADLINE_PASSED"),
      otherSubmission,
      criteriaMissing,
      filesUnchecked,
      keptForPeople,
      unconfirmed
    ]
  },
  {
    name: "issue-record",
    valid: at("BUYER_CONFIRMED", (project) => issueRecord(project)),
    faults: [otherAgreement, otherState, otherConfirmation, keptForPeople, unconfirmed]
  }
]

const outcome = ({ project, command, now }: Case) =>
  outcomeOf(decide(project, command, decisionInputAt(now, usualCaller(command))))

for (const { name, valid, faults } of orders) {
  describe(`order of checks of ${name}`, () => {
    it(`A valid ${name} command is accepted.`, () => {
      assert.strictEqual(outcome(valid()), "ACCEPTED")
    })

    it.each(faults)(`$code is the refusal of a ${name} command with only that fault.`, ({ code, spoil }) => {
      assert.strictEqual(outcome(spoil(valid())), code)
    })

    it.each(faults.map((fault, index) => ({ code: fault.code, from: faults.slice(index) })))(
      `$code takes precedence over every later check of ${name}.`,
      ({ code, from }) => {
        assert.strictEqual(outcome(from.reduce((current, fault) => fault.spoil(current), valid())), code)
      }
    )
  })
}
