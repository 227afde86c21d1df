/** Decode, call, answer. */
import { HttpApiBuilder } from "effect/http-api"
import { asPersonRequest } from "../../people/request.ts"
import { WorkspaceApi } from "../../api/people.ts"
import { answerProject, type CommandRequest } from "../../projects/answer.ts"
import { changeRepresentative } from "../../projects/commands/change-representative.ts"
import { concern, resolveConcern, withdrawConfirmation } from "../../projects/commands/concern.ts"
import { dateRevision } from "../../projects/commands/date-revision.ts"
import { issueRecord } from "../../projects/commands/issue-record.ts"
import { liftHold } from "../../projects/commands/lift-hold.ts"
import { respond } from "../../projects/commands/respond.ts"
import { review } from "../../projects/commands/review.ts"
import { revise } from "../../projects/commands/revise.ts"
import { sign } from "../../projects/commands/sign.ts"
import { submit } from "../../projects/commands/submit.ts"
import type { Command, CommandKind } from "../../projects/decide.ts"
import { createProjectAsPerson, runCommandAsPerson } from "../../projects/person-operations.ts"
import { neverRefused } from "../../vocabulary/refusals.ts"

export const projectCommandHandlers = HttpApiBuilder.group(WorkspaceApi, "projectCommands", (handlers) =>
  handlers.handleAll({
    createOwnProject: ({ payload }) =>
      asPersonRequest({ operation: "createOwnProject", requestId: payload.requestId }, (by, request) =>
        // Terms within the limit of a request body leave room for the first event.
        createProjectAsPerson(by, request, payload).pipe(neverRefused("DELIVERY_HISTORY_LIMIT_REACHED"))
      ),
    reviseProject: ({ params, payload: { expectedEventHash, input } }) => {
      const terms = { requestId: input.requestId, ...input.terms }
      return run("reviseProject", params.id, { expectedEventHash, input: { ...input, terms } }, revise)
    },
    respondAsPerson: (request) => answer("respondAsPerson", request, respond),
    signAgreement: (request) => answer("signAgreement", request, sign),
    submitAsPerson: (request) => answer("submitAsPerson", request, submit),
    reviewAsPerson: (request) => answer("reviewAsPerson", request, review),
    requestDateChange: (request) => answer("requestDateChange", request, dateRevision),
    liftHold: (request) => answer("liftHold", request, liftHold),
    raiseConcern: (request) => answer("raiseConcern", request, concern),
    resolveConcern: (request) => answer("resolveConcern", request, resolveConcern),
    withdrawConfirmation: (request) => answer("withdrawConfirmation", request, withdrawConfirmation),
    issueRecordAsPerson: (request) => answer("issueRecordAsPerson", request, issueRecord),
    changeRepresentative: (request) => answer("changeRepresentative", request, changeRepresentative)
  })
)

const run = <K extends CommandKind>(
  operation: string,
  projectId: string,
  { input, ...envelope }: PersonEnvelope & { readonly input: Command<K>["input"] },
  { kind }: { readonly kind: K }
) =>
  asPersonRequest({ operation, pathIds: [projectId], requestId: input.requestId }, (by, request) =>
    runCommandAsPerson(by, request, { projectId, ...envelope, command: { kind, input } as Command<K> })
  )

const answer = <K extends CommandKind>(
  operation: string,
  { params, query, payload }: CommandRequest<PersonEnvelope, Command<K>["input"]>,
  command: { readonly kind: K }
) => answerProject(run(operation, params.id, payload, command), query)

interface PersonEnvelope {
  readonly expectedEventHash: string
  readonly organizationId?: string
}
