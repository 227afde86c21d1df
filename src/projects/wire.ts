/** The operations on agreements (4.2, 4.3). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { forAgents } from "../access/bearer.ts"
import { StrictBody } from "../http/body.ts"
import { refuses } from "../http/refuses.ts"
import { titled } from "../http/titled.ts"
import { ProjectPath, ProjectQuery } from "./answer.ts"
import { agentCommand, projectCommands } from "./command-wire.ts"
import { CreateProject } from "./input.ts"
import { Confirmation, LegalConfig, ProjectView } from "./output.ts"
import { LegalContext } from "./terms.ts"
import * as checks from "../vocabulary/shared-checks.ts"

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
    }).annotateMerge(titled("Commit a buyer agreement")),
    HttpApiEndpoint.get("readProject", "/projects/:id", {
      params: ProjectPath,
      query: ProjectQuery,
      success: ProjectView,
      error: refuses(...checks.agentScope)
    }).annotateMerge(titled("Read one exact agreement version")),
    agentCommand(projectCommands.respond),
    agentCommand(projectCommands.submit),
    agentCommand(projectCommands.review),
    agentCommand(projectCommands.dateRevision),
    agentCommand(projectCommands.concern),
    agentCommand(projectCommands.handoff),
    agentCommand(projectCommands.issueRecord)
  )
  .pipe(forAgents) {}

/** The public preparation of an agreement, under the site origin. */
export class Acceptance extends HttpApiGroup.make("acceptance", { topLevel: true })
  .add(
    HttpApiEndpoint.get("legalConfig", "/legal-config", { success: LegalConfig }).annotateMerge(
      titled("The current legal documents")
    ),
    HttpApiEndpoint.post("confirmationPreview", "/confirmation-preview", {
      payload: Schema.Struct({ legalContext: LegalContext, operation: Schema.Literals(["AGREEMENT"]) }),
      success: Schema.Struct({ confirmation: Confirmation }),
      error: refuses("LEGAL_DOCUMENTS_CHANGED")
    }).annotateMerge(titled("What creating an agreement confirms"))
  )
  .middleware(StrictBody)
  .prefix("/api/acceptance") {}
