/**
 * The commands on a project, a row each: path, summary and refusals, and the name and the body of its endpoint for agents,
 * for people, or for both.
 */
import { Schema } from "effect"
import { operationEndpoint, type CallerRow, type OperationRow } from "../http/operation-row.ts"
import { OrganizationId } from "../people/wire.ts"
import { Digest } from "../vocabulary/ids.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { ProjectPath, ProjectQuery } from "./answer.ts"
import { ChangeRepresentativeInput } from "./commands/change-representative.ts"
import { ConcernInput, ResolveConcernInput, WithdrawConfirmationInput } from "./commands/concern.ts"
import { DateRevisionInput } from "./commands/date-revision.ts"
import { HandoffInput } from "./commands/handoff.ts"
import { IssueRecordInput } from "./commands/issue-record.ts"
import { LiftHoldInput } from "./commands/lift-hold.ts"
import { RespondInput } from "./commands/respond.ts"
import { reviewFields, reviewFits, ReviewInput } from "./commands/review.ts"
import { SignInput } from "./commands/sign.ts"
import { SubmitInput } from "./commands/submit.ts"
import { PersonProjectView, ProjectView } from "./output.ts"

/** The body of a command by an agent: the input under both preconditions. */
const agentBody = <I extends Schema.Constraint>(identifier: string, input: I) =>
  Schema.Struct({
    expectedEventHash: Digest,
    automationRevision: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
    input
  }).annotate({ identifier })

/** A person sends no automation revision: no pause stops people. */
export const personBody = <I extends Schema.Constraint>(identifier: string, input: I) =>
  Schema.Struct({ expectedEventHash: Digest, input }).annotate({ identifier })

/** A named supplier who is a member of several organizations names the responding one. */
const PersonRespond = Schema.Struct({
  expectedEventHash: Digest,
  organizationId: Schema.optionalKey(OrganizationId),
  input: RespondInput
}).annotate({ identifier: "PersonRespond" })

/** A binding decision names the head twice; both must be equal. */
const sameHead = Schema.makeFilter(
  (command: { readonly expectedEventHash: string; readonly input: { readonly expectedEventHash: string } }) =>
    command.expectedEventHash === command.input.expectedEventHash
      ? undefined
      : { path: ["input", "expectedEventHash"], issue: "must equal the envelope's expectedEventHash" }
)

