/**
 * Decides a command on a project: a decision or a refusal. The file of each command holds its checks in the documented
 * order.
 */
import type { Result } from "effect"
import type { Refusal } from "../vocabulary/refusals.ts"
import { decideChangeRepresentative, type ChangeRepresentativeInput } from "./commands/change-representative.ts"
import {
  decideConcern,
  decideResolveConcern,
  decideWithdrawConfirmation,
  type ConcernInput,
  type ResolveConcernInput,
  type WithdrawConfirmationInput
} from "./commands/concern.ts"
import { decideDateRevision, type DateRevisionInput } from "./commands/date-revision.ts"
import { decideHandoff, type HandoffInput } from "./commands/handoff.ts"
import { decideIssueRecord, type IssueRecordInput } from "./commands/issue-record.ts"
import { decideLiftHold, type LiftHoldInput } from "./commands/lift-hold.ts"
import { decideRespond, type RespondInput } from "./commands/respond.ts"
import { decideReview, type ReviewInput } from "./commands/review.ts"
import { decideRevise, type ReviseInput } from "./commands/revise.ts"
import { decideSign, type SignInput } from "./commands/sign.ts"
import { decideSubmit, type SubmitInput } from "./commands/submit.ts"
import type { Project, State } from "./project.ts"
import { moveNamed, revisionMoveFrom, type Act, type MoveName } from "./moves.ts"
import type { Decision, DecisionContext } from "./requirements.ts"

export type Command =
  | { readonly kind: "RESPOND"; readonly input: RespondInput }
  | { readonly kind: "SUBMIT"; readonly input: SubmitInput }
  | { readonly kind: "REVIEW"; readonly input: ReviewInput }
  | { readonly kind: "ISSUE_RECORD"; readonly input: IssueRecordInput }
  | { readonly kind: "DATE_REVISION"; readonly input: DateRevisionInput }
  | { readonly kind: "CONCERN"; readonly input: ConcernInput }
  | { readonly kind: "HANDOFF"; readonly input: HandoffInput }
  | { readonly kind: "SIGN"; readonly input: SignInput }
  | { readonly kind: "LIFT_HOLD"; readonly input: LiftHoldInput }
  | { readonly kind: "RESOLVE_CONCERN"; readonly input: ResolveConcernInput }
  | { readonly kind: "WITHDRAW_CONFIRMATION"; readonly input: WithdrawConfirmationInput }
  | { readonly kind: "CHANGE_REPRESENTATIVE"; readonly input: ChangeRepresentativeInput }
  | { readonly kind: "REVISE"; readonly input: ReviseInput }

export const decide = (
  project: Project,
  command: Command,
  context: DecisionContext
): Result.Result<Decision, Refusal> => {
  switch (command.kind) {
    case "RESPOND":
      return decideRespond(project, command.input, context)
    case "SUBMIT":
      return decideSubmit(project, command.input, context)
    case "REVIEW":
      return decideReview(project, command.input, context)
    case "ISSUE_RECORD":
      return decideIssueRecord(project, command.input, context)
    case "DATE_REVISION":
      return decideDateRevision(project, command.input, context)
    case "CONCERN":
      return decideConcern(project, command.input, context)
    case "HANDOFF":
      return decideHandoff(command.input)
    case "SIGN":
      return decideSign(project, command.input, context)
    case "LIFT_HOLD":
      return decideLiftHold(project, command.input, context)
    case "RESOLVE_CONCERN":
      return decideResolveConcern(project, command.input, context)
    case "WITHDRAW_CONFIRMATION":
      return decideWithdrawConfirmation(project, command.input, context)
    case "CHANGE_REPRESENTATIVE":
      return decideChangeRepresentative(project, command.input, context)
    case "REVISE":
      return decideRevise(project, command.input, context)
  }
}

/** The move of the table for a command in a state; a hand-off has none, it changes only the automation. */
export const moveOf = (command: Command, state: State): MoveName | undefined => {
  switch (command.kind) {
    case "RESPOND":
      return `RESPOND_${command.input.action}`
    case "REVIEW":
      return `REVIEW_${command.input.action}`
    case "ISSUE_RECORD":
      return "ISSUE"
    case "DATE_REVISION":
      return `HOLD_${command.input.purpose}`
    case "SIGN":
      return "SIGN_AGREEMENT"
    case "RESOLVE_CONCERN":
      return command.input.resolution === "UPHELD" ? "UPHOLD_CONCERN" : "DISMISS_CONCERN"
    case "REVISE":
      return revisionMoveFrom(state)
    case "HANDOFF":
      return undefined
    default:
      return command.kind
  }
}

/** The act of a command; a hand-off requires any granted action. */
export const actOf = (command: Command): Act | "HANDOFF" => {
  // The moves of one command and input are one act in every state, and each has one.
  const move = moveOf(command, "AWAITING_SUPPLIER")
  return move === undefined ? "HANDOFF" : moveNamed(move).act!
}
