/** The form of a review. */
import { h } from "preact"
import { criterionDecisions, reviewActions, type CheckedFile, type ReviewPayload } from "../../projects/event.ts"
import type { Submission } from "../../projects/project.ts"
import { limits } from "../../vocabulary/limits.ts"
import { checkboxGroup, radioGroup } from "../kit/choices.ts"
import { hidden, textArea, type Choice, type FormState } from "../kit/fields.ts"
import { untrusted, untrustedLines, type Content } from "../kit/html.ts"
import { paragraph, section } from "../kit/parts.ts"
import type { ProjectPageContext } from "./command-page.ts"
import { signatureFieldset } from "./signature.ts"
import { criterionDecisionLabels, reviewLabels, blockedReasonText } from "./labels.ts"

export const reviewFields = (context: ProjectPageContext, state: FormState): Content => {
  const { project } = context.model
  const { submission } = project
  return [
    submission === null ? null : hidden("submissionId", submission.submissionId),
    project.agreement.terms.criteria.map((criterion, index) =>
      section(
        [`Criterion ${index + 1}: `, untrusted(criterion.id), ", ", untrusted(criterion.title)],
        untrustedLines(criterion.requirement),
        radioGroup(state, {
          name: `decision${index + 1}`,
          legend: `Your decision on criterion ${index + 1}`,
          choices: criterionDecisions.map((value) => ({ value, label: criterionDecisionLabels[value] }))
        }),
        textArea(state, {
          name: `note${index + 1}`,
          label: `Note on criterion ${index + 1}`,
          isOptional: true,
          rows: 2,
          maxLength: limits.textCharacters
        })
      )
    ),
    section("The decision", decisions(context, state)),
    acceptancePart(context, state)
  ]
}

const decisions = (context: ProjectPageContext, state: FormState): Content => {
  const allowed = allowedReviews(context)
  return [
    radioGroup(state, {
      name: "action",
      legend: "Your decision on the whole delivery",
      choices: allowed.map((value) => ({ value, label: reviewLabels[value].name, hint: reviewLabels[value].about }))
    }),
    reviewActions
      .filter((one) => !allowed.includes(one))
      .map((one) => paragraph(reviewLabels[one].name, ": ", whyNot(context, one))),
    textArea(state, {
      name: "reason",
      label: "Reason",
      hint: "The supplier reads it, and it stays in the history.",
      rows: 3,
      maxLength: limits.textCharacters
    }),
    textArea(state, {
      name: "nextAction",
      label: "What the supplier does next",
      hint: "Required if you ask for changes or evidence.",
      isOptional: true,
      rows: 2,
      maxLength: limits.reviewNextActionCharacters
    })
  ]
}

/** The fields that only an acceptance needs, in a section of their own against accidental acceptance. */
const acceptancePart = (context: ProjectPageContext, state: FormState): Content => {
  const { model } = context
  const { submission, agreement } = model.project
  const { originals } = agreement.terms
  const { acceptance } = model.view.project.confirmations
  if (!allowedReviews(context).includes("ACCEPT") || submission === null || acceptance === undefined) return null
  const boxes = fileBoxes(submission)
  return section(
    "Only for an acceptance",
    boxes.length === 0
      ? null
      : checkboxGroup(state, {
          name: "checked",
          legend: "The originals that you opened at the agreed location, and that have this digest",
          hint: [
            "To accept, tick every file. The agreement says that ",
            untrusted(originals.custodian),
            " keeps them, and where: ",
            untrusted(originals.location)
          ],
          choices: boxes.map(fileChoice)
        }),
    h("h3", null, "What you confirm"),
    paragraph(acceptance.effect),
    paragraph("Digest: ", h("code", null, acceptance.digest)),
    hidden("confirmationDigest", acceptance.digest),
    signatureFieldset(model, "ACCEPTANCE", acceptance.digest, state)
  )
}

const fileChoice = ({ value, files }: FileBox): Choice => {
  const { criterionId, name, sha256 } = files[0]!
  return files.length === 1
    ? { value, label: [untrusted(name), " for ", untrusted(criterionId)], hint: ["SHA-256 ", h("code", null, sha256)] }
    : { value, label: [`All ${files.length} files listed above for `, untrusted(criterionId)] }
}

/** The decisions available to this person now. */
export const allowedReviews = ({ model }: ProjectPageContext): ReadonlyArray<ReviewPayload["action"]> =>
  reviewActions.filter((one) => model.view.decisionActions.some(({ decision, allowed }) => allowed && decision === one))

const whyNot = ({ model }: ProjectPageContext, action: ReviewPayload["action"]): string => {
  const code = model.view.decisionActions.find(({ decision }) => decision === action)?.code
  return code === undefined || code === null || code === "NOT_GRANTED"
    ? "your membership does not include the authority for it."
    : blockedReasonText(code)
}

/** A checkbox, and the files that it covers. */
interface FileBox {
  /** The position in the delivery, so that no text of the supplier is a form value. */
  readonly value: string
  /** At least one file. */
  readonly files: ReadonlyArray<CheckedFile>
}

/** One box for each file, or for each criterion where the files exceed the limit of a page. */
export const fileBoxes = ({ items }: Submission): ReadonlyArray<FileBox> => {
  const perItem = items.map(({ criterionId, files }) =>
    files.map(({ name, sha256 }) => ({ criterionId, name, sha256 }))
  )
  return perItem.flat().length > limits.boxesOnPage
    ? perItem.flatMap((files, item) => (files.length === 0 ? [] : [{ value: `${item + 1}`, files }]))
    : perItem.flatMap((files, item) =>
        files.map((file, place) => ({ value: `${item + 1}-${place + 1}`, files: [file] }))
      )
}
