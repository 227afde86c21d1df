/** A saved job: one exact submission, built on a project as it was, and what became of it. Pure. */
import { Schema } from "effect"
import type { SubmittedItem } from "../projects/event.ts"
import type { Stored } from "../projects/history.ts"
import type { Submittable } from "../projects/prepared.ts"
import type { Project } from "../projects/project.ts"
import { idOf } from "../vocabulary/ids.ts"
import type { JobRow } from "./store.ts"

/** What an agent prepares. */
export interface JobInput {
  readonly requestId: string
  readonly projectId: string
  /** The agent's own words for where this came from; nothing reads them. */
  readonly workflowReference: string
  readonly summary: string
  readonly materials: ReadonlyArray<SubmittedItem>
}

/** Anything else names no job. */
export const isJobId = Schema.is(idOf("job"))

/** The body that a submission of these materials would have now. */
export const envelopeOn = ({ project, row }: Stored, { requestId, summary, materials }: JobInput): Submittable => ({
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

/** What the project says about a job now. A decision on another submission is none on the saved one. */
export const standingOf = ({ submissionId }: JobRow, { state, submission, review }: Project) => {
  const applies = submissionId !== null && submission?.submissionId === submissionId
  const decides = submissionId !== null && review?.submissionId === submissionId
  return { projectState: state, appliesToSavedSubmission: applies, decision: decides ? review : null }
}
