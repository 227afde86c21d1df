/** The buyer asks for the result record of its acceptance. The record itself is issued by a transaction of its own. */
import { Result } from "effect"
import { refusal, type Refused } from "../../vocabulary/refusals.ts"
import { confirmIssuance } from "../confirmation.ts"
import { requireConfirmation, requireMove, requirePerson, type Decision, type Given } from "../requirements.ts"
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
    yield* requireMove(project, input, "ISSUE")
    if (project.recordId !== null || given.isIssuanceAsked) {
      const detail = "The record of this confirmation was already asked for."
      return yield* Result.fail(refusal("STATE_CONFLICT", { detail }))
    }
    const { confirmation } = project
    if (confirmation === null || confirmation.confirmationId !== input.confirmationId) {
      return yield* Result.fail(refusal("CONFIRMATION_MISMATCH"))
    }
    yield* requirePerson(project, ["ISSUE"], given)
    yield* requireConfirmation(input.confirmationDigest, confirmIssuance(project, confirmation).digest)
    return { issuance: "REQUESTED" }
  })
