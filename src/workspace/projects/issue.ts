/** Issues the record of the acceptance for the buyer, which uses one credit. */
import { h } from "preact"
import { limits } from "../../vocabulary/limits.ts"
import { hiddenField } from "../kit/form-field.ts"
import { facts, linkTo, notice, paragraph } from "../kit/parts.ts"
import { reasonField } from "../commands/fields.ts"
import { reviewSection } from "./delivery.ts"
import { projectCommand } from "./subject.ts"

export const issuePages = projectCommand({
  acts: ["ISSUE_RESULT_RECORD"],
  operation: "issueRecordAsPerson",
  acknowledgement: {
    did: "You requested the record.",
    next: "It is issued within a minute if your organization has a credit, otherwise once it has one."
  },
  submitLabel: "Issue the record, and use one credit",
  fields: ({ model: { project, view } }) => ({
    reason: reasonField("What the record is for.", 2),
    confirmationId: hiddenField(project.confirmation?.confirmationId),
    confirmationDigest: hiddenField(view.project.confirmations.issuance?.digest)
  }),
  show: ({ model }, { reason, confirmationId, confirmationDigest }) => {
    const { confirmations, recordIssuance } = model.view.project
    const { issuance } = confirmations
    const hasCredit = recordIssuance.coverage === "AVAILABLE"
    return {
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
            [hasCredit ? "There is at least one. " : "There is none. ", linkTo("/workspace/funding", "See the balance")]
          ]
        ])
      ],
      fields:
        issuance === undefined || model.project.confirmation === null
          ? null
          : [
              h("h2", null, "What you confirm"),
              paragraph(issuance.effect),
              paragraph("Digest: ", h("code", null, issuance.digest)),
              confirmationId,
              confirmationDigest,
              reason
            ]
    }
  },
  command: ({ requestId, expectedHead: expectedEventHash, model }, { reason, confirmationId = "", ...digest }) => ({
    kind: "ISSUE_RECORD",
    input: {
      requestId,
      expectedEventHash,
      agreementDigest: model.project.agreementDigest,
      confirmationId,
      maxCredits: limits.maxCredits,
      reason,
      ...digest
    }
  })
})
