import { assert, describe, it } from "@effect/vitest"
import { decide, type Command } from "../../src/projects/decide.ts"
import type { Project, State } from "../../src/projects/project.ts"
import type { Instant } from "../../src/vocabulary/instant.ts"
import { dayOne, givenAt, keeping, outcomeOf, projectIn, usualSender } from "../support/project.ts"
import { issueRecord, respond, review, submit } from "../support/project-commands.ts"
import { digestOfLetter, uuidOf } from "../support/project-people.ts"

interface Case {
  readonly project: Project
  readonly command: Command
  readonly now: Instant
}

/** One thing wrong with a command, and the refusal it earns when nothing before it is wrong. */
interface Fault {
  readonly code: string
  readonly spoil: (given: Case) => Case
}

const withInput = (given: Case, changes: object): Case => ({
  ...given,
  command: { ...given.command, input: { ...given.command.input, ...changes } } as Command
})

const otherAgreement: Fault = {
  code: "AGREEMENT_DIGEST_MISMATCH",
  spoil: (given) => withInput(given, { agreementDigest: digestOfLetter("0") })
}
const otherState: Fault = {
  code: "STATE_CONFLICT",
  spoil: (given) => ({ ...given, project: { ...given.project, state: "SUPERSEDED" } })
}
const tooLate = (code: string): Fault => ({
  code,
  spoil: (given) => ({ ...given, now: "2030-01-01T00:00:00.000Z" as Instant })
})
const otherSubmission: Fault = {
  code: "SUBMISSION_MISMATCH",
  spoil: (given) =>
    withInput(given, {
      [given.command.kind === "SUBMIT" ? "previousSubmissionId" : "submissionId"]: `submission_${uuidOf(9)}`
    })
}
const criteriaMissing: Fault = {
  code: "CRITERIA_INCOMPLETE",
  spoil: (given) => withInput(given, { [given.command.kind === "SUBMIT" ? "items" : "decisions"]: [] })
}
const filesUnchecked: Fault = {
  code: "CHECKED_FILES_MISMATCH",
  spoil: (given) => withInput(given, { checkedFiles: [] })
}
const otherConfirmation: Fault = {
  code: "CONFIRMATION_MISMATCH",
  spoil: (given) => withInput(given, { confirmationId: `confirmation_${uuidOf(9)}` })
}
const keptForPeople: Fault = {
  code: "HUMAN_DECISION_REQUIRED",
  spoil: (given) => ({ ...given, project: keeping(given.project, "RESPOND", "ACCEPT", "ISSUE") })
}
const unconfirmed: Fault = {
  code: "CONFIRMATION_DIGEST_STALE",
  spoil: (given) => withInput(given, { confirmationDigest: digestOfLetter("0") })
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
  outcomeOf(decide(project, command, givenAt(now, usualSender(command))))

for (const { name, valid, faults } of orders) {
  describe(`the order of refusals of ${name}`, () => {
    it("nothing wrong is accepted", () => {
      assert.strictEqual(outcome(valid()), "ACCEPTED")
    })

    it.each(faults)("$code alone", ({ code, spoil }) => {
      assert.strictEqual(outcome(spoil(valid())), code)
    })

    it.each(faults.map((fault, index) => ({ code: fault.code, from: faults.slice(index) })))(
      "$code wins over all that come after it",
      ({ code, from }) => {
        assert.strictEqual(outcome(from.reduce((given, fault) => fault.spoil(given), valid())), code)
      }
    )
  })
}
