/** The mapping of saved jobs to the wire format (2.9). */
import type { readProjectInScope } from "../projects/operations.ts"
import type { EmailUpdate } from "../projects/notification.ts"
import type { Review } from "../projects/project.ts"
import type { Effect } from "effect"
import { pick } from "../vocabulary/pick.ts"
import { jobStatusOn } from "./job.ts"
import type { JobRow } from "./store.ts"
import { AutomationJob, type AutomationJobStatus } from "./wire.ts"

interface JobReadModel {
  readonly job: JobRow
  /** The agent's view of the project. */
  readonly projectView: Pick<Effect.Success<ReturnType<typeof readProjectInScope>>, "stored" | "view">
}

export const viewPrepared = ({
  job,
  replayed
}: {
  readonly job: JobRow
  readonly replayed: boolean
}): typeof AutomationJob.Type => ({ ...viewJob(job), ...replayFlag(replayed) })

export const viewStatus = ({ job, projectView: { stored, view } }: JobReadModel): typeof AutomationJobStatus.Type => {
  const { decision, ...status } = jobStatusOn(job, stored.project)
  return {
    ...viewJob(job),
    submittedAt: job.submittedAt,
    submissionId: job.submissionId,
    ...status,
    decisionForSavedSubmission: decision === null ? null : viewDecision(decision),
    nextAction: view.project.nextAction
  }
}

export const viewSubmitted = ({
  replayed,
  emailUpdate,
  ...readModel
}: JobReadModel & {
  readonly replayed: boolean
  readonly emailUpdate: EmailUpdate
}): typeof AutomationJobStatus.Type => ({
  ...viewStatus(readModel),
  ...replayFlag(replayed),
  ...(emailUpdate === undefined ? {} : { emailUpdate })
})

const viewJob = pick(AutomationJob)

const viewDecision = ({ reviewId, action, reason, nextAction, occurredAt }: Review) => ({
  reviewId,
  action,
  reason,
  nextAction,
  decidedAt: occurredAt
})

const replayFlag = (replayed: boolean) => (replayed ? { replayed: true as const } : {})
