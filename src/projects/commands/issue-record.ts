/** The buyer requests the result record of its acceptance. A separate transaction issues the record. */
import { Result } from "effect"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { confirmIssuance } from "../confirmation.ts"
import {
  requireConfirmation,
  requireCurrentConfirmation,
  requireMove,
  requirePerson,
  type Decision,
  type DecisionContext
} from "../requirements.ts"
import type { Project } from "../project.ts"

export interface IssueRecordInput {
  readonly requestId: string
  readonly agreementDigest: string
  readonly expectedEventHash: string
  readonly confirmationId: string
  readonly confirmationDigest?: string
  readonly maxCredits: 1
  readonly reason: string
}

export const decideIssueRecord = (
  project: Project,
  input: IssueRecordInput,
  context: DecisionContext
): Result.Result<Decision, Refusal> =>
  Result.gen(function* () {
    yield* requireMove(project, input, "ISSUE", context)
    yield* requireCurrentConfirmation(project, input.confirmationId)
    yield* requirePerson(project, "ISSUE", context)
    // Only an acceptance leads to this state, and it sets a confirmation.
    yield* requireConfirmation(input.confirmationDigest, confirmIssuance(project, project.confirmation!).digest)
    return { issuance: "REQUESTED" }
  })
