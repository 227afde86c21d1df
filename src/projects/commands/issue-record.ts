/** The buyer requests the result record of its acceptance. A separate transaction issues the record. */
import { Result } from "effect"
import { defineCommand } from "../command.ts"
import { confirmIssuance } from "../confirmation.ts"
import type { IssueRecordInput } from "../input.ts"
import { requireConfirmation, requireCurrentConfirmation, requirePerson } from "../requirements.ts"

export const issueRecord = defineCommand({
  kind: "ISSUE_RECORD",
  moveOf: () => "ISSUE",
  decide: (project, input: IssueRecordInput, context) =>
    Result.gen(function* () {
      yield* requireCurrentConfirmation(project, input.confirmationId)
      yield* requirePerson(project, "ISSUE", context)
      // Only an acceptance leads to this state, and it sets a confirmation.
      yield* requireConfirmation(input.confirmationDigest, confirmIssuance(project, project.confirmation!).digest)
      return { issuance: "REQUESTED" }
    })
})
