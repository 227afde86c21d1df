/** The supplier delivers: every criterion is answered, with the files that it stands on. */
import { Effect, Result, Schema } from "effect"
import { h } from "preact"
import type { Criterion } from "../../projects/agreement.ts"
import type { SubmittedItem } from "../../projects/event.ts"
import { limits } from "../../vocabulary/limits.ts"
import { textArea, type FormState, type Problem } from "../fields.ts"
import { decodeForm } from "../form.ts"
import { lines, optionalLines } from "../form-values.ts"
import { untrusted, untrustedLines, type Content } from "../html.ts"
import { paragraph, section } from "../parts.ts"
import { actPages, type Looking } from "../project-act.ts"
import { reviewSection } from "../project-delivery.ts"
import {
  fileLineHint,
  prefilledFiles,
  prefilledReferences,
  prefilledText,
  readFiles,
  readReferences
} from "../project-files.ts"

export const submitPages = actPages({
  path: "submit",
  title: "Deliver",
  acts: ["SUBMIT_MATERIALS"],
  operation: "submitAsPerson",
  submitLabel: "Deliver",
  show: ({ seen }, state) =>
    Effect.succeed({
      before: [
        reviewSection(seen),
        paragraph(
          "The files stay where they are. What you enter names each by its SHA-256, which a program such as sha256sum shows, so that everybody knows later which files they were."
        )
      ],
      fields: [
        textArea(state, {
          name: "summary",
          label: "Summary of the delivery",
          rows: 3,
          maxLength: limits.textCharacters,
          ...startingFrom(seen.project.submission?.summary, prefilledText)
        }),
        seen.project.agreement.terms.criteria.map((criterion, index) => item({ seen }, state, criterion, index))
      ]
    }),
  read: ({ seen, requestId, agreementDigest }, form) =>
    Effect.gen(function* () {
      const { submission, review, agreement } = seen.project
      const { criteria } = agreement.terms
      const decoded = yield* decodeForm(deliveryOf(criteria.length), form)
      return Result.flatMap(decoded, (entered) => {
        const items = criteria.map(({ id }, index) => readItem(entered, id, index))
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
              summary: entered["summary"] ?? "",
              items: items.flatMap((one) => (Result.isSuccess(one) ? [one.success] : []))
            }
          }
        })
      })
    })
})

/** The criterion's own words, and what answers it; what was delivered before stands there to be changed. */
const item = (
  { seen }: Pick<Looking, "seen">,
  state: FormState,
  { id, title, requirement }: Criterion,
  index: number
): Content => {
  const before = seen.project.submission?.items.find(({ criterionId }) => criterionId === id)
  const place = index + 1
  return section(
    [`Criterion ${place}: `, untrusted(id), ", ", untrusted(title)],
    untrustedLines(requirement),
    textArea(state, {
      name: `summary${place}`,
      label: `What answers criterion ${place}`,
      rows: 3,
      maxLength: limits.textCharacters,
      ...startingFrom(before?.summary, prefilledText)
    }),
    textArea(state, {
      name: `files${place}`,
      label: `Files for criterion ${place}`,
      isOptional: true,
      rows: 4,
      ...startingFrom(before?.files, prefilledFiles, [
        fileLineHint,
        h("br", null),
        "Such as ",
        h("code", null, `logo.svg | shared folder/logo.svg | 41 | 9f86d0…`)
      ])
    }),
    textArea(state, {
      name: `references${place}`,
      label: `References for criterion ${place}`,
      isOptional: true,
      rows: 2,
      ...startingFrom(
        before?.references,
        prefilledReferences,
        "One on each line, such as the address of a page or the number of a ticket."
      )
    })
  )
}

/** What stands in a field at first, or a word that what was delivered before cannot stand there. */
const startingFrom = <A>(before: A | undefined, prefilled: (before: A) => string | undefined, hint?: Content) => {
  const value = before === undefined ? undefined : prefilled(before)
  const isMissing = before !== undefined && value === undefined
  return {
    ...(value === undefined ? {} : { value }),
    ...(isMissing ? { hint: [hint, hint === undefined ? null : h("br", null), cannotStandHere] } : {}),
    ...(!isMissing && hint !== undefined ? { hint } : {})
  }
}

const cannotStandHere =
  "What was delivered before would not stay the same in this field, so it is left out: the project’s page shows it. Enter it anew."

/** A form with these fields for each of so many criteria. */
const deliveryOf = (criteria: number) =>
  Schema.Struct(
    Object.fromEntries([
      ["summary", lines("The summary", limits.textCharacters)],
      ...Array.from({ length: criteria }, (_, index) => index + 1).flatMap((place) => [
        [`summary${place}`, lines(`What answers criterion ${place}`, limits.textCharacters)] as const,
        [`files${place}`, optionalLines(`The text of the files for criterion ${place}`, limits.formBytes)] as const,
        [`references${place}`, optionalLines(`The references for criterion ${place}`, limits.formBytes)] as const
      ])
    ])
  )

const readItem = (
  entered: Readonly<Record<string, string>>,
  criterionId: string,
  index: number
): Result.Result<SubmittedItem, ReadonlyArray<Problem>> => {
  const place = index + 1
  const files = readFiles(entered[`files${place}`] ?? "")
  const references = readReferences(entered[`references${place}`] ?? "")
  const problems: ReadonlyArray<Problem> = [
    ...(Result.isFailure(files) ? [{ field: `files${place}`, message: files.failure }] : []),
    ...(references.length > limits.referencesPerItem || references.some((line) => line.length > limits.textCharacters)
      ? [
          {
            field: `references${place}`,
            message: `At most ${limits.referencesPerItem} references of at most ${limits.textCharacters} characters.`
          }
        ]
      : [])
  ]
  return Result.isFailure(files) || problems.length > 0
    ? Result.fail(problems)
    : Result.succeed({
        criterionId,
        summary: entered[`summary${place}`] ?? "",
        references,
        files: files.success
      })
}
