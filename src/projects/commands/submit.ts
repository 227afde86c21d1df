/** The supplier commits materials: one item per criterion, files by name, size and digest. */
import { Result } from "effect"
import { refusal, type Refusal } from "../../vocabulary/refusals.ts"
import { requireMove, requirePerson, type Decision, type DecisionContext } from "../requirements.ts"
import type { SubmittedItem } from "../event.ts"
import type { Project } from "../project.ts"

export interface SubmitInput {
  readonly requestId: string
  readonly agreementDigest: string
  readonly previousSubmissionId: string | null
  readonly respondsToReviewId: string | null
  readonly summary: string
  readonly items: ReadonlyArray<SubmittedItem>
}

export const decideSubmit = (
  project: Project,
  input: SubmitInput,
  context: DecisionContext
): Result.Result<Decision, Refusal> =>
  Result.gen(function* () {
    yield* requireMove(project, input, "SUBMIT", context)
    const isSuccessor =
      input.previousSubmissionId === (project.submission?.submissionId ?? null) &&
      input.respondsToReviewId === (project.review?.reviewId ?? null)
    if (!isSuccessor) return yield* Result.fail(refusal("SUBMISSION_MISMATCH"))
    if (!answersEachCriterion(project, input.items)) return yield* Result.fail(refusal("CRITERIA_INCOMPLETE"))
    yield* requirePerson(project, "SUBMIT", context)
    const { requestId: _, ...content } = input
    return { event: { kind: "SUBMIT", payload: { submissionId: context.newId("submission"), ...content } } }
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