export const projectCommands = {
  respond: {
    path: "respond",
    summary: "Answer the exact terms for the supplier",
    refusals: [
      ...checks.projectCommand,
      ...checks.previewed,
      ...checks.deliveryDate,
      ...checks.signingDate,
      ...checks.namedSigner
    ],
    agent: {
      name: "respond",
      payload: agentBody("RespondCommand", RespondInput),
      refusals: ["HUMAN_DECISION_REQUIRED"]
    },
    person: {
      name: "respondAsPerson",
      payload: PersonRespond,
      summary: "Answer the exact terms as the named supplier"
    }
  },
  sign: {
    path: "sign",
    summary: "Sign the agreement, or record an external signature",
    refusals: [...checks.projectCommand, ...checks.previewed, "RECENT_SIGN_IN_REQUIRED", ...checks.signingDate],
    person: { name: "signAgreement", payload: personBody("PersonSign", SignInput) }
  },
  submit: {
    path: "submit",
    summary: "Commit materials as digests",
    refusals: [
      ...checks.projectCommand,
      "CRITERIA_INCOMPLETE",
      ...checks.noHold,
      ...checks.deliveryDate,
      ...checks.signingDate,
      ...checks.signature,
      "SUBMISSION_MISMATCH"
    ],
    agent: { name: "submit", payload: agentBody("SubmitCommand", SubmitInput) },
    person: { name: "submitAsPerson", payload: personBody("PersonSubmit", SubmitInput) }
  },
  review: {
    path: "review",
    summary: "Decide the current submission",
    refusals: [
      ...checks.projectCommand,
      "CHECKED_FILES_MISMATCH",
      ...checks.previewed,
      "CRITERIA_INCOMPLETE",
      ...checks.noHold,
      "REVIEW_DEADLINE_PASSED",
      ...checks.signingDate,
      ...checks.signature,
      "SUBMISSION_MISMATCH"
    ],
    agent: {
      name: "review",
      payload: agentBody("ReviewCommand", Schema.Struct(reviewFields).check(reviewFits)).check(sameHead),
      refusals: ["HUMAN_DECISION_REQUIRED"]
    },
    person: {
      name: "reviewAsPerson",
      payload: personBody("PersonReview", ReviewInput).check(sameHead),
      refusals: ["RECENT_SIGN_IN_REQUIRED"]
    }
  },
  dateRevision: {
    path: "date-revision",
    summary: "Request another date, which people decide",
    refusals: [...checks.projectCommand, ...checks.noHold],
    agent: { name: "dateRevision", payload: agentBody("DateRevisionCommand", DateRevisionInput).check(sameHead) },
    person: {
      name: "requestDateChange",
      payload: personBody("PersonDateRevision", DateRevisionInput).check(sameHead),
      summary: "Ask for another date"
    }
  },
  liftHold: {
    path: "lift-hold",
    summary: "Lift a hold: delivery or review continues under the agreed dates",
    refusals: checks.projectCommand,
    person: { name: "liftHold", payload: personBody("LiftHold", LiftHoldInput) }
  },
  concern: {
    path: "concern",
    summary: "Contest the confirmation, which people resolve",
    refusals: [...checks.projectCommand, ...checks.currentConfirmation],
    agent: { name: "concern", payload: agentBody("ConcernCommand", ConcernInput).check(sameHead) },
    person: {
      name: "raiseConcern",
      payload: personBody("PersonConcern", ConcernInput).check(sameHead),
      summary: "Contest the confirmation"
    }
  },
  resolveConcern: {
    path: "resolve-concern",
    summary: "Dismiss a concern of the person's side, or uphold one as the buyer",
    refusals: [...checks.projectCommand, ...checks.currentConfirmation],
    person: { name: "resolveConcern", payload: personBody("ResolveConcern", ResolveConcernInput) }
  },
  withdrawConfirmation: {
    path: "withdraw-confirmation",
    summary: "Withdraw the buyer's confirmation",
    refusals: [...checks.projectCommand, ...checks.currentConfirmation],
    person: { name: "withdrawConfirmation", payload: personBody("WithdrawConfirmation", WithdrawConfirmationInput) }
  },
  handoff: {
    path: "handoff",
    summary: "Stop the agents and ask for a person",
    refusals: [...checks.requestId, ...checks.projectHead],
    agent: { name: "handoff", payload: agentBody("HandoffCommand", HandoffInput) }
  },
  issueRecord: {
    path: "issue-record",
    summary: "Issue the result record of the acceptance",
    refusals: [...checks.projectCommand, ...checks.previewed, ...checks.currentConfirmation],
    agent: {
      name: "issueRecord",
      payload: agentBody("IssueRecordCommand", IssueRecordInput).check(sameHead),
      refusals: ["HUMAN_DECISION_REQUIRED"]
    },
    person: { name: "issueRecordAsPerson", payload: personBody("PersonIssueRecord", IssueRecordInput).check(sameHead) }
  },
  changeRepresentative: {
    path: "change-representative",
    summary: "Name another person as the supplier",
    refusals: [...checks.projectCommand, "SAME_PARTY", "UNKNOWN_SUPPLIER"],
    person: { name: "changeRepresentative", payload: personBody("ChangeRepresentative", ChangeRepresentativeInput) }
  }
} as const satisfies {
  readonly [name: string]: OperationRow & { readonly agent?: CallerRow; readonly person?: CallerRow }
}

const subject = { path: "/projects/:id", params: ProjectPath, query: ProjectQuery } as const

/** The endpoint of a command for agents. */
export const agentCommand = <const C extends OperationRow & { readonly agent: CallerRow }>(row: C) =>
  operationEndpoint(subject, row, row.agent as C["agent"], ProjectView, [
    ...checks.agentScope,
    ...checks.agentPreconditions
  ])

/** The endpoint of a command for people. */
export const personCommand = <const C extends OperationRow & { readonly person: CallerRow }>(row: C) =>
  operationEndpoint(subject, row, row.person as C["person"], PersonProjectView, checks.person)
