/** Requests another date, which holds delivery or review, and lifts that hold. */
import { Effect, Layer, Result, Schema } from "effect"
import type { State } from "../../projects/project.ts"
import { canMove } from "../../projects/moves.ts"
import { limits } from "../../vocabulary/limits.ts"
import { textArea, type FormState } from "../kit/fields.ts"
import { decodeForm } from "../kit/form.ts"
import { lines } from "../kit/form-values.ts"
import type { Content } from "../kit/html.ts"
import { facts, paragraph, time } from "../kit/parts.ts"
import { commandPage } from "./command-page.ts"
import { warnings } from "./delivery.ts"
import { purposeLabels } from "./labels.ts"

const ReasonForm = Schema.Struct({ reason: lines("The reason", limits.textCharacters) })

const reasonField = (state: FormState, hint: string): Content =>
  textArea(state, { name: "reason", label: "Reason", hint, rows: 3, maxLength: limits.textCharacters })

const request = commandPage({
  path: "date-revision",
  title: "Request another date",
  acts: ["REQUEST_DATE_CHANGE"],
  operation: "requestDateChange",
  submitLabel: "Request another date",
  show: ({ model }, state) => {
    const { terms } = model.project.agreement
    const purpose = purposeLabels[purposeIn(model.project.state)]
    return Effect.succeed({
      before: [
        paragraph(
          `This holds the ${purpose} for people and agents of both parties until the terms are revised with other dates or a person lifts it. The agreed dates remain in force.`
        ),
        facts([
          ["Delivered until", time(terms.deadline)],
          ["Reviewed until", time(terms.reviewDeadline)]
        ])
      ],
      fields: reasonField(
        state,
        "State the date that you need, and why. The other party reads it, and it stays in the history."
      )
    })
  },
  read: ({ model, requestId, expectedEventHash, agreementDigest }, form) =>
    Effect.map(
      decodeForm(ReasonForm, form),
      Result.map(({ reason }) => ({
        command: {
          kind: "DATE_REVISION" as const,
          input: { requestId, expectedEventHash, agreementDigest, purpose: purposeIn(model.project.state), reason }
        }
      }))
    )
})

/** The purpose of the request follows from the state. */
const purposeIn = (state: State) => (canMove(state, "HOLD_REVIEW") ? "REVIEW" : "DELIVERY")

const lift = commandPage({
  path: "lift-hold",
  title: "Continue under the agreed dates",
  acts: ["LIFT_HOLD"],
  operation: "liftHold",
  submitLabel: "Continue under the agreed dates",
  show: ({ model }, state) =>
    Effect.succeed({
      before: [
        warnings(model),
        facts([
          ["Delivered until", time(model.project.agreement.terms.deadline)],
          ["Reviewed until", time(model.project.agreement.terms.reviewDeadline)]
        ])
      ],
      fields: reasonField(state, "The other party reads it, and it stays in the history.")
    }),
  read: ({ requestId, agreementDigest }, form) =>
    Effect.map(
      decodeForm(ReasonForm, form),
      Result.map(({ reason }) => ({
        command: { kind: "LIFT_HOLD" as const, input: { requestId, agreementDigest, reason } }
      }))
    )
})

export const datePages = Layer.mergeAll(request, lift)
