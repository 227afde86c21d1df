/** The buyer requests the result record of its acceptance. A separate transaction issues the record. */
import { Result, Schema } from "effect"
import { Digest, idOf } from "../../vocabulary/ids.ts"
import { limits } from "../../vocabulary/limits.ts"
import { Text } from "../../vocabulary/text.ts"
import { atHead, defineCommand } from "../command.ts"
import { confirmIssuance } from "../confirmation.ts"
import { requireConfirmation, requireCurrentConfirmation, requirePerson } from "../requirements.ts"

export const IssueRecordInput = Schema.Struct({
  ...atHead,
  confirmationId: idOf("confirmation"),
  confirmationDigest: Schema.optionalKey(Digest),
  maxCredits: Schema.Literal(limits.maxCredits),
  reason: Text
})

export const issueRecord = defineCommand({
  kind: "ISSUE_RECORD",
  moveOf: () => "ISSUE",
  decide: (project, input: typeof IssueRecordInput.Type, context) =>
    Result.gen(function* () {
      yield* requireCurrentConfirmation(project, input.confirmationId)
      yield* requirePerson(project, "ISSUE", context)
      // Only an acceptance leads to this state, and it sets a confirmation.
      yield* requireConfirmation(input.confirmationDigest, confirmIssuance(project, project.confirmation!).digest)
      return { issuance: "REQUESTED" }
    })
})
