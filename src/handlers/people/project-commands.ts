/** Decode, call, answer. */
import { HttpApiBuilder } from "effect/http-api"
import { asPersonRequest } from "../../people/request.ts"
import { WorkspaceApi } from "../../api/people.ts"
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
    respondAsPerson: ({ params, payload }) => run("respondAsPerson", params.id, payload, respond),
    signAgreement: ({ params, payload }) => run("signAgreement", params.id, payload, sign),
    submitAsPerson: ({ params, payload }) => run("submitAsPerson", params.id, payload, submit),
    reviewAsPerson: ({ params, payload }) => run("reviewAsPerson", params.id, payload, review),
    requestDateChange: ({ params, payload }) => run("requestDateChange", params.id, payload, dateRevision),
    liftHold: ({ params, payload }) => run("liftHold", params.id, payload, liftHold),
    raiseConcern: ({ params, payload }) => run("raiseConcern", params.id, payload, concern),
    resolveConcern: ({ params, payload }) => run("resolveConcern", params.id, payload, resolveConcern),
    withdrawConfirmation: ({ params, payload }) =>
      run("withdrawConfirmation", params.id, payload, withdrawConfirmation),
    issueRecordAsPerson: ({ params, payload }) => run("issueRecordAsPerson", params.id, payload, issueRecord),
    changeRepresentative: ({ params, payload }) => run("changeRepresentative", params.id, payload, changeRepresentative)
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

interface PersonEnvelope {
  readonly expectedEventHash: string
  readonly organizationId?: string
}
