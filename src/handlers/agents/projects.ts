/** Decode, call, answer. */
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/agents.ts"
import { asAgent, asAgentRequest } from "../../access/request.ts"
import type { Command } from "../../projects/decide.ts"
import { legalConfig, previewConfirmation } from "../../projects/legal.ts"
import { createProject, readProject, runCommand, type Envelope } from "../../projects/operations.ts"

export const projectHandlers = HttpApiBuilder.group(Api, "projects", (handlers) =>
  handlers.handleAll({
    createProject: ({ payload }) =>
      asAgentRequest({ operation: "createProject", requestId: payload.requestId }, (request) =>
        createProject(request, payload)
      ),
    readProject: ({ params }) => asAgent(readProject(params.id)),
    respond: ({ params, payload }) => run("respond", params.id, payload, { kind: "RESPOND", input: payload.input }),
    submit: ({ params, payload }) => run("submit", params.id, payload, { kind: "SUBMIT", input: payload.input }),
    review: ({ params, payload }) => run("review", params.id, payload, { kind: "REVIEW", input: payload.input }),
    dateRevision: ({ params, payload }) =>
      run("dateRevision", params.id, payload, { kind: "DATE_REVISION", input: payload.input }),
    concern: ({ params, payload }) => run("concern", params.id, payload, { kind: "CONCERN", input: payload.input }),
    handoff: ({ params, payload }) => run("handoff", params.id, payload, { kind: "HANDOFF", input: payload.input }),
    issueRecord: ({ params, payload }) =>
      run("issueRecord", params.id, payload, { kind: "ISSUE_RECORD", input: payload.input })
  })
)

const run = (operation: string, projectId: string, envelope: Envelope, command: Command) =>
  asAgentRequest({ operation, pathIds: [projectId], requestId: command.input.requestId }, (request) =>
    runCommand(request, projectId, envelope, command)
  )

export const acceptanceHandlers = HttpApiBuilder.group(Api, "acceptance", (handlers) =>
  handlers.handleAll({
    legalConfig: () => legalConfig,
    confirmationPreview: ({ payload }) => previewConfirmation(payload.legalContext.documents)
  })
)
