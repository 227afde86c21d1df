/** The supplier delivers: each criterion is answered, with its files. */
import { Result } from "effect"
import { h } from "preact"
import type { SubmittedItem } from "../../projects/event.ts"
import type { Project } from "../../projects/project.ts"
import { limits } from "../../vocabulary/limits.ts"
import { brokenRules, textArea, type FormState, type Problem, type TextAreaOptions } from "../kit/fields.ts"
import { lines, optionalLines } from "../kit/form-values.ts"
import { untrusted, untrustedLines, type Content } from "../kit/html.ts"
import { paragraph, section } from "../kit/parts.ts"
import { reviewSection } from "./delivery.ts"
import { fileLinePicker } from "./file-line-picker.ts"
import { fileLineHint, prefilledFiles, prefilledReferences, prefilledText, readFiles, readReferences } from "./files.ts"
import { projectCommand } from "./subject.ts"

export const submitPages = projectCommand({
  acts: ["SUBMIT_MATERIALS"],
  operation: "submitAsPerson",
  acknowledgement: { did: "You delivered.", next: "The buyer reviews the delivery next." },
  fields: ({ model: { project } }): DeliveryFields => ({
    summary: answerField("Summary of the delivery", lines("The summary", limits.textCharacters), () => ({
      rows: 3,
      maxLength: limits.textCharacters,
      ...initialValue(project.submission?.summary, prefilledText)
    })),
    ...Object.fromEntries(
      project.agreement.terms.criteria.flatMap(({ id }, index) => Object.entries(itemFields(project, id, index + 1)))
    )
  }),
  show: ({ model }, controls) => ({
    before: [
      reviewSection(model),
      paragraph(
        "The files are not uploaded. Each is identified by its SHA-256, so that the exact files can be recognized later. Your browser computes it from files that you choose, if it runs script; so do ",
        h("code", null, "countersign digest"),
        " and programs such as ",
        h("code", null, "sha256sum"),
        "."
      )
    ],
    fields: [
      controls["summary"],
      model.project.agreement.terms.criteria.map(({ id, title, requirement }, index) =>
        section(
          [`Criterion ${index + 1}: `, untrusted(id), ", ", untrusted(title)],
          untrustedLines(requirement),
          controls[`summary${index + 1}`],
          controls[`files${index + 1}`],
          fileLinePicker(index + 1, model.project.agreement.terms.originals),
          controls[`references${index + 1}`]
        )
      )
    ]
  }),
  command: ({ model, requestId }, values) => {
    const { submission, review, agreement, agreementDigest } = model.project
    const items = agreement.terms.criteria.map(({ id }, index) => readItem(values, id, index + 1))
    const problems = items.flatMap((one) => (Result.isFailure(one) ? one.failure : []))
    if (problems.length > 0) return { problems }
    return {
      kind: "SUBMIT",
      input: {
        requestId,
        agreementDigest,
        previousSubmissionId: submission?.submissionId ?? null,
        respondsToReviewId: review?.reviewId ?? null,
        summary: values["summary"] ?? "",
        items: items.flatMap((one) => (Result.isSuccess(one) ? [one.success] : []))
      }
    }
  }
})

/** The summary, and three fields for each criterion. */
type DeliveryFields = { readonly [name: string]: ReturnType<typeof answerField> }

/** The initial value is computed only where the field is shown. */
const answerField = (
  label: string,
  schema: ReturnType<typeof lines>,
  optionsOf: () => Omit<TextAreaOptions, "name" | "label">
) => ({
  label,
  schema,
  control: (state: FormState, name: string): Content => textArea(state, { name, label, ...optionsOf() })
})

/** The fields that answer a criterion, prefilled from the previous delivery. */
const itemFields = ({ submission }: Project, criterionId: string, number: number): DeliveryFields => {
  const before = submission?.items.find((item) => item.criterionId === criterionId)
  const answers = `What answers criterion ${number}`
  return {
    [`summary${number}`]: answerField(answers, lines(answers, limits.textCharacters), () => ({
      rows: 3,
      maxLength: limits.textCharacters,
      ...initialValue(before?.summary, prefilledText)
    })),
    [`files${number}`]: answerField(
      `Files for criterion ${number}`,
      optionalLines(`The text of the files for criterion ${number}`, limits.formBytes),
      () => ({
        isOptional: true,
        rows: 4,
        ...initialValue(before?.files, prefilledFiles, [
          fileLineHint,
          h("br", null),
          "Such as ",
          h("code", null, `logo.svg | shared folder/logo.svg | 41 | 9f86d0…`)
        ])
      })
    ),
    [`references${number}`]: answerField(
      `References for criterion ${number}`,
      optionalLines(`The references for criterion ${number}`, limits.formBytes),
      () => ({
        isOptional: true,
        rows: 2,
        ...initialValue(
          before?.references,
          prefilledReferences,
          "One on each line, such as the URL of a page or the number of a ticket."
        )
      })
    )
  }
}

/** The initial value, or a hint that the previous value cannot be prefilled. */
const initialValue = <A>(before: A | undefined, prefilled: (before: A) => string | undefined, hint?: Content) => {
  const value = before === undefined ? undefined : prefilled(before)
  const isMissing = before !== undefined && value === undefined
  return {
    ...(value === undefined ? {} : { value }),
    ...(isMissing ? { hint: [hint, hint === undefined ? null : h("br", null), omittedValueHint] } : {}),
    ...(!isMissing && hint !== undefined ? { hint } : {})
  }
}

const omittedValueHint =
  "The previous value cannot be represented exactly in this field and is omitted: the project’s page shows it. Enter it again."

const readItem = (
  values: Readonly<Record<string, string>>,
  criterionId: string,
  number: number
): Result.Result<SubmittedItem, ReadonlyArray<Problem>> => {
  const files = readFiles(values[`files${number}`] ?? "")
  const references = readReferences(values[`references${number}`] ?? "")
  const { referencesPerItem, textCharacters } = limits
  const problems = brokenRules([
    [Result.isFailure(files), `files${number}`, Result.isFailure(files) ? files.failure : ""],
    [
      references.length > referencesPerItem || references.some((line) => line.length > textCharacters),
      `references${number}`,
      `At most ${referencesPerItem} references of at most ${textCharacters} characters.`
    ]
  ])
  return Result.isFailure(files) || problems.length > 0
    ? Result.fail(problems)
    : Result.succeed({
        criterionId,
        summary: values[`summary${number}`] ?? "",
        references,
        files: files.success
      })
}
