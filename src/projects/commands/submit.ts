/** The supplier commits materials: one item per criterion, files by name, size and digest. */
import { Result } from "effect"
import { refusal } from "../../vocabulary/refusals.ts"
import { defineCommand } from "../command.ts"
import type { SubmitInput } from "../input.ts"
import { withDigest, type Project } from "../project.ts"
import { requirePerson } from "../requirements.ts"

export const submit = defineCommand({
  kind: "SUBMIT",
  moveOf: () => "SUBMIT",
  decide: (project, input: SubmitInput, context) =>
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
