/** The operations on saved jobs (4.5). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { forAgents } from "../access/bearer.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { reviewActions } from "../projects/event.ts"
import { SubmitInput } from "../projects/commands/submit.ts"
import { ProjectView } from "../projects/output.ts"
import { states } from "../projects/project.ts"
import { ProjectPath } from "../projects/answer.ts"
import { UuidV4 } from "../vocabulary/ids.ts"
import { Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { textUpTo } from "../vocabulary/text.ts"
import * as checks from "../vocabulary/shared-checks.ts"
import { isJobId } from "./job.ts"

export const AutomationJobInput = Schema.Struct({
  requestId: UuidV4.annotate({ description: "Also the request id of the submission that is saved." }),
  projectId: ProjectPath.id,
  workflowReference: textUpTo(limits.workflowReferenceCharacters).annotate({
    description: "The agent's own reference, returned unchanged."
  }),
  summary: SubmitInput.fields.summary,
  materials: SubmitInput.fields.items
}).annotate({ identifier: "AutomationJobInput" })

const jobFields = {
  jobId: Schema.String,
  projectId: Schema.String,
  workflowReference: Schema.String,
  requestId: Schema.String,
  envelopeDigest: Schema.String.annotate({ description: "The digest of the exact body that a submission sends." }),
  expectedEventHash: Schema.String,
  automationRevision: Schema.Int,
  state: Schema.Literals(["PREPARED", "SUBMITTED"]),
  preparedAt: Instant
}

const replayed = Schema.optionalKey(Schema.Literal(true))

export const AutomationJob = Schema.Struct({ ...jobFields, replayed }).annotate({ identifier: "AutomationJob" })

export const AutomationJobStatus = Schema.Struct({
  ...jobFields,
  submittedAt: Schema.NullOr(Instant),
  submissionId: Schema.NullOr(Schema.String),
  projectState: Schema.Literals(states),
  appliesToSavedSubmission: Schema.Boolean.annotate({
    description: "False if the project's current submission is not the saved one."
  }),
  decisionForSavedSubmission: Schema.NullOr(
    Schema.Struct({
      reviewId: Schema.String,
      action: Schema.Literals(reviewActions),
      reason: Schema.String,
      nextAction: Schema.String,
      decidedAt: Instant
    })
  ).annotate({ description: "Null if no current review decides the saved submission; never a rejection." }),
  nextAction: ProjectView.fields.project.fields.nextAction,
  replayed,
  emailUpdate: ProjectView.fields.emailUpdate
}).annotate({ identifier: "AutomationJobStatus" })

/** Any other text of this length is an unknown job. */
const JobPath = {
  jobId: Schema.String.check(
    Schema.isMinLength(1),
    Schema.isMaxLength(limits.pathParameterCharacters),
    Schema.makeFilter(isJobId)
  )
}

export class JobsGroup extends HttpApiGroup.make("jobs", { topLevel: true })
  .add(
    HttpApiEndpoint.post("prepareJob", "/jobs", {
      payload: AutomationJobInput,
      success: AutomationJob.pipe(HttpApiSchema.status(201)),
      error: refuses(
        ...checks.agentScope,
        ...checks.requestId,
        "PROJECT_READ_ONLY",
        "AGENT_PAUSED",
        "CRITERIA_INCOMPLETE",
        ...checks.noHold,
        ...checks.deliveryDate,
        "DELIVERY_HISTORY_LIMIT_REACHED",
        "SAVED_JOB_LIMIT",
        ...checks.signingDate,
        ...checks.signature,
        "STATE_CONFLICT"
      )
    }).annotateMerge(titled("Save the exact submission of materials without submitting it")),
    HttpApiEndpoint.get("listJobs", "/jobs", {
      query: { projectId: ProjectPath.id },
      success: Schema.Struct({ jobs: Schema.Array(AutomationJobStatus) }).annotate({ identifier: "AutomationJobList" }),
      error: refuses(...checks.agentScope)
    }).annotateMerge(titled("The jobs of this grant for one project, oldest first")),
    HttpApiEndpoint.get("readJob", "/jobs/:jobId", {
      params: JobPath,
      success: AutomationJobStatus,
      error: refuses(...checks.agentScope)
    }).annotateMerge(titled("Read one job with the status of its submission")),
    HttpApiEndpoint.post("submitJob", "/jobs/:jobId/submit", {
      params: JobPath,
      // A bare literal would become the tag of the body, and another value would be reported without its path.
      payload: Schema.Struct({ confirmed: Schema.Literals([true]) }),
      success: AutomationJobStatus,
      error: refuses(
        ...checks.agentProjectCommand,
        ...checks.noHold,
        ...checks.deliveryDate,
        ...checks.signingDate,
        ...checks.signature
      )
    }).annotateMerge(titled("Submit exactly what was saved"))
  )
  .pipe(forAgents) {}
