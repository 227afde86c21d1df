/** Decode, call, answer. */
import { HttpApiBuilder } from "effect/http-api"
import { asPersonRequest } from "../../people/request.ts"
import { WorkspaceApi } from "../../api/people.ts"
import type { Command } from "../../projects/decide.ts"
import { createProjectAsPerson, runCommandAsPerson } from "../../projects/person-operations.ts"

export const projectCommandHandlers = HttpApiBuilder.group(WorkspaceApi, "projectCommands", (handlers) =>
  handlers.handleAll({
    createOwnProject: ({ payload }) =>
      asPersonRequest({ operation: "createOwnProject", requestId: payload.requestId }, (by, request) =>
        createProjectAsPerson(by, request, payload)
      ),
    reviseProject: ({ params, payload: { expectedEventHash, input } }) => {
      const terms = { requestId: input.requestId, ...input.terms }
      return run("reviseProject", params.id, { expectedEventHash }, { kind: "REVISE", input: { ...input, terms } })
    },
    respondAsPerson: ({ params, payload }) =>
      run("respondAsPerson", params.id, payload, { kind: "RESPOND", input: payload.input }),
    signAgreement: ({ params, payload }) =>
      run("signAgreement", params.id, payload, { kind: "SIGN", input: payload.input }),
    submitAsPerson: ({ params, payload }) =>
      run("submitAsPerson", params.id, payload, { kind: "SUBMIT", input: payload.input }),
    reviewAsPerson: ({ params, payload }) =>
      run("reviewAsPerson", params.id, payload, { kind: "REVIEW", input: payload.input }),
    requestDateChange: ({ params, payload }) =>
      run("requestDateChange", params.id, payload, { kind: "DATE_REVISION", input: payload.input }),
    liftHold: ({ params, payload }) => run("liftHold", params.id, payload, { kind: "LIFT_HOLD", input: payload.input }),
    raiseConcern: ({ params, payload }) =>
      run("raiseConcern", params.id, payload, { kind: "CONCERN", input: payload.input }),
    resolveConcern: ({ params, payload }) =>
      run("resolveConcern", params.id, payload, { kind: "RESOLVE_CONCERN", input: payload.input }),
    withdrawConfirmation: ({ params, payload }) =>
      run("withdrawConfirmation", params.id, payload, { kind: "WITHDRAW_CONFIRMATION", input: payload.input }),
    issueRecordAsPerson: ({ params, payload }) =>
      run("issueRecordAsPerson", params.id, payload, { kind: "ISSUE_RECORD", input: payload.input }),
    changeRepresentative: ({ params, payload }) =>
      run("changeRepresentative", params.id, payload, { kind: "CHANGE_REPRESENTATIVE", input: payload.input })
  })
)

const run = (
  operation: string,
  projectId: string,
  envelope: { readonly expectedEventHash: string; readonly organizationId?: string },
  command: Command
) =>
  asPersonRequest({ operation, pathIds: [projectId], requestId: command.input.requestId }, (by, request) =>
    runCommandAsPerson(by, request, { projectId, ...envelope, command })
  )
