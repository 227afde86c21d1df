/** The only bridge from saved jobs to the wire (2.9). */
import type { seeInScope } from "../projects/operations.ts"
import type { EmailUpdate } from "../projects/notice.ts"
import type { Review } from "../projects/project.ts"
import type { Effect } from "effect"
import { standingOf } from "./job.ts"
import type { JobRow } from "./store.ts"
import type { AutomationJob, AutomationJobStatus } from "./wire.ts"

interface JobSeen {
  readonly job: JobRow
  /** The project as the agent sees it. */
  readonly seen: Pick<Effect.Success<ReturnType<typeof seeInScope>>, "stored" | "view">
}

export const viewPrepared = ({
  job,
  replayed
}: {
  readonly job: JobRow
  readonly replayed: boolean
}): typeof AutomationJob.Type => ({ ...viewJob(job), ...marked(replayed) })

export const viewStatus = ({ job, seen: { stored, view } }: JobSeen): typeof AutomationJobStatus.Type => {
  const { decision, ...standing } = standingOf(job, stored.project)
  return {
    ...viewJob(job),
    submittedAt: job.submittedAt,
    submissionId: job.submissionId,
    ...standing,
    decisionForSavedSubmission: decision === null ? null : viewDecision(decision),
    nextAction: view.project.nextAction
  }
}

export const viewSubmitted = ({
  replayed,
  emailUpdate,
  ...seen
}: JobSeen & { readonly replayed: boolean; readonly emailUpdate: EmailUpdate }): typeof AutomationJobStatus.Type => ({
  ...viewStatus(seen),
  ...marked(replayed),
  ...(emailUpdate === undefined ? {} : { emailUpdate })
})

const viewJob = ({
  jobId,
  projectId,
  workflowReference,
  requestId,
  envelopeDigest,
  expectedEventHash,
  automationRevision,
  state,
  preparedAt
}: JobRow) => ({
  jobId,
  projectId,
  workflowReference,
  requestId,
  envelopeDigest,
  expectedEventHash,
  automationRevision,
  state,
  preparedAt
})

const viewDecision = ({ reviewId, action, reason, nextAction, occurredAt }: Review) => ({
  reviewId,
  action,
  reason,
  nextAction,
  decidedAt: occurredAt
})

const marked = (replayed: boolean) => (replayed ? { replayed: true as const } : {})
