/** Issues the record of the acceptance for the buyer, which uses one credit. */
import { Effect, Result, Schema } from "effect"
import { h } from "preact"
import { limits } from "../../vocabulary/limits.ts"
import { hidden, textArea } from "../kit/fields.ts"
import { decodeForm } from "../kit/form.ts"
import { lines } from "../kit/form-values.ts"
import { facts, linkTo, notice, paragraph } from "../kit/parts.ts"
import { commandPage } from "./command-page.ts"
import { reviewSection } from "./delivery.ts"

const IssuanceForm = Schema.Struct({
  reason: lines("The reason", limits.textCharacters),
  confirmationId: Schema.optionalKey(Schema.String),
  confirmationDigest: Schema.optionalKey(Schema.String)
})

export const issuePages = commandPage({
  path: "issue-record",
  title: "Issue the record",
  acts: ["ISSUE_RESULT_RECORD"],
  operation: "issueRecordAsPerson",
  submitLabel: "Issue the record, and use one credit",
  show: ({ model }, state) => {
    const { confirmations, recordIssuance } = model.view.project
    const { confirmation } = model.project
    const { issuance } = confirmations
    return Effect.succeed({
      before: [
        reviewSection(model),
        recordIssuance.coverage === "MISSING"
          ? notice(
              "warning",
              paragraph(
                "The buyer’s organization has no credit left. You can still request the record: it is issued once a credit is available. ",
                linkTo("/workspace/funding", "See the credits")
              )
            )
          : null,
        facts([
          ["What it costs", "One credit of the buyer’s organization, which cannot be taken back."],
          [
            "Credits",
            [
              recordIssuance.coverage === "AVAILABLE" ? "There is at least one. " : "There is none. ",
              linkTo("/workspace/funding", "See the balance")
            ]
          ]
        ])
      ],
      fields:
        issuance === undefined || confirmation === null
          ? null
          : [
              h("h2", null, "What you confirm"),
              paragraph(issuance.effect),
              paragraph("Digest: ", h("code", null, issuance.digest)),
              hidden("confirmationId", confirmation.confirmationId),
              hidden("confirmationDigest", issuance.digest),
              textArea(state, {
                name: "reason",
                label: "Reason",
                hint: "What the record is for.",
                rows: 2,
                maxLength: limits.textCharacters
              })
            ]
    })
  },
  read: ({ requestId, expectedEventHash, agreementDigest }, form) =>
    Effect.map(
      decodeForm(IssuanceForm, form),
      Result.map(({ reason, confirmationId, confirmationDigest }) => ({
        command: {
          kind: "ISSUE_RECORD" as const,
          input: {
            requestId,
            expectedEventHash,
            agreementDigest,
            confirmationId: confirmationId ?? "",
            ...(confirmationDigest === undefined ? {} : { confirmationDigest }),
            maxCredits: limits.maxCredits,
            reason
          }
        }
      }))
    )
})
