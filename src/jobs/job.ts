/** A saved job: one exact submission, built on a project's head, and its status. Pure. */
import { Schema } from "effect"
import type { SubmittedItem } from "../projects/event.ts"
import type { StoredProject } from "../projects/history.ts"
import type { SubmissionEnvelope } from "../projects/prepare-submission.ts"
import type { Project } from "../projects/project.ts"
import { idOf } from "../vocabulary/ids.ts"
import type { JobRow } from "./store.ts"

/** The input of a preparation. */
export interface JobInput {
  readonly requestId: string
  readonly projectId: string
  /** The agent's own reference, which the service does not interpret. */
  readonly workflowReference: string
  readonly summary: string
  readonly materials: ReadonlyArray<SubmittedItem>
}

/** Any other text is an unknown job. */
export const isJobId = Schema.is(idOf("job"))

/** The body of a submission of these materials on the current head. */
export const envelopeOn = (
  { project, row }: StoredProject,
  { requestId, summary, materials }: JobInput
): SubmissionEnvelope => ({
  expectedEventHash: project.head,
  automationRevision: row.automationRevision,
  input: {
    requestId,
    agreementDigest: project.agreementDigest,
    previousSubmissionId: project.submission?.submissionId ?? null,
    respondsToReviewId: project.review?.reviewId ?? null,
    summary,
    items: materials
  }
})

/** The status of a job on its project. A decision on another submission does not apply to the saved one. */
export const jobStatusOn = ({ submissionId }: JobRow, { state, submission, review }: Project) => {
  const applies = submissionId !== null && submission?.submissionId === submissionId
  const decides = submissionId !== null && review?.submissionId === submissionId
  return { projectState: state, appliesToSavedSubmission: applies, decision: decides ? review : null }
}
