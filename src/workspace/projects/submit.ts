/** The supplier delivers: each criterion is answered, with its files. */
import { Effect, Result, Schema } from "effect"
import { h } from "preact"
import type { Criterion } from "../../projects/terms.ts"
import type { SubmittedItem } from "../../projects/event.ts"
import { limits } from "../../vocabulary/limits.ts"
import { textArea, type FormState, type Problem } from "../kit/fields.ts"
import { decodeForm } from "../kit/form.ts"
import { lines, optionalLines } from "../kit/form-values.ts"
import { untrusted, untrustedLines, type Content } from "../kit/html.ts"
import { paragraph, section } from "../kit/parts.ts"
import { commandPage, type ProjectPageContext } from "./command-page.ts"
import { reviewSection } from "./delivery.ts"
import { fileLineHint, prefilledFiles, prefilledReferences, prefilledText, readFiles, readReferences } from "./files.ts"

export const submitPages = commandPage({
  path: "submit",
  title: "Deliver",
  acts: ["SUBMIT_MATERIALS"],
  operation: "submitAsPerson",
  submitLabel: "Deliver",
  show: ({ model }, state) =>
    Effect.succeed({
      before: [
        reviewSection(model),
        paragraph(
          "The files are not uploaded. Each is identified by its SHA-256, which a program such as sha256sum computes, so that the exact files can be recognized later."
        )
      ],
      fields: [
        textArea(state, {
          name: "summary",
          label: "Summary of the delivery",
          rows: 3,
          maxLength: limits.textCharacters,
          ...initialValue(model.project.submission?.summary, prefilledText)
        }),
        model.project.agreement.terms.criteria.map((criterion, index) => item({ model }, state, criterion, index))
      ]
    }),
  read: ({ model, requestId, agreementDigest }, form) =>
    Effect.gen(function* () {
      const { submission, review, agreement } = model.project
      const { criteria } = agreement.terms
      const decoded = yield* decodeForm(deliveryOf(criteria.length), form)
      return Result.flatMap(decoded, (values) => {
        const items = criteria.map(({ id }, index) => readItem(values, id, index))
        const problems = items.flatMap((one) => (Result.isFailure(one) ? one.failure : []))
        if (problems.length > 0) return Result.fail({ sent: form.fields, problems })
        return Result.succeed({
          command: {
            kind: "SUBMIT" as const,
            input: {
              requestId,
              agreementDigest,
              previousSubmissionId: submission?.submissionId ?? null,
              respondsToReviewId: review?.reviewId ?? null,
              summary: values["summary"] ?? "",
              items: items.flatMap((one) => (Result.isSuccess(one) ? [one.success] : []))
            }
          }
        })
      })
    })
})

/** The criterion and the fields that answer it, prefilled from the previous delivery. */
const item = (
  { model }: Pick<ProjectPageContext, "model">,
  state: FormState,
  { id, title, requirement }: Criterion,
  index: number
): Content => {
  const before = model.project.submission?.items.find(({ criterionId }) => criterionId === id)
  const number = index + 1
  return section(
    [`Criterion ${number}: `, untrusted(id), ", ", untrusted(title)],
    untrustedLines(requirement),
    textArea(state, {
      name: `summary${number}`,
      label: `What answers criterion ${number}`,
      rows: 3,
      maxLength: limits.textCharacters,
      ...initialValue(before?.summary, prefilledText)
    }),
    textArea(state, {
      name: `files${number}`,
      label: `Files for criterion ${number}`,
      isOptional: true,
      rows: 4,
      ...initialValue(before?.files, prefilledFiles, [
        fileLineHint,
        h("br", null),
        "Such as ",
        h("code", null, `logo.svg | shared folder/logo.svg | 41 | 9f86d0…`)
      ])
    }),
    textArea(state, {
      name: `references${number}`,
      label: `References for criterion ${number}`,
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

/** The form's schema for this number of criteria. */
const deliveryOf = (criteria: number) =>
  Schema.Struct(
    Object.fromEntries([
      ["summary", lines("The summary", limits.textCharacters)],
      ...Array.from({ length: criteria }, (_, index) => index + 1).flatMap((number) => [
        [`summary${number}`, lines(`What answers criterion ${number}`, limits.textCharacters)] as const,
        [`files${number}`, optionalLines(`The text of the files for criterion ${number}`, limits.formBytes)] as const,
        [`references${number}`, optionalLines(`The references for criterion ${number}`, limits.formBytes)] as const
      ])
    ])
  )

const readItem = (
  values: Readonly<Record<string, string>>,
  criterionId: string,
  index: number
): Result.Result<SubmittedItem, ReadonlyArray<Problem>> => {
  const number = index + 1
  const files = readFiles(values[`files${number}`] ?? "")
  const references = readReferences(values[`references${number}`] ?? "")
  const problems: ReadonlyArray<Problem> = [
    ...(Result.isFailure(files) ? [{ field: `files${number}`, message: files.failure }] : []),
    ...(references.length > limits.referencesPerItem || references.some((line) => line.length > limits.textCharacters)
      ? [
          {
            field: `references${number}`,
            message: `At most ${limits.referencesPerItem} references of at most ${limits.textCharacters} characters.`
          }
        ]
      : [])
  ]
  return Result.isFailure(files) || problems.length > 0
    ? Result.fail(problems)
    : Result.succeed({
        criterionId,
        summary: values[`summary${number}`] ?? "",
        references,
        files: files.success
      })
}
