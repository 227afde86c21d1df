/** The form of a project's page that offers its result for a fixed total. */
import { Effect, Result } from "effect"
import { offerResultOrder } from "../../commerce/offering.ts"
import { sectionForm } from "../commands/section-form.ts"
import { requestOf } from "../kit/idempotent-form.ts"
import { showProject } from "../projects/detail.ts"
import { projects } from "../projects/subject.ts"
import { acknowledge } from "../kit/acknowledgement.ts"
import { offeredAmount, offerFields } from "./fields.ts"
import { orderPath } from "./path.ts"

const fields = offerFields([])

export const projectOffer = sectionForm(projects, {
  path: "/result-orders",
  name: "Offer the result",
  fields,
  check: (decoded, form) =>
    Effect.succeed(
      Result.flatMap(decoded, (values) => {
        const amount = offeredAmount(values.offeredAmount, values.offeredCurrency)
        return "problem" in amount
          ? Result.fail({ sent: form.fields, problems: [{ field: "offeredAmount", message: amount.problem }] })
          : Result.succeed(values)
      })
    ),
  showAgain: (visitor, projectId, failed) => showProject(visitor, projectId, { name: "offer", ...failed }),
  run: ({ visitor, id: projectId, requestId, values }) => {
    const { offeredAgreementDigest = "", offeredRecordId = "", offeredCurrency: currency } = values
    const amount = offeredAmount(values.offeredAmount, currency)
    if ("problem" in amount) throw new Error("the check of the form refuses an amount that is none")
    const { amountMinor } = amount
    const input = { agreementDigest: offeredAgreementDigest, recordId: offeredRecordId, currency, amountMinor }
    const request = requestOf(visitor, requestId, "offerResultOrder", { pathIds: [projectId], values: input })
    return Effect.flatMap(offerResultOrder(visitor.person, request, { projectId, ...input }), ({ stored }) =>
      acknowledge(visitor, orderPath(stored.row.resultOrderId), {
        did: "You offered the result.",
        next: "The buyer approves or declines exactly these terms."
      })
    )
  }
})
