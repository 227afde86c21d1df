/** The buyer asks for the result record of its acceptance. The record itself is issued by a transaction of its own. */
import { Result } from "effect"
import type { Refused } from "../../vocabulary/refusals.ts"
import { confirmIssuance } from "../confirmation.ts"
import {
  requireConfirmation,
  requireCurrentConfirmation,
  requireMove,
  requirePerson,
  type Decision,
  type Given
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
  given: Given
): Result.Result<Decision, Refused> =>
  Result.gen(function* () {
    yield* requireMove(project, input, "ISSUE", given)
    yield* requireCurrentConfirmation(project, input.confirmationId)
    yield* requirePerson(project, "ISSUE", given)
    // Only an acceptance leads here, and it made a confirmation.
    yield* requireConfirmation(input.confirmationDigest, confirmIssuance(project, project.confirmation!).digest)
    return { issuance: "REQUESTED" }
  })
