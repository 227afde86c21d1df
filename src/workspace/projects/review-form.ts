/** The form of a review. */
import { h } from "preact"
import { criterionDecisions, reviewActions, type CheckedFile, type ReviewPayload } from "../../projects/event.ts"
import type { Submission } from "../../projects/project.ts"
import { limits } from "../../vocabulary/limits.ts"
import { checkboxGroup } from "../kit/choices.ts"
import type { Choice, FormState } from "../kit/fields.ts"
import { choiceField, hiddenField, linesField, type Controls } from "../kit/form-field.ts"
import { anyOf } from "../kit/form-values.ts"
import { untrusted, untrustedLines, type Content } from "../kit/html.ts"
import { paragraph, section } from "../kit/parts.ts"
import { decisionChoice, reasonField } from "../commands/fields.ts"
import type { ProjectPageModel } from "./read-model.ts"
import { signatureFieldset, signatureFields } from "./signature.ts"
import { criterionDecisionLabels, reviewLabels, blockedReasonText } from "./labels.ts"

/** The decision and the note on each criterion, then the decision on the whole delivery. */
export const reviewFields = (model: ProjectPageModel) => {
  const { agreement, submission } = model.project
  const { acceptance } = model.view.project.confirmations
  return Object.assign(criterionFields(agreement.terms.criteria.length), {
    action: decisionChoice(reviewLabels, allowedReviews(model), {
      what: "the decision",
      legend: "Your decision on the whole delivery"
    }),
    reason: reasonField("The supplier reads it, and it stays in the history."),
    nextAction: linesField({
      what: "What the supplier does next",
      label: "What the supplier does next",
      hint: "Required if you ask for changes or evidence.",
      isOptional: true,
      rows: 2,
      characters: limits.reviewNextActionCharacters
    }),
    submissionId: hiddenField(submission?.submissionId),
    confirmationDigest: hiddenField(acceptance?.digest),
    checked: checkedField(model),
    ...signatureFields("ACCEPTANCE", acceptance?.digest)
  })
}

const criterionFields = (criteria: number) =>
  Object.fromEntries(
    Array.from({ length: criteria }, (_, index) => index + 1).flatMap((number) => [
      [`decision${number}`, decisionField(number)] as const,
      [`note${number}`, noteField(number)] as const
    ])
  ) as {
    readonly [name: `decision${number}`]: ReturnType<typeof decisionField>
    readonly [name: `note${number}`]: ReturnType<typeof noteField>
  }

const decisionField = (number: number) =>
  choiceField({
    what: `the decision on criterion ${number}`,
    values: criterionDecisions,
    legend: `Your decision on criterion ${number}`,
    choices: criterionDecisions.map((value) => ({ value, label: criterionDecisionLabels[value] }))
  })

const noteField = (number: number) =>
  linesField({
    what: `The note on criterion ${number}`,
    label: `Note on criterion ${number}`,
    isOptional: true,
    rows: 2,
    characters: limits.textCharacters
  })

/** The boxes are derived from the files of this delivery. */
const checkedField = ({ project: { agreement, submission } }: ProjectPageModel) => {
  const boxes = submission === null ? [] : fileBoxes(submission)
  const { custodian, location } = agreement.terms.originals
  return {
    schema: anyOf(
      "the files",
      boxes.map(({ value }) => value)
    ),
    control: (state: FormState, name: string): Content =>
      boxes.length === 0
        ? null
        : checkboxGroup(state, {
            name,
            legend: "The originals that you opened at the agreed location, and that have this digest",
            hint: [
              "To accept, tick every file. The agreement says that ",
              untrusted(custodian),
              " keeps them, and where: ",
              untrusted(location)
            ],
            choices: boxes.map(fileChoice)
          })
  }
}

export type ReviewFields = ReturnType<typeof reviewFields>

export const showReviewFields = (model: ProjectPageModel, controls: Controls<ReviewFields>): Content => [
  controls.submissionId,
  model.project.agreement.terms.criteria.map((criterion, index) =>
    section(
      [`Criterion ${index + 1}: `, untrusted(criterion.id), ", ", untrusted(criterion.title)],
      untrustedLines(criterion.requirement),
      controls[`decision${index + 1}`],
      controls[`note${index + 1}`]
    )
  ),
  section(
    "The decision",
    controls.action,
    reviewActions
      .filter((one) => !allowedReviews(model).includes(one))
      .map((one) => paragraph(reviewLabels[one].name, ": ", whyNot(model, one))),
    controls.reason,
    controls.nextAction
  ),
  acceptanceSection(model, controls)
]

/** The fields that only an acceptance needs, in a section of their own against accidental acceptance. */
const acceptanceSection = (model: ProjectPageModel, controls: Controls<ReviewFields>): Content => {
  const { acceptance } = model.view.project.confirmations
  if (!allowedReviews(model).includes("ACCEPT") || model.project.submission === null || acceptance === undefined)
    return null
  return section(
    "Only for an acceptance",
    controls.checked,
    h("h3", null, "What you confirm"),
    acceptance.effect,
    paragraph("Digest: ", h("code", null, acceptance.digest)),
    controls.confirmationDigest,
    signatureFieldset(model, "ACCEPTANCE", acceptance.digest, controls)
  )
}

const fileChoice = ({ value, files }: FileBox): Choice => {
  const { criterionId, name, sha256 } = files[0]!
  return files.length === 1
    ? {
        value,
        label: [untrusted(name), " for ", untrusted(criterionId)],
        hint: ["SHA-256 ", h("code", null, sha256), ", which ", digestCommand, " prints for the same bytes."]
      }
    : {
        value,
        label: [`All ${files.length} files listed above for `, untrusted(criterionId)],
        hint: [digestCommand, " prints the SHA-256 of each."]
      }
}

/** Without the name of a file: no text of the supplier is in a command. */
const digestCommand = h("code", null, "countersign digest FILE")

/** The decisions available to this person now. */
export const allowedReviews = (model: ProjectPageModel): ReadonlyArray<ReviewPayload["action"]> =>
  reviewActions.filter((one) => model.view.decisionActions.some(({ decision, allowed }) => allowed && decision === one))

const whyNot = (model: ProjectPageModel, action: ReviewPayload["action"]): string => {
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
