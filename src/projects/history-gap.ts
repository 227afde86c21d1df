/** The signed statement that events of a project may be lost, and that none of their numbers is used again. */
import { Schema } from "effect"
import { digest, epochId, ordinal, projectId, signed, text } from "../vocabulary/record-schemas.ts"

const Head = Schema.Struct({ sequence: ordinal, eventHash: digest })

export const HistoryGap = Schema.Struct({
  ...signed("service.history-gap/v1"),
  epoch: epochId.annotateKey({ description: "Of all statements that the operator made with this one." }),
  projectId,
  reason: text.annotateKey({ description: "The operator's." }),
  kept: Head.annotateKey({ description: "The last event of the history when the statement was signed." }),
  lost: Head.annotateKey({
    description:
      "The newest event that is known and that the history lacks. With a sequence up to that of `kept`, it is of another branch."
  })
})
export type HistoryGap = typeof HistoryGap.Type
