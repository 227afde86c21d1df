/** The operations on agreements (4.2, 4.3). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Bearer } from "../access/bearer.ts"
import { StrictBody } from "../http/body.ts"
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

/** The path parameter of a project (2.1); any other text is an unknown project. */
export const ProjectPath = {
  id: Schema.String.check(Schema.isPattern(/^delivery_[a-f0-9-]{36}$/u, { expected: "a project id" }))
}

const command = <const Name extends string, P extends Schema.Top>(
  name: Name,
  path: `/${string}`,
  payload: P,
  summary: string
) =>
  HttpApiEndpoint.post(name, `/projects/:id${path}`, {
    params: ProjectPath,
    payload,
    success: ProjectView
  }).annotateMerge(OpenApi.annotations({ summary }))

export class ProjectsGroup extends HttpApiGroup.make("projects", { topLevel: true })
  .add(
    HttpApiEndpoint.post("createProject", "/projects", {
      payload: CreateProject,
      success: ProjectView.pipe(HttpApiSchema.status(201))
    }).annotateMerge(OpenApi.annotations({ summary: "Commit a buyer agreement" })),
    HttpApiEndpoint.get("readProject", "/projects/:id", {
      params: ProjectPath,
      success: ProjectView
    }).annotateMerge(OpenApi.annotations({ summary: "Read one exact agreement version" })),
    command("respond", "/respond", RespondCommand, "Answer the exact terms for the supplier"),
    command("submit", "/submit", SubmitCommand, "Commit materials as digests"),
    command("review", "/review", ReviewCommand, "Decide the current submission"),
    command("dateRevision", "/date-revision", DateRevisionCommand, "Request another date, which people decide"),
    command("concern", "/concern", ConcernCommand, "Contest the confirmation, which people resolve"),
    command("handoff", "/handoff", HandoffCommand, "Stop the agents and ask for a person"),
    command("issueRecord", "/issue-record", IssueRecordCommand, "Issue the result record of the acceptance")
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
      success: Schema.Struct({ confirmation: Confirmation })
    }).annotateMerge(OpenApi.annotations({ summary: "What creating an agreement confirms" }))
  )
  .middleware(StrictBody)
  .prefix("/api/acceptance") {}
