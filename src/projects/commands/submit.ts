/** The supplier commits materials: one item per criterion, files by name, size and digest. */
import { Result, Schema } from "effect"
import { Digest, idOf, UuidV4 } from "../../vocabulary/ids.ts"
import { limits } from "../../vocabulary/limits.ts"
import { Text, Title } from "../../vocabulary/text.ts"
import { uniqueBy, upTo } from "../terms.ts"
import { refusal } from "../../vocabulary/refusals.ts"
import { defineCommand } from "../command.ts"
import { withDigest, type Project } from "../project.ts"
import { requirePerson } from "../requirements.ts"

const File = Schema.Struct({
  name: Title,
  reference: Text,
  size: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: limits.fileBytes })),
  sha256: Digest
})

const Item = Schema.Struct({
  criterionId: Title,
  summary: Text,
  references: upTo(Text, limits.referencesPerItem),
  files: upTo(File, limits.filesPerItem).check(uniqueBy((file: typeof File.Type) => file.name, "file names of an item"))
}).annotate({ identifier: "SubmittedItem" })

export const SubmitInput = Schema.Struct({
  requestId: UuidV4,
  agreementDigest: Digest,
  previousSubmissionId: Schema.NullOr(idOf("submission")),
  respondsToReviewId: Schema.NullOr(idOf("review")),
  summary: Text,
  items: upTo(Item, limits.criteria)
})

export const submit = defineCommand({
  kind: "SUBMIT",
  moveOf: () => "SUBMIT",
  decide: (project, input: typeof SubmitInput.Type, context) =>
    Result.gen(function* () {
      const isSuccessor =
        input.previousSubmissionId === (project.submission?.submissionId ?? null) &&
        input.respondsToReviewId === (project.review?.reviewId ?? null)
      if (!isSuccessor) return yield* Result.fail(refusal("SUBMISSION_MISMATCH"))
      if (!answersEachCriterion(project, input.items)) return yield* Result.fail(refusal("CRITERIA_INCOMPLETE"))
      yield* requirePerson(project, "SUBMIT", context)
      const { requestId: _, ...content } = input
      return { event: { kind: "SUBMIT", payload: { submissionId: context.newId("submission"), ...content } } }
    }),
  evolve: (_, { payload, requestId, occurredAt }) => ({
    submission: withDigest(payload, { ...payload, requestId, occurredAt }),
    review: null
  })
})

/** True if the answers name each agreed criterion exactly once and no other. */
export const answersEachCriterion = (
  project: Project,
  answers: ReadonlyArray<{ readonly criterionId: string }>
): boolean => {
  const named = new Set(answers.map((answer) => answer.criterionId))
  const { criteria } = project.agreement.terms
  return (
    named.size === answers.length &&
    named.size === criteria.length &&
    criteria.every((criterion) => named.has(criterion.id))
  )
}
