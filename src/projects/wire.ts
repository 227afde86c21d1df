/** The operations on agreements (4.2, 4.3). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Bearer } from "../access/bearer.ts"
import { StrictBody } from "../http/body.ts"
import { refuses } from "../http/refuses.ts"
import { ProjectQuery } from "./answer.ts"
import {
  ConcernCommand,
  CreateProject,
  DateRevisionCommand,
  HandoffCommand,
  IssueRecordCommand,
  RespondCommand,
  ReviewCommand,
  SubmitCommand
} from "./input.ts"
import { Confirmation, LegalConfig, ProjectView } from "./output.ts"
import { LegalContext } from "./terms.ts"
import type { RefusalCode } from "../vocabulary/refusal-rules.ts"
import * as checks from "../vocabulary/shared-checks.ts"

/** The path parameter of a project (2.1); any other text is an unknown project. */
export const ProjectPath = {
  id: Schema.String.check(Schema.isPattern(/^delivery_[a-f0-9-]{36}$/u, { expected: "a project id" }))
}

const command = <const Name extends string, P extends Schema.Top, const Codes extends ReadonlyArray<RefusalCode>>(
  name: Name,
  path: `/${string}`,
  payload: P,
  summary: string,
  codes: Codes
) =>
  HttpApiEndpoint.post(name, `/projects/:id${path}`, {
    params: ProjectPath,
    query: ProjectQuery,
    payload,
    success: ProjectView,
    error: refuses(...codes)
  }).annotateMerge(OpenApi.annotations({ summary }))

export class ProjectsGroup extends HttpApiGroup.make("projects", { topLevel: true })
  .add(
    HttpApiEndpoint.post("createProject", "/projects", {
      payload: CreateProject,
      success: ProjectView.pipe(HttpApiSchema.status(201)),
      error: refuses(
        ...checks.requestId,
        ...checks.newAgreement,
        ...checks.authorityEvent,
        "FORBIDDEN_AGENT_ACTION",
        "CREATED_PROJECT_LIMIT",
        "SUBJECT_REQUIREMENTS_NOT_PRESERVED"
      )
    }).annotateMerge(OpenApi.annotations({ summary: "Commit a buyer agreement" })),
    HttpApiEndpoint.get("readProject", "/projects/:id", {
      params: ProjectPath,
      query: ProjectQuery,
      success: ProjectView,
      error: refuses(...checks.agentScope)
    }).annotateMerge(OpenApi.annotations({ summary: "Read one exact agreement version" })),
    command("respond", "/respond", RespondCommand, "Answer the exact terms for the supplier", [
      ...checks.agentProjectCommand,
      ...checks.previewed,
      ...checks.deliveryDate,
      ...checks.signingDate,
      "HUMAN_DECISION_REQUIRED",
      ...checks.namedSigner
    ]),
    command("submit", "/submit", SubmitCommand, "Commit materials as digests", [
      ...checks.agentProjectCommand,
      "CRITERIA_INCOMPLETE",
      ...checks.noHold,
      ...checks.deliveryDate,
      ...checks.signingDate,
      ...checks.signature,
      "SUBMISSION_MISMATCH"
    ]),
    command("review", "/review", ReviewCommand, "Decide the current submission", [
      ...checks.agentProjectCommand,
      "CHECKED_FILES_MISMATCH",
      ...checks.previewed,
      "CRITERIA_INCOMPLETE",
      ...checks.noHold,
      "HUMAN_DECISION_REQUIRED",
      "REVIEW_DEADLINE_PASSED",
      ...checks.signingDate,
      ...checks.signature,
      "SUBMISSION_MISMATCH"
    ]),
    command("dateRevision", "/date-revision", DateRevisionCommand, "Request another date, which people decide", [
      ...checks.agentProjectCommand,
      ...checks.noHold
    ]),
    command("concern", "/concern", ConcernCommand, "Contest the confirmation, which people resolve", [
      ...checks.agentProjectCommand,
      ...checks.currentConfirmation
    ]),
    command("handoff", "/handoff", HandoffCommand, "Stop the agents and ask for a person", [
      ...checks.agentScope,
      ...checks.requestId,
      ...checks.agentPreconditions,
      "STALE_EVENT_HEAD"
    ]),
    command("issueRecord", "/issue-record", IssueRecordCommand, "Issue the result record of the acceptance", [
      ...checks.agentProjectCommand,
      ...checks.previewed,
      ...checks.currentConfirmation,
      "HUMAN_DECISION_REQUIRED"
    ])
  )
  .middleware(StrictBody)
  .middleware(Bearer)
  .prefix("/api/agents/v1") {}

/** The public preparation of an agreement, under the site origin. */
export class Acceptance extends HttpApiGroup.make("acceptance", { topLevel: true })
  .add(
    HttpApiEndpoint.get("legalConfig", "/legal-config", { success: LegalConfig }).annotateMerge(
      OpenApi.annotations({ summary: "The current legal documents" })
    ),
    HttpApiEndpoint.post("confirmationPreview", "/confirmation-preview", {
      payload: Schema.Struct({ legalContext: LegalContext, operation: Schema.Literals(["AGREEMENT"]) }),
      success: Schema.Struct({ confirmation: Confirmation }),
      error: refuses("LEGAL_DOCUMENTS_CHANGED")
    }).annotateMerge(OpenApi.annotations({ summary: "What creating an agreement confirms" }))
  )
  .middleware(StrictBody)
  .prefix("/api/acceptance") {}
