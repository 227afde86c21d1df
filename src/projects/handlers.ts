/** Decode, call, answer. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { Action } from "../access/actions.ts"
import { Api } from "../api.ts"
import { answer } from "../http/answer.ts"
import { requestOf } from "../access/request.ts"
import type { Command } from "./decide.ts"
import { legalConfig, previewConfirmation } from "./legal.ts"
import { createProject, readProject, runCommand, type Envelope } from "./operations.ts"

export const projectHandlers = HttpApiBuilder.group(Api, "projects", (handlers) =>
  handlers.handleAll({
    createProject: ({ payload }) =>
      answer(
        Effect.flatMap(requestOf("createProject", [], payload.requestId), (request) => createProject(request, payload))
      ),
    readProject: ({ params }) => answer(readProject(params.id)),
    respond: ({ params, payload }) =>
      run("respond", params.id, payload, "RESPOND_TERMS", { kind: "RESPOND", input: payload.input }),
    submit: ({ params, payload }) =>
      run("submit", params.id, payload, "SUBMIT_MATERIALS", { kind: "SUBMIT", input: payload.input }),
    review: ({ params, payload }) =>
      run("review", params.id, payload, reviewAction(payload.input.action), { kind: "REVIEW", input: payload.input }),
    issueRecord: ({ params, payload }) =>
      run("issueRecord", params.id, payload, "ISSUE_RESULT_RECORD", { kind: "ISSUE_RECORD", input: payload.input })
  })
)

// Accepting is an action of its own: reviewing never permits it.
const reviewAction = (action: string) => (action === "ACCEPT" ? "CONFIRM_COMPLETION" : "REVIEW_DELIVERY")

const run = (operation: string, projectId: string, envelope: Envelope, action: Action, command: Command) =>
  answer(
    Effect.flatMap(requestOf(operation, [projectId], command.input.requestId), (request) =>
      runCommand(request, projectId, envelope, action, command)
    )
  )

export const acceptanceHandlers = HttpApiBuilder.group(Api, "acceptance", (handlers) =>
  handlers.handleAll({
    legalConfig: () => legalConfig,
    confirmationPreview: ({ payload }) => answer(previewConfirmation(payload.legalContext.documents))
  })
)
