/**
 * Decides a command on a project: what happens, or the refusal. The checks of a command follow the documented order;
 * each command's own file holds them.
 */
import type { Result } from "effect"
import type { Refused } from "../vocabulary/refusals.ts"
import { decideIssueRecord, type IssueRecordInput } from "./commands/issue-record.ts"
import { decideRespond, type RespondInput } from "./commands/respond.ts"
import { decideReview, type ReviewInput } from "./commands/review.ts"
import { decideSubmit, type SubmitInput } from "./commands/submit.ts"
import type { Project } from "./project.ts"
import type { Decision, Given } from "./requirements.ts"

export type Command =
  | { readonly kind: "RESPOND"; readonly input: RespondInput }
  | { readonly kind: "SUBMIT"; readonly input: SubmitInput }
  | { readonly kind: "REVIEW"; readonly input: ReviewInput }
  | { readonly kind: "ISSUE_RECORD"; readonly input: IssueRecordInput }

export const decide = (project: Project, command: Command, given: Given): Result.Result<Decision, Refused> => {
  switch (command.kind) {
    case "RESPOND":
      return decideRespond(project, command.input, given)
    case "SUBMIT":
      return decideSubmit(project, command.input, given)
    case "REVIEW":
      return decideReview(project, command.input, given)
    case "ISSUE_RECORD":
      return decideIssueRecord(project, command.input, given)
  }
}
